package requests

import (
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/conformance/runtime/requests/transcript"
)

func TestCompare(t *testing.T) {
	shout := Exception{
		Input: "in", Call: regexp.MustCompile("^b$"), Reason: "ours shouts",
		Instead: func(c transcript.Call) transcript.Call {
			c.Error += "!"
			return c
		},
	}
	mute := Exception{
		Call: regexp.MustCompile("^b$"), Reason: "ours has its own words",
		Blank: func(c transcript.Call) transcript.Call {
			if c.Error != "" {
				c.Error = "an error"
			}
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
		needed         bool
	}{
		{name: "alike", upstream: calls("no", "no"), ours: calls("no", "no")},
		{name: "another error", upstream: calls("no", "no"), ours: calls("no", "never"), want: []string{"b"}},
		{name: "a call less", upstream: calls("no", "no"), ours: calls("no"), want: []string{"b"}},
		{name: "a call more", upstream: calls("no"), ours: calls("no", "no"), want: []string{"b"}},
		{name: "as in the exception", upstream: calls("no", "no"), ours: calls("no", "no!"), exceptions: []Exception{shout}, needed: true},
		{
			name: "unlike the exception", upstream: calls("no", "no"), ours: calls("no", "no"),
			exceptions: []Exception{shout}, want: []string{"b"}, needed: true,
		},
		{
			name: "an exception for nothing", upstream: calls("no"), ours: calls("no"),
			exceptions: []Exception{shout}, want: []string{"^b$"},
		},
		{
			name: "an additional call with an exception", upstream: calls("no"), ours: calls("no", "no"),
			exceptions: []Exception{{Call: regexp.MustCompile("^b$"), Extra: true}}, needed: true,
		},
		{
			name: "a missing call with an exception", upstream: calls("no", "no"), ours: calls("no"),
			exceptions: []Exception{{Call: regexp.MustCompile("^b$"), Missing: true}}, needed: true,
		},
		{
			name: "one error of many", upstream: calls("no", "no"), ours: calls("no", "no!"),
			exceptions: []Exception{{Input: "in", Call: shout.Call, Error: regexp.MustCompile("^never$"), Instead: shout.Instead}},
			want:       []string{"b", "^b$"},
		},
		{name: "blank", upstream: calls("no", "no"), ours: calls("no", "never"), exceptions: []Exception{mute}, needed: true},
		{name: "not blank", upstream: calls("no", "no"), ours: calls("no", ""), exceptions: []Exception{mute}, want: []string{"b"}, needed: true},
		{name: "blank elsewhere", upstream: calls("no", "no"), ours: calls("never", "no"), exceptions: []Exception{mute}, want: []string{"a"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			differences, needed := Compare(test.upstream, test.ours, test.exceptions)
			for _, d := range differences {
				got = append(got, d.Call)
			}
			if slices.Contains(needed, true) != test.needed {
				t.Errorf("exceptions needed: %v", needed)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("calls that differ (-want +got):\n%s", diff)
			}
		})
	}
}
