package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Limit is the maximum duration of a case.
const Limit = 3 * time.Minute

// Outcome is the result of running a case.
type Outcome struct {
	Answers map[*Step]Answer
	// Err is the reason why the case could not be completed, with the position. It wraps
	// ErrUnsupported if the target does not support the case.
	Err error
	// Informed is the reason why an informer that ran beside the case does not contain the current
	// objects, if one ran.
	Informed error
}

// Runner runs cases. The zero value is ready to use; it is safe for concurrent use.
type Runner struct {
	// Informers makes an informer run beside each case that writes, if the target is a server, for
	// what the case writes. At the end, its store must equal a fresh list.
	Informers bool
	// CRDs is the directory of CRDs; "" is testdata/crds.
	CRDs string

	runs atomic.Int64
}

// run is one run of a case.
type run struct {
	c       *Case
	target  Target
	crds    string
	vars    map[string]string
	lists   []string // variables with resource versions, in the order in which they were set
	normal  *normal
	watches map[string]*watching
	last    any // the last response, before it was normalised
}

type watching struct {
	stream Stream
	q      question
}

// Run runs a case on a target. If the case fails, the outcome contains the answers up to the
// failure.
func (r *Runner) Run(ctx context.Context, c *Case, target Target) *Outcome {
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	ns := fmt.Sprintf("%s-%s-%d", c.Clause, c.Name, r.runs.Add(1))
	group := ns + ".example.com"
	state := &run{
		c: c, target: target, crds: r.CRDs,
		vars:    map[string]string{"ns": ns, "group": group},
		watches: map[string]*watching{},
		normal: &normal{
			names:   newNames(),
			script:  c.Source(),
			stems:   stemsOf(c.Source()),
			replace: strings.NewReplacer(group, "${group}", ns, "${ns}"),
			started: time.Now(),
		},
	}
	if state.crds == "" {
		state.crds = filepath.Join("testdata", "crds")
	}
	defer func() {
		for _, w := range state.watches {
			w.stream.Stop()
		}
	}()
	outcome := &Outcome{Answers: map[*Step]Answer{}}
	if err := state.namespace(ctx); err != nil {
		outcome.Err = fmt.Errorf("%s: namespace of the case: %w", c.File, err)
		return outcome
	}
	var beside *observer
	for _, s := range c.Steps {
		answer, err := state.step(ctx, s)
		if answer != nil {
			outcome.Answers[s] = answer
		}
		if server, ok := target.(configured); ok && r.Informers && s == c.Observed() && err == nil {
			if beside, err = state.observe(ctx, server, s); err == nil {
				defer beside.stop()
			}
		}
		if err != nil {
			outcome.Err = fmt.Errorf("%s:%d: %w", c.File, s.Line, err)
			return outcome
		}
	}
	if beside != nil {
		if err := beside.check(ctx); err != nil {
			outcome.Informed = fmt.Errorf("%s:%d: %s: %w", c.File, c.Observed().Line, target.Name(), err)
		}
	}
	return outcome
}

// observe starts an informer for the collection of a request.
func (r *run) observe(ctx context.Context, target configured, s *Step) (*observer, error) {
	collection, err := r.expand(s.Request.URL)
	if err != nil {
		return nil, err
	}
	collection, _, _ = strings.Cut(collection, "?")
	return observe(ctx, target, collection, r.vars["ns"])
}

func (r *run) step(ctx context.Context, s *Step) (Answer, error) {
	switch s.Op {
	case Do:
		if s.Times > 0 {
			return r.many(ctx, s)
		}
		return r.do(ctx, s)
	case Watch:
		return r.watch(ctx, s)
	case Events:
		return r.events(ctx, s)
	case Stop:
		w, ok := r.watches[s.Watch]
		if !ok {
			return nil, fmt.Errorf("no watch %s", s.Watch)
		}
		w.stream.Stop()
		return nil, nil
	case Let:
		return nil, r.let(s)
	case CRD:
		return nil, r.define(ctx, s.Name)
	case Server:
		if s.Name == "compact" {
			return nil, r.target.Compact(ctx)
		}
		return nil, r.target.Restart(ctx)
	case Hide:
		path := strings.Split(strings.TrimPrefix(s.Name, "."), ".")
		r.normal.hidden = append(r.normal.hidden, path)
	case Show:
		r.normal.managedFields = true
	case Plugin: // the server was started with it
	}
	return nil, nil
}

var variable = regexp.MustCompile(`\$\{(\w+)\}`)

// expand replaces the variables of a text.
func (r *run) expand(text string) (string, error) {
	var err error
	text = variable.ReplaceAllStringFunc(text, func(found string) string {
		value, ok := r.vars[found[2:len(found)-1]]
		if !ok {
			err = fmt.Errorf("no variable %s", found)
		}
		return value
	})
	return text, err
}

// until is the condition for the end of a request's repetition.
type until struct{ path, value string }

// request builds a request from a template.
func (r *run) request(t Template) (req Request, q question, u until, err error) {
	target, err := r.expand(t.URL)
	if err != nil {
		return req, q, u, err
	}
	path, query, _ := strings.Cut(target, "?")
	req = Request{Method: t.Method, Path: path, Query: encodeQuery(query), Header: http.Header{}}
	q = question{one: namesObject(path), pins: r.pins(t.URL, query)}
	for _, field := range t.Header {
		var value string
		if value, err = r.expand(field.Value); err != nil {
			return req, q, u, err
		}
		switch field.Name {
		case "User":
			req.User = value
		case "Groups":
			req.Groups = strings.FieldsFunc(value, func(c rune) bool { return c == ',' || c == ' ' })
		case "Raw":
			req.Raw = value == "true"
		case "Show":
			q.show = field.Value // it is evaluated after normalisation
		case "Until":
			u = parseUntil(value)
		default:
			req.Header.Add(field.Name, value)
		}
	}
	if len(t.Body) == 0 {
		return req, q, u, nil
	}
	body, err := r.expand(strings.Join(t.Body, "\n") + "\n")
	if err != nil {
		return req, q, u, err
	}
	req.Body = []byte(body)
	if req.Raw {
		req.Body = []byte(strings.TrimSuffix(body, "\n"))
	} else if !strings.Contains(req.Header.Get("Content-Type"), "yaml") {
		req.Body, err = fromYAML(req.Body)
	}
	return req, q, u, err
}

// pins returns the resource versions to which a request refers.
func (r *run) pins(template, query string) map[string]string {
	values, err := url.ParseQuery(encodeQuery(query))
	if err != nil {
		return nil
	}
	switch {
	case values.Get("continue") != "":
		pins := map[string]string{}
		for _, name := range r.lists {
			pins[r.vars[name]] = "${" + name + "}"
		}
		return pins
	case values.Get("resourceVersionMatch") == "Exact":
		if m := regexp.MustCompile(`resourceVersion=(\$\{\w+\})`).FindStringSubmatch(template); m != nil {
			return map[string]string{values.Get("resourceVersion"): m[1]}
		}
	}
	return nil
}

// encodeQuery escapes the values of a query, unless they are escaped.
func encodeQuery(query string) string {
	if query == "" || strings.Contains(query, "%") {
		return query
	}
	var parts []string
	for part := range strings.SplitSeq(query, "&") {
		name, value, ok := strings.Cut(part, "=")
		part = url.QueryEscape(name)
		if ok {
			part += "=" + url.QueryEscape(value)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "&")
}

// namesObject reports whether a path is the path of an object, or of a part of an object.
func namesObject(path string) bool {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case len(parts) >= 2 && parts[0] == "api":
		parts = parts[2:]
	case len(parts) >= 3 && parts[0] == "apis":
		parts = parts[3:]
	default:
		return false
	}
	if len(parts) > 2 && parts[0] == "namespaces" {
		parts = parts[2:]
	}
	return len(parts) > 1
}

func parseUntil(text string) until {
	if at := strings.LastIndex(text, "}"); at >= 0 {
		return until{text[:at+1], strings.TrimSpace(text[at+1:])}
	}
	return until{value: text}
}

// holds reports whether a response satisfies the condition.
func (u until) holds(res Response) bool {
	if u.path == "" {
		status, text, _ := strings.Cut(u.value, " ")
		return strconv.Itoa(res.Status) == status && strings.Contains(string(res.Body), text)
	}
	body, err := fromJSON(res.Body)
	if err != nil {
		return false
	}
	// A path without a value may have one later.
	value, err := find(body, u.path)
	return err == nil && fmt.Sprint(value) == u.value
}

// again is the delay between repetitions of Until.
const again = 20 * time.Millisecond

// ask sends a request, repeatedly if the script requests it.
func (r *run) ask(ctx context.Context, req Request, u until) (Response, error) {
	ticker := time.NewTicker(again)
	defer ticker.Stop()
	for {
		res, err := r.target.Do(ctx, req)
		if err != nil || u == (until{}) {
			return res, err
		}
		if u.holds(res) {
			return res, nil
		}
		select {
		case <-ctx.Done():
			return res, fmt.Errorf("waited for %s %s, but the last response was %d %s", u.path, u.value, res.Status, res.Body)
		case <-ticker.C:
		}
	}
}

// catchUp makes the server's memory as new as its storage before a request that may be served from
// memory: otherwise, the response depends on other activity of the server.
func (r *run) catchUp(ctx context.Context, req Request) error {
	query, err := url.ParseQuery(req.Query)
	if err != nil || req.Method != http.MethodGet || query.Get("continue") != "" || query.Get("resourceVersionMatch") == "Exact" ||
		query.Get("resourceVersion") == "" && query.Get("watch") == "" {
		return nil //nolint:nilerr // the server reports an invalid query
	}
	collection := req.Path
	if namesObject(collection) {
		collection = path.Dir(collection)
	}
	// Whatever the response is, the server has updated its memory.
	_, err = r.target.Do(ctx, Request{Method: http.MethodGet, Path: collection})
	return err
}

func (r *run) do(ctx context.Context, s *Step) (Answer, error) {
	req, q, u, err := r.request(s.Request)
	if err != nil {
		return nil, err
	}
	if err = r.catchUp(ctx, req); err != nil {
		return nil, err
	}
	res, err := r.ask(ctx, req, u)
	if err != nil {
		return nil, err
	}
	r.last = nil
	if body, err := fromJSON(res.Body); err == nil {
		r.last = body
	}
	return r.normal.response(res, q)
}

// many repeats a request, and counts the responses.
func (r *run) many(ctx context.Context, s *Step) (Answer, error) {
	requests := make([]Request, s.Times)
	answers, failures := make([]string, s.Times), make([]error, s.Times)
	for i := range requests {
		var err error
		r.vars["i"] = strconv.Itoa(i + 1)
		if requests[i], _, _, err = r.request(s.Request); err != nil {
			return nil, err
		}
	}
	send := func(i int) {
		var res Response
		if res, failures[i] = r.target.Do(ctx, requests[i]); failures[i] == nil {
			answers[i] = summary(res)
		}
	}
	var all sync.WaitGroup
	for i := range requests {
		if s.AtOnce {
			all.Go(func() { send(i) })
		} else {
			send(i)
		}
	}
	all.Wait()
	if err := errors.Join(failures...); err != nil {
		return nil, err
	}
	counts := map[string]int{}
	for _, a := range answers {
		counts[a]++
	}
	var answer Answer
	for _, text := range slices.Compact(slices.Sorted(slices.Values(answers))) {
		answer = append(answer, fmt.Sprintf("< %d × %s", counts[text], text))
	}
	return answer, nil
}

// summary describes a response in a line.
func summary(res Response) string {
	text := fmt.Sprintf("%d %s", res.Status, http.StatusText(res.Status))
	if res.Status < 400 {
		return text
	}
	if body, err := fromJSON(res.Body); err == nil {
		if reason, err := find(body, "{.reason}"); err == nil && reason != nil {
			text += fmt.Sprintf(", reason %v", reason)
		}
	}
	return text
}

func (r *run) let(s *Step) error {
	value, err := find(r.last, s.Path)
	if err != nil {
		return err
	}
	if value == nil {
		return fmt.Errorf("the last answer has no %s", s.Path)
	}
	r.vars[s.Name] = fmt.Sprint(value)
	if strings.Contains(s.Path, "resourceVersion") {
		r.lists = append(r.lists, s.Name)
	}
	return nil
}

func (r *run) watch(ctx context.Context, s *Step) (Answer, error) {
	req, q, _, err := r.request(s.Request)
	if err != nil {
		return nil, err
	}
	if err = r.catchUp(ctx, req); err != nil {
		return nil, err
	}
	res, stream, err := r.target.Watch(ctx, req)
	if err != nil {
		return nil, err
	}
	if stream != nil {
		if old, ok := r.watches[s.Watch]; ok {
			old.stream.Stop()
		}
		r.watches[s.Watch] = &watching{stream, q}
	}
	return r.normal.response(res, question{})
}

// events waits for events. If they do not arrive, or the watch ends earlier, the answer contains
// those that did.
func (r *run) events(ctx context.Context, s *Step) (Answer, error) {
	w, ok := r.watches[s.Watch]
	if !ok {
		return nil, fmt.Errorf("no watch %s", s.Watch)
	}
	ctx, cancel := context.WithTimeout(ctx, Limit/3)
	defer cancel()
	answer := Answer{}
	for n := 0; s.Count == 0 || n < s.Count; {
		event, err := w.stream.Next(ctx)
		if errors.Is(err, io.EOF) {
			return append(answer, "< end"), nil
		}
		if err != nil {
			return answer, fmt.Errorf("%d events came, then: %w", n, err)
		}
		if event.Type == "BOOKMARK" && s.Until != "bookmark" {
			continue
		}
		n++
		if r.last, err = fromJSON(event.Object); err != nil {
			return answer, fmt.Errorf("event %d: %w", n, err)
		}
		lines, err := r.normal.event(event, w.q)
		if err != nil {
			return answer, err
		}
		answer = append(answer, lines...)
		if event.Type == "BOOKMARK" || s.Until == "error" && event.Type == "ERROR" {
			break
		}
	}
	return answer, nil
}

// namespace creates the case's namespace.
func (r *run) namespace(ctx context.Context) error {
	body := fmt.Sprintf(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q}}`, r.vars["ns"])
	res, err := r.target.Do(ctx, Request{Method: http.MethodPost, Path: "/api/v1/namespaces", Body: []byte(body)})
	if err == nil && res.Status != http.StatusCreated {
		err = fmt.Errorf("%d: %s", res.Status, res.Body)
	}
	return err
}

// define creates the CRD in a file, and waits until its resource is served.
func (r *run) define(ctx context.Context, name string) error {
	text, err := os.ReadFile(filepath.Join(r.crds, name+".yaml"))
	if err != nil {
		return err
	}
	expanded, err := r.expand(string(text))
	if err != nil {
		return err
	}
	body, err := fromYAML([]byte(expanded))
	if err != nil {
		return err
	}
	const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	res, err := r.target.Do(ctx, Request{Method: http.MethodPost, Path: path, Body: body})
	if err != nil {
		return err
	}
	if res.Status != http.StatusCreated {
		return fmt.Errorf("%d: %s", res.Status, res.Body)
	}
	// A served CRD may not be established yet.
	get := Request{Method: http.MethodGet, Path: path + "/" + name + "." + r.vars["group"]}
	if _, err = r.ask(ctx, get, until{`{.status.conditions[?(@.type=="Established")].status}`, "True"}); err != nil {
		return err
	}
	definition, err := fromJSON(body)
	if err != nil {
		return err
	}
	plural, err := find(definition, "{.spec.names.plural}")
	if err != nil {
		return err
	}
	versions, err := find(map[string]any{"crd": definition}, "{.crd.spec.versions[?(@.served==true)].name}")
	if err != nil {
		return err
	}
	for _, version := range toList(versions) {
		list := Request{Method: http.MethodGet, Path: fmt.Sprintf("/apis/%s/%v/%v", r.vars["group"], version, plural)}
		if _, err := r.ask(ctx, list, until{value: "200"}); err != nil {
			return err
		}
	}
	return nil
}

func toList(value any) []any {
	if list, ok := value.([]any); ok {
		return list
	}
	return []any{value}
}
