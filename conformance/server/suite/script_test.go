package suite_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/conformance/server/suite"
)

const script = `# A title.
#
# And more.

crd widgets

# About the request.
POST /api/v1/namespaces/${ns}/configmaps?dryRun=All
User: jane
    kind: ConfigMap

    data: {}
< 201 Created
< Warning: 299 - "x"
    kind: ConfigMap

    data: {}
differs apitest: it knows better
< 200 OK

race 3 GET /version
< 3 × 200 OK
watch w /api/v1/namespaces?watch=true
< 200 OK
events w until bookmark
< ADDED
    a: b
< BOOKMARK
    c: d
stop w
let rv {.metadata.resourceVersion}
server compact
# The end.
`

func TestFormat(t *testing.T) {
	c, err := suite.Parse("cases/list/paging.case", script)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(script, c.Format()); diff != "" {
		t.Error(diff)
	}
	if c.ID() != "list/paging" || c.Title != "A title." || !c.Alone() || c.Draft() || len(c.Pending()) != 0 {
		t.Errorf("read as %s, %q, alone %v, draft %v", c.ID(), c.Title, c.Alone(), c.Draft())
	}
	var ops []suite.Op
	for _, s := range c.Steps {
		ops = append(ops, s.Op)
	}
	if diff := cmp.Diff([]suite.Op{suite.CRD, suite.Do, suite.Do, suite.Watch, suite.Events, suite.Stop, suite.Let, suite.Server}, ops); diff != "" {
		t.Error(diff)
	}
	post := c.Steps[1]
	if diff := cmp.Diff([]string{"kind: ConfigMap", "", "data: {}"}, post.Request.Body); diff != "" {
		t.Error(diff)
	}
	answer, line, differs := post.Wanted(suite.Apitest)
	if diff := cmp.Diff(suite.Answer{"< 200 OK"}, answer); diff != "" || line != 18 || !differs {
		t.Errorf("wants of apitest, at line %d, %v: %s", line, differs, diff)
	}
}

func TestMistakes(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"no title":            {"GET /version\n", ":1: no title"},
		"unknown step":        {"# t\nFETCH /version\n", ":2: not a step: FETCH /version"},
		"text without owner":  {"# t\n    a: b\n", ":2: text outside a request or a response"},
		"answer to nothing":   {"# t\n< 200 OK\n", ":2: answer without a request"},
		"answer to a setting": {"# t\ncrd widgets\n< 200 OK\n", ":3: answer without a request"},
		"two spaces":          {"# t\nGET /\n  a: b\n", ":3: a body is indented by four spaces"},
		"unknown action":      {"# t\nserver explode\n", ":2: a server cannot explode"},
		"nothing to wait for": {"# t\nevents w 0\n", ":2: cannot wait for 0 events"},
		"difference of what":  {"# t\ndiffers apitest: x\n", ":2: difference without an answer above it"},
		"no reason":           {"# t\nGET /\n< 200 OK\ndiffers apitest:\n", ":4: not a step"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := suite.Parse("cases/a/b.case", test.text)
			if err == nil || !strings.Contains(err.Error(), "cases/a/b.case"+test.want) {
				t.Errorf("Parse(%q) returns the error %v, want one with %s", test.text, err, test.want)
			}
		})
	}
}

func FuzzFormat(f *testing.F) {
	f.Add(script)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := suite.Parse("cases/a/b.case", text)
		if err != nil {
			return
		}
		formatted := c.Format()
		again, err := suite.Parse("cases/a/b.case", formatted)
		if err != nil {
			t.Fatalf("%v in\n%s", err, formatted)
		}
		if diff := cmp.Diff(formatted, again.Format()); diff != "" {
			t.Error(diff)
		}
	})
}
