package requests

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/conformance/requests/transcript"
)

func TestCompare(t *testing.T) {
	shout := Exception{
		Call: regexp.MustCompile("^b$"), Reason: "ours shouts",
		Instead: func(c transcript.Call) transcript.Call {
			c.Error += "!"
			return c
		},
	}
	calls := func(errors ...string) []transcript.Call {
		var all []transcript.Call
		for i, e := range errors {
			all = append(all, transcript.Call{Name: string(rune('a' + i)), Error: e})
		}
		return all
	}
	for _, test := range []struct {
		name           string
		upstream, ours []transcript.Call
		exceptions     []Exception
		want           []string
	}{
		{name: "alike", upstream: calls("no", "no"), ours: calls("no", "no")},
		{name: "another error", upstream: calls("no", "no"), ours: calls("no", "never"), want: []string{"b"}},
		{name: "a call less", upstream: calls("no", "no"), ours: calls("no"), want: []string{"b"}},
		{name: "a call more", upstream: calls("no"), ours: calls("no", "no"), want: []string{"b"}},
		{name: "as the exception says", upstream: calls("no", "no"), ours: calls("no", "no!"), exceptions: []Exception{shout}},
		{
			name: "not as the exception says", upstream: calls("no", "no"), ours: calls("no", "no"),
			exceptions: []Exception{shout}, want: []string{"b"},
		},
		{
			name: "an exception for nothing", upstream: calls("no"), ours: calls("no"),
			exceptions: []Exception{shout}, want: []string{"^b$"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, d := range Compare(test.upstream, test.ours, test.exceptions) {
				got = append(got, d.Call)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("calls that differ (-want +got):\n%s", diff)
			}
		})
	}
}
