package requests

import (
	"fmt"
	"slices"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/conformance/requests/transcript"
)

// Difference is a call that the two sides do not do alike.
type Difference struct {
	Call string
	// Diff marks upstream's lines with - and ours with +.
	Diff string
}

// Compare returns the differences between upstream's transcript and ours, but
// for the exceptions, in the order of upstream's calls. An exception for a call
// that is not there, or that is alike, is a difference too.
func Compare(upstream, ours []transcript.Call, exceptions []Exception) []Difference {
	var found []Difference
	left := map[string]transcript.Call{}
	for _, c := range ours {
		left[c.Name] = c
	}
	used := make([]bool, len(exceptions))
	for _, want := range upstream {
		got, ok := left[want.Name]
		delete(left, want.Name)
		if !ok {
			found = append(found, Difference{want.Name, "- upstream only"})
			continue
		}
		for i, e := range exceptions {
			if e.Call.MatchString(want.Name) {
				before := want
				want = e.Instead(clone(want))
				used[i] = used[i] || !cmp.Equal(before, want)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			found = append(found, Difference{want.Name, diff})
		}
	}
	for _, c := range ours {
		if _, ok := left[c.Name]; ok {
			found = append(found, Difference{c.Name, "+ ours only"})
		}
	}
	for i, e := range exceptions {
		if !used[i] {
			found = append(found, Difference{e.Call.String(), "an exception that changes nothing: " + e.Reason})
		}
	}
	return found
}

func clone(c transcript.Call) transcript.Call {
	c.Actions, c.Events = slices.Clone(c.Actions), slices.Clone(c.Events)
	return c
}

// String returns the difference as a test prints it.
func (d Difference) String() string { return fmt.Sprintf("%s:\n%s", d.Call, d.Diff) }
