package column

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/server/suite"
	"github.com/listwatch/listwatch/conformance/server/suite/typed"
)

const script = `# A case.

POST /api/v1/namespaces/${ns}/configmaps
    metadata: {name: one}
< 201 Created
    metadata:
      name: one
      uid: uid1

DELETE /api/v1/namespaces/${ns}/configmaps/one
< 200 OK
    status: Success
`

func TestJudge(t *testing.T) {
	c, err := suite.Parse("testdata/cases/a/b.case", script)
	if err != nil {
		t.Fatal(err)
	}
	created, deleted := c.Steps[0], c.Steps[1]
	typedOnce, never := &tally{typed: 1}, &tally{reasons: map[typed.Reason]int{typed.Body: 2, typed.Query: 1}}
	for _, test := range []struct {
		name    string
		tally   *tally
		compare comparison
		answers map[*suite.Step]suite.Answer
		err     error
		want    Word
		reason  string
	}{
		{name: "all", tally: typedOnce, compare: onWire, want: Same,
			answers: map[*suite.Step]suite.Answer{created: created.Answer, deleted: deleted.Answer}},
		{name: "a part", tally: typedOnce, compare: onWire, want: Same,
			answers: map[*suite.Step]suite.Answer{created: created.Answer}},
		{name: "another code", tally: typedOnce, compare: onWire, want: Differs,
			answers: map[*suite.Step]suite.Answer{created: append(suite.Answer{"< 200 OK"}, created.Answer[1:]...)}},
		{name: "in memory", tally: typedOnce, compare: inMemory, want: Same,
			answers: map[*suite.Step]suite.Answer{created: {"< 200 OK", "    metadata:", "      name: one"}, deleted: {"< 200 OK"}}},
		{name: "refused in memory", tally: typedOnce, compare: inMemory, want: Differs, reason: limits[1].reason,
			answers: map[*suite.Step]suite.Answer{deleted: {"< 404 Not Found"}}},
		{name: "another name in memory", tally: typedOnce, compare: inMemory, want: Differs,
			answers: map[*suite.Step]suite.Answer{created: {"< 200 OK", "    metadata:", "      name: two"}}},
		{name: "not asked", tally: typedOnce, compare: inMemory, want: Same,
			answers: map[*suite.Step]suite.Answer{created: {"< 0 "}}},
		{name: "refused otherwise", tally: typedOnce, compare: inMemory, want: Differs, reason: noPages,
			answers: map[*suite.Step]suite.Answer{created: created.Answer}, err: errors.New("the last answer has no {.metadata.continue}")},
		{name: "failed", tally: typedOnce, compare: onWire, err: errors.New("no"), want: Differs},
		{name: "unsupported", tally: never, compare: onWire, err: fmt.Errorf("no: %w", suite.ErrUnsupported),
			want: NotApplicable, reason: string(typed.Body)},
		{name: "restart", tally: typedOnce, compare: onWire, err: fmt.Errorf("no: %w", suite.ErrUnsupported),
			want: NotApplicable, reason: "the server is made to do something"},
		{name: "no calls", tally: never, compare: onWire, want: NotApplicable, reason: string(typed.Body),
			answers: map[*suite.Step]suite.Answer{created: created.Answer}},
		{name: "differs without calls", tally: never, compare: onWire, want: NotApplicable, reason: string(typed.Body),
			answers: map[*suite.Step]suite.Answer{created: {"< 500"}}},
		{name: "differs before it is unsupported", tally: typedOnce, compare: onWire, want: Differs,
			err: suite.ErrUnsupported, answers: map[*suite.Step]suite.Answer{created: {"< 500"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := judge(c, test.tally, func(s *suite.Step) suite.Answer { return s.Answer },
				&suite.Outcome{Answers: test.answers, Err: test.err}, test.compare)
			if v.Case != "a/b" || v.Word != test.want || v.Reason != test.reason {
				t.Errorf("%+v", v)
			}
		})
	}
}

func TestTable(t *testing.T) {
	const text = "# A heading.\n# 3 cases: 1 same, 1 differ, 1 not applicable.\na/a\tsame\na/b\tdiffers\tfor a reason\na/c\tn/a\tits own\n"
	table, err := ParseTable(text)
	if err != nil {
		t.Fatal(err)
	}
	verdicts := func() []Verdict {
		return []Verdict{{Case: "a/a", Word: Same}, {Case: "a/b", Word: Differs}, {Case: "a/c", Word: NotApplicable, Reason: "its own"}}
	}
	known := verdicts()
	table.Explain(known)
	if got := Format("A heading.", known); got != text {
		t.Errorf("written otherwise:\n%s", got)
	}
	if complaints := table.Check(known); len(complaints) > 0 {
		t.Error(complaints)
	}
	for _, test := range []struct {
		name   string
		change func([]Verdict) []Verdict
		want   string
	}{
		{"a difference that vanished", func(v []Verdict) []Verdict { v[1].Word = Same; return v }, "a/b: same, and in the table: differs"},
		{"a difference that appeared", func(v []Verdict) []Verdict { v[0].Word = Differs; return v }, "a/a: differs, and in the table: same"},
		{"another reason", func(v []Verdict) []Verdict { v[2].Reason = "another"; return v }, "a/c: n/a (another), and in the table: its own"},
		{"a new case", func(v []Verdict) []Verdict { return append(v, Verdict{Case: "b/b", Word: Same}) }, "b/b: same, and not in the table"},
		{"a case that is gone", func(v []Verdict) []Verdict { return v[1:] }, "a/a: in the table, and no case"},
	} {
		changed := test.change(verdicts())
		table.Explain(changed)
		if got := table.Check(changed); len(got) != 1 || !strings.HasPrefix(got[0], test.want) {
			t.Errorf("%s: %q", test.name, got)
		}
	}
	proposed := []Verdict{{Case: "a/a", Word: Differs, Reason: "a proposal"}, {Case: "a/b", Word: Differs, Reason: "a proposal"}}
	table.Explain(proposed)
	if proposed[0].Reason != "a proposal" || proposed[1].Reason != "for a reason" {
		t.Errorf("%+v", proposed)
	}
	unexplained := Table{"a/a": {Case: "a/a", Word: Differs, Reason: "?"}}
	if got := unexplained.Check([]Verdict{{Case: "a/a", Word: Differs}}); len(got) != 1 {
		t.Errorf("a difference without a reason: %q", got)
	}
	for _, broken := range []string{"a/a", "a/a\tsame\na/a\tsame"} {
		if table, err := ParseTable(broken); err == nil {
			t.Errorf("%q is the table %v", broken, table)
		}
	}
}

// TestFind finds the calls for requests of cases.
func TestFind(t *testing.T) {
	p, err := sets()
	if err != nil {
		t.Fatal(err)
	}
	const own, others = "/api/v1/namespaces/n/configmaps", "/apis/a-case-1.example.com/v1/namespaces/n/widgets"
	for _, test := range []struct {
		name   string
		req    suite.Request
		want   string
		custom bool
	}{
		{"own", suite.Request{Method: http.MethodGet, Path: own}, `CoreV1().ConfigMaps("n").List`, false},
		{"protobuf", suite.Request{
			Method: http.MethodPost, Path: own, Header: http.Header{"Content-Type": {"application/vnd.kubernetes.protobuf"}, "Accept": {"application/vnd.kubernetes.protobuf"}},
			Body: []byte(`{"metadata":{"name":"a"}}`),
		}, `CoreV1().ConfigMaps("n").Create`, false},
		{"custom", suite.Request{
			Method: http.MethodPost, Path: others, Body: []byte(`{"apiVersion":"a-case-1.example.com/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"size":1}}`),
		}, `CustomV1().Widgets("n").Create`, true},
		{"a custom resource without Go types", suite.Request{Method: http.MethodGet, Path: "/apis/a-case-1.example.com/v1/gadgets"}, "", false},
		{"an escape", suite.Request{Method: http.MethodGet, Path: own + "/a%2Fb"}, "", false},
		{"no resource", suite.Request{Method: http.MethodGet, Path: "/version"}, "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := p.find(test.req)
			var i *typed.Inexpressible
			switch {
			case test.want == "" && !errors.As(err, &i):
				t.Errorf("%v, %v", got, err)
			case test.want != "" && (err != nil || got.String() != test.want || got.custom != test.custom):
				t.Errorf("%v, %v", got, err)
			}
		})
	}
}
