package suite_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/conformance/server/suite"
)

// stub responds to requests by their method and the last part of their path, with texts of a test;
// ${ns} is the namespace of the case. The response to other requests is 201.
type stub struct {
	answers map[string]string
	events  []suite.Event
	ns      string
}

func (s *stub) Name() string                  { return "stub" }
func (s *stub) Compact(context.Context) error { return nil }
func (s *stub) Restart(context.Context) error { return fmt.Errorf("restart: %w", suite.ErrUnsupported) }

func (s *stub) Do(_ context.Context, req suite.Request) (suite.Response, error) {
	if req.Path == "/api/v1/namespaces" {
		_, s.ns, _ = strings.Cut(string(req.Body), `"name":"`)
		s.ns = strings.TrimSuffix(s.ns, `"}}`)
		return suite.Response{Status: http.StatusCreated}, nil
	}
	body, ok := s.answers[req.Method+" "+req.Path]
	if !ok {
		return suite.Response{Status: http.StatusNotFound}, nil
	}
	return suite.Response{Status: http.StatusOK, Body: []byte(strings.ReplaceAll(body, "NS", s.ns))}, nil
}

func (s *stub) Watch(context.Context, suite.Request) (suite.Response, suite.Stream, error) {
	return suite.Response{Status: http.StatusOK}, &stubStream{s.events}, nil
}

type stubStream struct{ events []suite.Event }

func (s *stubStream) Stop() {}

func (s *stubStream) Next(context.Context) (suite.Event, error) {
	if len(s.events) == 0 {
		return suite.Event{}, io.EOF
	}
	event := s.events[0]
	s.events = s.events[1:]
	return event, nil
}

// run runs a script on a stub and returns all answers, or the error.
func run(t *testing.T, script string, target suite.Target) (string, error) {
	t.Helper()
	c, err := suite.Parse("cases/a/b.case", "# t\n"+script)
	if err != nil {
		t.Fatal(err)
	}
	var runner suite.Runner
	outcome := runner.Run(t.Context(), c, target)
	var lines []string
	for _, s := range c.Steps {
		lines = append(lines, outcome.Answers[s]...)
	}
	return strings.Join(lines, "\n"), outcome.Err
}

func TestNormalForm(t *testing.T) {
	const token = "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6Nywic3RhcnQiOiJvbmVcdTAwMDAifQ" // {"v":"meta.k8s.io/v1","rv":7,"start":"one\u0000"}
	for _, test := range []struct{ name, script, answer, want string }{
		{"object", "GET /api/v1/namespaces/${ns}/pods/x", `{"metadata":{"name":"x","namespace":"NS","resourceVersion":"7","uid":"12345678-1234-1234-1234-123456789abc","managedFields":[]}}`,
			"< 200 OK\n    metadata:\n      name: x\n      namespace: ${ns}\n      resourceVersion: rv1\n      uid: uid1"},
		{"list", "GET /api/v1/namespaces/${ns}/pods/x", `{"items":[{"metadata":{"resourceVersion":"9"}},{"metadata":{"resourceVersion":"5"}}],"metadata":{"resourceVersion":"12","continue":"` + token + `"}}`,
			"< 200 OK\n    items:\n    - metadata:\n        resourceVersion: rv1\n    - metadata:\n        resourceVersion: rv0.1\n    metadata:\n      continue: <after one>\n      resourceVersion: ≥rv1"},
		{"ages in a table", "GET /api/v1/namespaces/${ns}/pods/x", `{"kind":"Table","rows":[{"cells":["x","1/2","5m","25y","3 (4d2h ago)",7]}]}`,
			"< 200 OK\n    kind: Table\n    rows:\n    - cells:\n      - x\n      - 1/2\n      - <age>\n      - <age>\n      - 3 (<age> ago)\n      - 7"},
		{"status", "GET /api/v1/namespaces/${ns}/pods/x", `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version: 3 (17)","reason":"Expired","code":410}`,
			"< 200 OK\n    reason: Expired\n    message: 'too old resource version: <version> (<version>)'\n    code: 410"},
		{"version that is another number", "GET /api/v1/namespaces/${ns}/pods/x?limit=500", `{"kind":"Status","apiVersion":"v1","message":"not decodable revision=500: no"}`,
			"< 200 OK\n    message: 'not decodable revision=<version>: no'"},
		{"version of the script", "GET /api/v1/namespaces/${ns}/pods/x?resourceVersion=77", `{"kind":"Status","apiVersion":"v1","message":"too large resource version: 77"}`,
			"< 200 OK\n    message: 'too large resource version: 77'"},
		{"old time", "GET /api/v1/namespaces/${ns}/pods/x", `{"t":"2001-02-03T04:05:06Z"}`, "< 200 OK\n    t: \"2001-02-03T04:05:06Z\""},
		{"text", "GET /api/v1/namespaces/${ns}/pods/x", "NS is not\n\nthere\n", "< 200 OK\n    ${ns} is not\n\n    there"},
		{"part", "GET /api/v1/namespaces/${ns}/pods/x\nShow: {.a.b}", `{"a":{"b":[1,2]}}`, "< 200 OK\n    - 1\n    - 2"},
		{"hidden", "hide .a\nGET /api/v1/namespaces/${ns}/pods/x", `{"a":{"b":1}}`, "< 200 OK\n    a: <hidden>"},
		{"generated", "# generateName: pod-\nGET /api/v1/namespaces/${ns}/pods/x", `{"name":"pod-x7b4k","other":"pod-other"}`, "< 200 OK\n    name: pod-<random1>\n    other: pod-other"},
	} {
		t.Run(test.name, func(t *testing.T) {
			target := &stubOne{stub: stub{}, answer: test.answer}
			got, err := run(t, test.script+"\n", target)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// stubOne sends one response to all requests.
type stubOne struct {
	stub
	answer string
}

func (s *stubOne) Do(ctx context.Context, req suite.Request) (suite.Response, error) {
	s.answers = map[string]string{req.Method + " " + req.Path: s.answer}
	return s.stub.Do(ctx, req)
}

func TestSteps(t *testing.T) {
	events := []suite.Event{
		{Type: "ADDED", Object: []byte(`{"metadata":{"resourceVersion":"3"}}`)},
		{Type: "BOOKMARK", Object: []byte(`{"metadata":{"resourceVersion":"8"}}`)},
		{Type: "DELETED", Object: []byte(`{"metadata":{"resourceVersion":"9"}}`)},
		{Type: "ERROR", Object: []byte(`{"a":1}`)},
	}
	const added, deleted = "< ADDED\n    metadata:\n      resourceVersion: rv1", "< DELETED\n    metadata:\n      resourceVersion: rv2"
	const bookmark = "< BOOKMARK\n    metadata:\n      resourceVersion: ≥rv1"
	for _, test := range []struct{ name, script, want, err string }{
		{"count", "watch w /pods?watch=true\nevents w 2", "< 200 OK\n" + added + "\n" + deleted, ""},
		{"bookmark", "watch w /pods?watch=true\nevents w until bookmark", "< 200 OK\n" + added + "\n" + bookmark, ""},
		{"error", "watch w /pods?watch=true\nevents w until error", "< 200 OK\n" + added + "\n" + deleted + "\n< ERROR\n    a: 1", ""},
		{"end", "watch w /pods?watch=true\nevents w until end", "< 200 OK\n" + added + "\n" + deleted + "\n< ERROR\n    a: 1\n< end", ""},
		{"end too early", "watch w /pods?watch=true\nevents w 9", "< 200 OK\n" + added + "\n" + deleted + "\n< ERROR\n    a: 1\n< end", ""},
		{"no watch", "events w 1", "", "cases/a/b.case:2: no watch w"},
		{"no variable", "GET /${nothing}", "", "cases/a/b.case:2: no variable ${nothing}"},
		{"nothing to keep", "GET /none\nlet x {.a}", "< 404 Not Found", "cases/a/b.case:3: the last answer has no {.a}"},
		{"unsupported", "server restart", "", "cases/a/b.case:2: restart: not supported"},
		{"body", "POST /none\n    {a: [", "", "cases/a/b.case:2: body: "},
		{"race", "race 3 GET /none", "< 3 × 404 Not Found", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := run(t, test.script+"\n", &stub{events: events})
			if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Fatalf("got %v, want %q", err, test.err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
