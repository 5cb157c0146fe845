package drive

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/listwatch/listwatch/conformance/runtime/requests/transcript"
)

// answer is a possible response of a server.
type answer struct {
	name    string
	replies []reply
}

// driveAnswers calls some methods of one kind with a server that sends many different responses,
// and records their results. It skips trees in which no kind has all verbs.
func (t Tree) driveAnswers(r *Recorder) error {
	server := newRecordingServer()
	defer server.Close()
	k, warnings, err := t.answered(server)
	if err != nil || k.object == nil {
		return err
	}
	forms, err := t.formsOf(k)
	if err != nil {
		return err
	}
	for _, asked := range []struct {
		method  string
		answers []answer
	}{
		{"Get", slices.Concat(forms.objects(), forms.media(), refusals(), retries(text(forms.object)))},
		{"List", slices.Concat(forms.lists(), refusals())},
		{"Watch", slices.Concat(forms.watches(), refusals())},
		{"Create", slices.Concat(forms.successes(), refusals())},
		{"Delete", slices.Concat(forms.successes(), refusals())},
	} {
		at := slices.IndexFunc(k.methods, func(m reflect.Method) bool { return m.Name == asked.method })
		for _, a := range asked.answers {
			server.expect(a.replies...)
			c := transcript.Call{Name: fmt.Sprintf("answer %v.%s %s", k, asked.method, a.name)}
			if err := call(&c, k, k.methods[at], shapes[0], true); err != nil {
				return err
			}
			c.Events = append(c.Events, warnings.taken()...)
			c.Requests = server.seen()
			r.Record(c)
		}
	}
	return nil
}

// answered returns the first kind of the tree that has all verbs, if there is one, of a clientset
// for the server, and the recorder of its warnings. One kind suffices, because kinds are similar.
func (t Tree) answered(server *recordingServer) (kind, *warnings, error) {
	config := Config(server.URL)
	noted := &warnings{}
	config.WarningHandler = noted
	clientset, err := t.Client(config)
	if err != nil {
		return kind{}, nil, err
	}
	groups, err := t.groups(clientset, space)
	if err != nil {
		return kind{}, nil, err
	}
	for _, g := range groups {
		for _, k := range g.kinds {
			if k.has("Get", "List", "Watch", "Create", "Update", "Delete", "Patch") {
				k.group = g.name
				return k, noted, nil
			}
		}
	}
	return kind{}, nil, nil
}

// has reports whether a kind has all of these methods.
func (k kind) has(names ...string) bool {
	for _, name := range names {
		if !slices.ContainsFunc(k.methods, func(m reflect.Method) bool { return m.Name == name }) {
			return false
		}
	}
	return true
}

// warnings records the warnings of a server.
type warnings []string

// HandleWarningHeader implements rest.WarningHandler.
func (w *warnings) HandleWarningHeader(code int, agent, text string) {
	*w = append(*w, fmt.Sprintf("warning %d %q %q", code, agent, text))
}

// taken returns the warnings since the last call.
func (w *warnings) taken() []string {
	noted := *w
	*w = nil
	return noted
}
