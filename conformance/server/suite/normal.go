package suite

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"k8s.io/client-go/util/jsonpath"
	"sigs.k8s.io/yaml"
)

// normal converts answers to normal form. It belongs to one run of a case.
type normal struct {
	names         *names
	script        string            // the case's text: values in it are not values of the run
	replace       *strings.Replacer // the case's group and namespace
	stems         []*regexp.Regexp  // names generated from the case's values of generateName
	hidden        [][]string        // paths of fields
	managedFields bool
	started       time.Time
}

// question describes the request of an answer, as far as the answer's form depends on it.
type question struct {
	one      bool              // requests one object, not a list
	bookmark bool              // is a bookmark
	pins     map[string]string // resource versions that a list must have if it contains them, and their names
	show     string
}

// headers are the headers that are part of an answer. So is Content-Type, unless it is JSON.
var headers = []string{"Allow", "ETag", "Location", "Retry-After", "Warning", "WWW-Authenticate"}

// unready is in the errors of a server whose memory is not filled yet.
var unready = []byte("storage is (re)initializing")

// ownWarning is the beginning of the warnings of apitest about itself.
const ownWarning = `299 - "apitest `

// response formats a response.
func (n *normal) response(res Response, q question) (Answer, error) {
	answer := Answer{fmt.Sprintf("< %d %s", res.Status, http.StatusText(res.Status))}
	for _, name := range headers {
		for _, value := range res.Header.Values(name) {
			if strings.HasPrefix(value, ownWarning) {
				continue
			}
			switch {
			case name == "ETag":
				value = "<tag>" // depends on all resources, which other cases change
			case name == "Retry-After" && bytes.Contains(res.Body, unready):
				value = "<seconds>" // the longer, the longer the server is not ready
			}
			answer = append(answer, fmt.Sprintf("< %s: %s", name, n.text(value)))
		}
	}
	kind := res.Header.Get("Content-Type")
	if kind != "" && kind != "application/json" {
		answer = append(answer, "< Content-Type: "+kind)
	}
	if q.show == "status" {
		return answer, nil
	}
	body, err := n.body(res.Body, q, res.Status)
	return append(answer, body...), err
}

// event formats an event of a watch.
func (n *normal) event(e Event, q question) (Answer, error) {
	answer := Answer{"< " + e.Type}
	if q.show == "status" {
		return answer, nil
	}
	q.one, q.bookmark = true, e.Type == "BOOKMARK"
	body, err := n.body(e.Object, q, 0)
	return append(answer, body...), err
}

func (n *normal) body(body []byte, q question, status int) (Answer, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, nil
	}
	value, err := fromJSON(body)
	if err != nil {
		return indented(n.message(string(body))), nil
	}
	value = n.value(value, nil, q)
	if q.show != "" {
		if value, err = find(value, q.show); err != nil {
			return nil, err
		}
	} else if object, ok := value.(map[string]any); ok && object["kind"] == "Status" && object["apiVersion"] == "v1" {
		return statusLines(object, status)
	}
	return yamlLines(value)
}

// statusLines formats the relevant parts of a Status.
func statusLines(object map[string]any, code int) (Answer, error) {
	rest := maps.Clone(object)
	if message, ok := rest["message"].(string); ok && strings.Contains(message, string(unready)) {
		delete(rest, "details") // when to retry
	}
	delete(rest, "kind")
	delete(rest, "apiVersion")
	if metadata, ok := rest["metadata"].(map[string]any); ok && len(metadata) == 0 {
		delete(rest, "metadata")
	}
	if rest["status"] == "Failure" {
		delete(rest, "status")
	}
	if fmt.Sprint(rest["code"]) == fmt.Sprint(code) {
		delete(rest, "code")
	}
	var lines Answer
	for _, key := range []string{"reason", "message"} {
		if rest[key] == nil {
			continue
		}
		part, err := yamlLines(map[string]any{key: rest[key]})
		if err != nil {
			return nil, err
		}
		delete(rest, key)
		lines = append(lines, part...)
	}
	if len(rest) == 0 {
		return lines, nil
	}
	part, err := yamlLines(rest)
	return append(lines, part...), err
}

func yamlLines(value any) (Answer, error) {
	text, err := yaml.Marshal(value)
	if err != nil {
		return nil, err
	}
	return indented(string(text)), nil
}

func indented(text string) Answer {
	var lines Answer
	for line := range strings.SplitSeq(strings.TrimRight(text, " \t\r\n"), "\n") {
		if line = strings.TrimRight(line, " \t\r"); line != "" {
			line = indent + line
		}
		lines = append(lines, line)
	}
	return lines
}

// value normalises a part of an answer.
func (n *normal) value(value any, path []string, q question) any {
	switch value := value.(type) {
	case map[string]any:
		return n.object(value, path, q)
	case []any:
		for i := range value {
			value[i] = n.value(value[i], path, q)
		}
		return value
	case string:
		if len(path) > 0 && path[len(path)-1] == "message" {
			return n.message(value)
		}
		return n.text(value)
	}
	return value
}

func (n *normal) object(object map[string]any, path []string, q question) any {
	_, items := object["items"].([]any)
	kind, _ := object["kind"].(string)
	list := len(path) == 0 && (items || q.bookmark || kind == "Table" && !q.one)
	if kind == "Table" {
		hideAges(object)
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if key != "metadata" {
			n.field(object, key, path, q)
		}
	}
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		return object
	}
	if rv, ok := metadata["resourceVersion"].(string); ok && rv != "" {
		switch pinned := q.pins[rv]; {
		case list && pinned != "":
			metadata["resourceVersion"] = pinned
		case list:
			metadata["resourceVersion"] = n.names.list(rv)
		default:
			metadata["resourceVersion"] = n.names.object(rv)
		}
	}
	if token, ok := metadata["continue"].(string); ok {
		metadata["continue"] = continuation(token)
	}
	if managed, ok := metadata["managedFields"].([]any); ok && n.managedFields {
		slices.SortStableFunc(managed, byManager)
	} else {
		delete(metadata, "managedFields")
	}
	n.field(object, "metadata", path, q)
	return object
}

// byManager orders managed fields without their times, by which servers order them.
func byManager(a, b any) int {
	key := func(entry any) string {
		e, _ := entry.(map[string]any)
		return fmt.Sprintf("%v %v %v %v", e["operation"], e["manager"], e["subresource"], e["apiVersion"])
	}
	return strings.Compare(key(a), key(b))
}

func (n *normal) field(object map[string]any, key string, path []string, q question) {
	path = append(slices.Clip(path), key)
	if slices.ContainsFunc(n.hidden, func(hidden []string) bool { return slices.Equal(hidden, withoutItems(path)) }) {
		object[key] = "<hidden>"
		return
	}
	value := n.value(object[key], path, q)
	if text := n.text(key); text != key {
		delete(object, key)
		key = text
	}
	object[key] = value
}

// withoutItems converts a path in the objects of a list to a path in an object.
func withoutItems(path []string) []string {
	if len(path) > 1 && path[0] == "items" {
		return path[1:]
	}
	return path
}

var (
	moment = regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( ?[+-]\d\d:?\d\d( UTC)?|Z)`)
	named  = regexp.MustCompile(`in scheme "[^"]*"`)
	age    = regexp.MustCompile(`^\d+[smhdy]`)
	ago    = regexp.MustCompile(`\(\d+[smhdy]\w* ago\)`)
)

// text normalises a string: names of values of the run.
func (n *normal) text(text string) string {
	text = n.replace.Replace(text)
	for _, stem := range n.stems {
		text = stem.ReplaceAllStringFunc(text, func(name string) string {
			return name[:len(name)-randomLength] + "<" + n.names.name("random", name) + ">"
		})
	}
	text = uid.ReplaceAllStringFunc(text, func(uid string) string {
		if strings.Contains(n.script, uid) {
			return uid
		}
		return n.names.name("uid", uid)
	})
	return moment.ReplaceAllStringFunc(text, func(moment string) string {
		for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05 -0700 MST"} {
			if t, err := time.Parse(layout, moment); err == nil && t.Sub(n.started).Abs() < 48*time.Hour {
				return "<time>"
			}
		}
		return moment
	})
}

// message normalises text for people, in which resource versions have no separate field.
func (n *normal) message(text string) string {
	text = currentText.ReplaceAllString(text, "${1}<version>")
	text = versionText.ReplaceAllStringFunc(text, func(found string) string {
		parts := versionText.FindStringSubmatch(found)
		// The script may have the number as the status of an answer too.
		if written, err := regexp.MatchString(`(?i)version[^0-9]{0,40}\b`+parts[2]+`\b`, n.script); err == nil && written && len(parts[2]) > 1 {
			return found
		}
		return parts[1] + n.names.mention(parts[2])
	})
	return n.text(named.ReplaceAllString(text, "in scheme <name>"))
}

// randomLength is the length of the random part of a name.
const randomLength = 5

var generateName = regexp.MustCompile(`generateName: *"?([^\s,}"]+)`)

// stemsOf returns patterns of the names that a server generates for the stems of a script.
func stemsOf(script string) []*regexp.Regexp {
	var stems []*regexp.Regexp
	for _, m := range generateName.FindAllStringSubmatch(script, -1) {
		stems = append(stems, regexp.MustCompile(regexp.QuoteMeta(m[1])+fmt.Sprintf(`[bcdfghjklmnpqrstvwxz2-9]{%d}\b`, randomLength)))
	}
	return stems
}

// continuation describes the content of a continue token.
func continuation(token string) string {
	if token == "" {
		return ""
	}
	decoded, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return "<a token>"
	}
	var content struct {
		Version int64  `json:"rv"`
		Start   string `json:"start"`
	}
	if err := json.Unmarshal(decoded, &content); err != nil {
		return "<a token>"
	}
	text := "after " + strings.TrimSuffix(content.Start, "\u0000")
	if content.Version <= 0 {
		text += ", at any version"
	}
	return "<" + text + ">"
}

// hideAges removes the ages of objects from a table.
func hideAges(table map[string]any) {
	rows, _ := table["rows"].([]any)
	for _, row := range rows {
		row, _ := row.(map[string]any)
		cells, _ := row["cells"].([]any)
		for i, cell := range cells {
			switch text, ok := cell.(string); {
			case !ok:
			case age.MatchString(text):
				cells[i] = "<age>"
			default:
				cells[i] = ago.ReplaceAllLiteralString(text, "(<age> ago)")
			}
		}
	}
}

var errTrailing = errors.New("there is more than one value")

func fromJSON(body []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errTrailing
	}
	return value, nil
}

// find returns the result of a JSONPath template.
func find(value any, template string) (any, error) {
	path := jsonpath.New("path").AllowMissingKeys(true)
	if err := path.Parse(template); err != nil {
		return nil, err
	}
	results, err := path.FindResults(value)
	if err != nil {
		return nil, err
	}
	var all []any
	for _, result := range results {
		for _, v := range result {
			all = append(all, v.Interface())
		}
	}
	switch len(all) {
	case 0:
		return nil, nil
	case 1:
		return all[0], nil
	}
	return all, nil
}
