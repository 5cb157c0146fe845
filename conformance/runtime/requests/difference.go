package requests

import (
	"fmt"
	"slices"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/conformance/runtime/requests/transcript"
)

// Difference is a call in which the two sides differ.
type Difference struct {
	Call string
	// Diff marks upstream's lines with - and ours with +.
	Diff string
}

// Compare returns the differences between upstream's transcript and ours, except for the
// exceptions, in the order of upstream's calls. It also returns the exceptions that are used: those
// that apply to an input, and are not among them, are differences too.
func Compare(upstream, ours []transcript.Call, exceptions []Exception) (found []Difference, needed []bool) {
	left := map[string]transcript.Call{}
	for _, c := range ours {
		left[c.Name] = c
	}
	needed = make([]bool, len(exceptions))
	for _, want := range upstream {
		got, ok := left[want.Name]
		delete(left, want.Name)
		if !ok {
			i := slices.IndexFunc(exceptions, func(e Exception) bool { return e.Missing && e.Call.MatchString(want.Name) })
			if i < 0 {
				found = append(found, Difference{want.Name, "- upstream only"})
				continue
			}
			needed[i] = true
			continue
		}
		for i, e := range exceptions {
			if !e.Extra && !e.Missing && e.Call.MatchString(want.Name) && (e.Error == nil || e.Error.MatchString(want.Error)) {
				changed := e.apply(&want, &got)
				needed[i] = needed[i] || changed
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			found = append(found, Difference{want.Name, diff})
		}
	}
	for _, c := range ours {
		if _, ok := left[c.Name]; !ok {
			continue
		}
		i := slices.IndexFunc(exceptions, func(e Exception) bool { return e.Extra && e.Call.MatchString(c.Name) })
		if i < 0 {
			found = append(found, Difference{c.Name, "+ ours only"})
			continue
		}
		needed[i] = true
	}
	for i, e := range exceptions {
		if !needed[i] && e.Input != "" {
			found = append(found, e.needless())
		}
	}
	return found, needed
}

// apply applies the exception to both sides of a call, and reports whether that changes anything.
func (e Exception) apply(upstream, ours *transcript.Call) bool {
	want, got := *upstream, *ours
	if e.Instead != nil {
		*upstream = e.Instead(clone(want))
	} else if !cmp.Equal(want, got) {
		*upstream, *ours = e.Blank(clone(want)), e.Blank(clone(got))
	}
	return !cmp.Equal(*upstream, want) || !cmp.Equal(*ours, got)
}

// needless is the difference that reports an unused exception.
func (e Exception) needless() Difference {
	return Difference{e.Call.String(), "an exception that changes nothing: " + e.Reason}
}

func clone(c transcript.Call) transcript.Call {
	c.Actions, c.Events = slices.Clone(c.Actions), slices.Clone(c.Events)
	return c
}

// String returns the difference as a test prints it.
func (d Difference) String() string { return fmt.Sprintf("%s:\n%s", d.Call, d.Diff) }
