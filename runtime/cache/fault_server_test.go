package cache_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/gentype"
	"github.com/listwatch/listwatch/runtime/rest"
)

// barge is a custom resource.
type barge struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              bargeSpec `json:"spec,omitempty"`
}

type bargeSpec struct {
	Length int `json:"length"`
}

type bargeList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []barge `json:"items"`
}

func (s *barge) DeepCopyObject() runtime.Object {
	c := *s
	s.DeepCopyInto(&c.ObjectMeta)
	return &c
}

func (l *bargeList) DeepCopyObject() runtime.Object {
	c := *l
	c.Items = slices.Clone(l.Items)
	return &c
}

var (
	bargeGroup  = schema.GroupVersion{Group: "sea.example.com", Version: "v1"}
	bargeScheme = newBargeScheme()
	bargeCodecs = serializer.NewCodecFactory(bargeScheme)
)

func newBargeScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(bargeGroup.WithKind("Barge"), &barge{})
	scheme.AddKnownTypeWithName(bargeGroup.WithKind("BargeList"), &bargeList{})
	metav1.AddToGroupVersion(scheme, bargeGroup)
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	return scheme
}

// bargeText returns a barge as a server encodes it. length may be anything.
func bargeText(name, rv, length string) string {
	return fmt.Sprintf(`{"apiVersion":"sea.example.com/v1","kind":"Barge","metadata":{"name":%q,"namespace":"n","resourceVersion":%q,"uid":"uid-%s"},"spec":{"length":%s}}`,
		name, rv, name, length)
}

// bargeEvent is an event. The text contains its resource version.
type bargeEvent struct {
	rv        int
	typ, text string
}

// bargeServer serves barges over HTTP like an API server serves custom resources: lists in pages
// and at a version, watches, WatchList, bookmarks.
type bargeServer struct {
	listener pipeListener
	server   http.Server
	began    time.Time
	// namespace is the namespace of the barges.
	namespace string

	mu        sync.Mutex // guards the fields below
	rv        int
	barges    map[string]string // texts by name
	events    []bargeEvent
	forgotten int                         // no watch can begin before this version
	pages     map[string]string           // the rest after a page, by token
	faults    map[string]http.HandlerFunc // responses to requests of a kind, until healed
	requests  []bargeRequest
	changed   chan struct{} // closed at the next change
	end       chan struct{} // closed to end the watches
	cut       bool          // the watches end in the middle of a frame
	silent    bool          // running watches are silent
}

// bargeRequest is a request of a kind: list, watch, or watch list.
type bargeRequest struct {
	at    time.Duration // since the server started
	kind  string
	query url.Values
}

// newBargeServer returns a server of connections in memory.
func newBargeServer(t *testing.T) *bargeServer {
	t.Helper()
	s := newBargeHandler()
	s.server.Handler = s
	served := make(chan error, 1)
	go func() { served <- s.server.Serve(&s.listener) }()
	t.Cleanup(func() {
		if err := s.server.Close(); err != nil {
			t.Error(err)
		}
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return s
}

// newBargeHandler returns a server that handles requests, but has no connections.
func newBargeHandler() *bargeServer {
	s := &bargeServer{
		listener:  pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})},
		began:     time.Now(),
		namespace: "n",
		rv:        10,
		barges:    map[string]string{},
		pages:     map[string]string{},
		faults:    map[string]http.HandlerFunc{},
		changed:   make(chan struct{}),
		end:       make(chan struct{}),
	}
	s.forgotten = s.rv
	return s
}

// listerWatcher returns the ListerWatcher of a typed client of the server.
func (s *bargeServer) listerWatcher(t *testing.T) cache.ListerWatcher {
	t.Helper()
	transport := &http.Transport{DialContext: s.listener.dial}
	t.Cleanup(transport.CloseIdleConnections)
	return listBarges(t, "http://barges.example.com", &http.Client{Transport: transport}, s.namespace)
}

// listBarges returns the ListerWatcher of a typed client.
func listBarges(t *testing.T, host string, client *http.Client, namespace string) cache.ListerWatcher {
	t.Helper()
	c, err := gentype.NewGroup(bargeGroup, "/apis", bargeScheme, bargeCodecs).RESTClient(&rest.Config{Host: host}, client)
	if err != nil {
		t.Fatal(err)
	}
	return cache.ListWatchFor(gentype.NewClientWithList("barges", c, runtime.NewParameterCodec(bargeScheme), namespace,
		func() *barge { return &barge{} }, func() *bargeList { return &bargeList{} }), nil)
}

// change creates, changes or deletes a barge.
func (s *bargeServer) change(typ, name, length string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rv++
	rv := strconv.Itoa(s.rv)
	text := strings.Replace(bargeText(name, rv, length), `"namespace":"n"`, fmt.Sprintf(`"namespace":%q`, s.namespace), 1)
	if typ == "DELETED" {
		delete(s.barges, name)
	} else {
		s.barges[name] = text
	}
	s.tell(typ, text)
}

func (s *bargeServer) add(name, length string) { s.change("ADDED", name, length) }
func (s *bargeServer) set(name, length string) { s.change("MODIFIED", name, length) }
func (s *bargeServer) remove(name string)      { s.change("DELETED", name, "0") }

// bookmark sends a bookmark to the watches.
func (s *bargeServer) bookmark() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rv++
	s.tell("BOOKMARK", bookmarkText(s.rv, ""))
}

func bookmarkText(rv int, annotations string) string {
	return fmt.Sprintf(`{"apiVersion":"sea.example.com/v1","kind":"Barge","metadata":{"resourceVersion":"%d"%s},"spec":{"length":0}}`, rv, annotations)
}

// send sends the watches an event that is not a change. It has no resource version.
func (s *bargeServer) send(typ, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tell(typ, text)
}

// tell adds an event. s.mu is held.
func (s *bargeServer) tell(typ, text string) {
	s.events = append(s.events, bargeEvent{s.rv, typ, text})
	close(s.changed)
	s.changed = make(chan struct{})
}

// forget discards the history up to now.
func (s *bargeServer) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgotten = s.rv
}

// restore resets the server to an earlier version, without what happened since, and ends the
// watches.
func (s *bargeServer) restore(rv int, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rv, s.forgotten, s.events = rv, rv, nil
	clear(s.barges)
	s.barges[name] = bargeText(name, strconv.Itoa(rv), "1")
	close(s.end)
	s.end = make(chan struct{})
}

// leaveBehind adds a barge, discards the history, and ends the watches without sending the event.
func (s *bargeServer) leaveBehind(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rv++
	s.barges[name] = bargeText(name, strconv.Itoa(s.rv), "1")
	s.forgotten = s.rv
	close(s.end)
	s.end = make(chan struct{})
}

// endWatches ends the running watches, with cut in the middle of a frame.
func (s *bargeServer) endWatches(cut bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cut = cut
	close(s.end)
	s.end = make(chan struct{})
}

// hangUp closes all connections.
func (s *bargeServer) hangUp() {
	s.listener.mu.Lock()
	defer s.listener.mu.Unlock()
	for _, conn := range s.listener.made {
		_ = conn.Close() // it may be closed already
	}
	s.listener.made = nil
}

// silence makes running watches silent.
func (s *bargeServer) silence(silent bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.silent = silent
}

// fail makes all requests of these kinds get this response, until the server is healed.
func (s *bargeServer) fail(answer http.HandlerFunc, kinds ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, kind := range kinds {
		s.faults[kind] = answer
	}
}

// failOnce makes the next request of each of these kinds get this response.
func (s *bargeServer) failOnce(answer http.HandlerFunc, kinds ...string) {
	for _, kind := range kinds {
		s.fail(func(w http.ResponseWriter, r *http.Request) {
			s.mu.Lock()
			delete(s.faults, kind)
			s.mu.Unlock()
			answer(w, r)
		}, kind)
	}
}

func (s *bargeServer) heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.faults)
}

// asked returns the requests of these kinds, or all requests.
func (s *bargeServer) asked(kinds ...string) []bargeRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	var asked []bargeRequest
	for _, r := range s.requests {
		if len(kinds) == 0 || slices.Contains(kinds, r.kind) {
			asked = append(asked, r)
		}
	}
	return asked
}

// content returns the barges, each with name, resource version and length.
func (s *bargeServer) content() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, text := range s.barges {
		obj := &barge{}
		if err := json.Unmarshal([]byte(text), obj); err != nil {
			panic(err)
		}
		all = append(all, describeBarge(obj))
	}
	slices.Sort(all)
	return all
}

func describeBarge(s *barge) string {
	return fmt.Sprint(s.Name, "@", s.ResourceVersion, " ", s.Spec.Length)
}

func (s *bargeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	kind := "list"
	if query.Get("sendInitialEvents") == "true" {
		kind = "watch list"
	} else if query.Get("watch") == "true" {
		kind = "watch"
	}
	s.mu.Lock()
	s.requests = append(s.requests, bargeRequest{time.Since(s.began), kind, query})
	fault := s.faults[kind]
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	switch {
	case fault != nil:
		fault(w, r)
	case kind == "list":
		s.list(w, query)
	default:
		s.watch(w, r, kind == "watch list")
	}
}

// list writes the members sorted by name, like API servers for custom resources.
func (s *bargeServer) list(w http.ResponseWriter, query url.Values) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rv, _ := strconv.Atoi(query.Get("resourceVersion"))
	limit, _ := strconv.Atoi(query.Get("limit"))
	if rv > s.rv {
		writeStatus(w, http.StatusGatewayTimeout, "Timeout", fmt.Sprintf("Too large resource version: %d, current: %d", rv, s.rv),
			`,"causes":[{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}]`)
		return
	}
	if rv > 0 && query.Get("continue") != "" {
		writeStatus(w, http.StatusBadRequest, "BadRequest", "specifying resource version is not allowed when using continue", "")
		return
	}
	version := strconv.Itoa(s.rv)
	var texts []string
	if token := query.Get("continue"); token == "" {
		for _, name := range slices.Sorted(maps.Keys(s.barges)) {
			texts = append(texts, s.barges[name])
		}
	} else if page, ok := s.pages[token]; ok {
		version, page, _ = strings.Cut(page, " ")
		texts = strings.Split(page, "\n")
	} else {
		writeStatus(w, http.StatusGone, "Expired", "The provided continue parameter is too old", "")
		return
	}
	next := ""
	if limit > 0 && len(texts) > limit {
		next = fmt.Sprint("page-", len(s.pages))
		s.pages[next] = version + " " + strings.Join(texts[limit:], "\n")
		texts = texts[:limit]
	}
	fmt.Fprintf(w, `{"apiVersion":"sea.example.com/v1","items":[%s],"kind":"BargeList","metadata":{"continue":%q,"resourceVersion":%q}}`+"\n",
		strings.Join(texts, ","), next, version)
}

// watch writes events until the watch ends.
func (s *bargeServer) watch(w http.ResponseWriter, r *http.Request, initial bool) {
	from, _ := strconv.Atoi(r.URL.Query().Get("resourceVersion"))
	seconds, _ := strconv.Atoi(r.URL.Query().Get("timeoutSeconds"))
	timeout := time.NewTimer(time.Duration(seconds) * time.Second)
	defer timeout.Stop()

	s.mu.Lock()
	at := len(s.events)
	var begin []bargeEvent
	switch {
	case from > s.rv:
		begin = append(begin, bargeEvent{typ: "ERROR", text: statusText(504, "Timeout", fmt.Sprintf("Too large resource version: %d, current: %d", from, s.rv), "")})
		timeout.Reset(0)
	case initial:
		for _, name := range slices.Sorted(maps.Keys(s.barges)) {
			begin = append(begin, bargeEvent{typ: "ADDED", text: s.barges[name]})
		}
		begin = append(begin, bargeEvent{typ: "BOOKMARK", text: bookmarkText(s.rv, `,"annotations":{"k8s.io/initial-events-end":"true"}`)})
	case from < s.forgotten:
		begin = append(begin, bargeEvent{typ: "ERROR", text: statusText(410, "Expired", fmt.Sprintf("too old resource version: %d (%d)", from, s.forgotten), "")})
		timeout.Reset(0)
	default:
		at, _ = slices.BinarySearchFunc(s.events, from+1, func(e bargeEvent, rv int) int { return e.rv - rv })
	}
	end, silent := s.end, false
	s.mu.Unlock()

	for {
		for _, e := range begin {
			fmt.Fprintf(w, "{\"type\":%q,\"object\":%s}\n", e.typ, e.text)
		}
		_ = http.NewResponseController(w).Flush() // the next write fails as well
		s.mu.Lock()
		changed := s.changed
		silent = silent || s.silent
		ended := s.end != end
		if !ended {
			begin, at = s.events[at:], len(s.events)
		}
		cut := s.cut
		s.mu.Unlock()
		if ended && cut {
			fmt.Fprint(w, `{"type":"ADDED","object":{"apiVersion":"sea.`)
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
		if ended {
			return
		}
		if len(begin) > 0 && !silent {
			continue
		}
		begin = nil
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		case <-timeout.C:
			return
		case <-end:
		}
	}
}

// statusText returns a Status as a server encodes it.
func statusText(code int, reason, message, details string) string {
	return fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":%q,"reason":%q,"details":{"group":"sea.example.com","kind":"barges"%s},"code":%d}`,
		message, reason, details, code)
}

func writeStatus(w http.ResponseWriter, code int, reason, message, details string) {
	w.WriteHeader(code)
	fmt.Fprint(w, statusText(code, reason, message, details))
}

// status responds with a Status.
func status(code int, reason, message string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { writeStatus(w, code, reason, message, "") }
}

// pipeListener creates connections in memory, which use the time of a synctest bubble.
type pipeListener struct {
	conns   chan net.Conn
	closed  chan struct{}
	close   sync.Once
	refuses atomic.Bool // connections

	mu   sync.Mutex // guards the fields below
	made []net.Conn
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.close.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }

func (l *pipeListener) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	if l.refuses.Load() {
		return nil, &net.OpError{Op: "dial", Net: network, Err: syscall.ECONNREFUSED}
	}
	ours, theirs := net.Pipe()
	l.mu.Lock()
	l.made = append(l.made, theirs)
	l.mu.Unlock()
	select {
	case l.conns <- theirs:
		return ours, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
