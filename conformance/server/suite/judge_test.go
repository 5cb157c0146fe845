package suite_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/server/suite"
)

func TestJudge(t *testing.T) {
	const known = "# t\n\nGET /version\n< 200 OK\ndiffers apitest: it is young\n< 201 Created\n"
	for _, test := range []struct {
		name, script, target string
		answer               suite.Answer
		err, informed        error
		want                 string
	}{
		{name: "as recorded", script: known, target: suite.Real, answer: suite.Answer{"< 200 OK"}},
		{name: "as is known", script: known, target: suite.Apitest, answer: suite.Answer{"< 201 Created"}},
		{name: "otherwise", script: known, target: suite.Real, answer: suite.Answer{"< 500"}, want: "b.case:3: server answer differs from the record"},
		{name: "otherwise than is known", script: known, target: suite.Apitest, answer: suite.Answer{"< 500"}, want: "b.case:5: apitest answer differs from the record"},
		{name: "vanished", script: known, target: suite.Apitest, answer: suite.Answer{"< 200 OK"}, want: "b.case:5: apitest answers like the real server: remove the difference"},
		{name: "not recorded", script: "# t\n\nGET /version\n", target: suite.Real, answer: suite.Answer{"< 200 OK"}, want: "b.case:3: no answer is recorded"},
		{name: "failed", script: known, target: suite.Real, err: errors.New("gone"), want: "gone"},
		{name: "informer", script: known, target: suite.Real, informed: errors.New("stale"), want: "stale"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := suite.Parse("cases/a/b.case", test.script)
			if err != nil {
				t.Fatal(err)
			}
			o := &suite.Outcome{Answers: map[*suite.Step]suite.Answer{}, Err: test.err, Informed: test.informed}
			if test.answer != nil {
				o.Answers[c.Steps[0]] = test.answer
			}
			got := suite.Judge(c, test.target, o)
			if test.want == "" && len(got) > 0 || test.want != "" && (len(got) != 1 || !strings.Contains(got[0], test.want)) {
				t.Errorf("complaints %q, want %q", got, test.want)
			}
		})
	}
}

func TestCompare(t *testing.T) {
	c, err := suite.Parse("cases/a/b.case", "# t\n\nGET /a\n< 200 OK\nGET /b\n< 200 OK\ndiffers apitest: it is young\n< 201 Created\n")
	if err != nil {
		t.Fatal(err)
	}
	outcome := func(a, b string) *suite.Outcome {
		return &suite.Outcome{Answers: map[*suite.Step]suite.Answer{c.Steps[0]: {a}, c.Steps[1]: {b}}}
	}
	if got := suite.Compare(c, suite.Apitest, outcome("< 200 OK", "< 200 OK"), outcome("< 200 OK", "< 201 Created")); len(got) > 0 {
		t.Errorf("a known difference: %q", got)
	}
	if got := suite.Compare(c, suite.Apitest, outcome("< 200 OK", "< 200 OK"), outcome("< 404", "< 201 Created")); len(got) != 1 || !strings.Contains(got[0], "b.case:3: ") {
		t.Errorf("a difference: %q", got)
	}
}
