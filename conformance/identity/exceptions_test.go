package identity_test

import (
	"testing"
)

// exception is a difference that is meant to be.
type exception struct {
	// input is the name of the input, and against the maker that ours differs from.
	input, against string
	// name is that of the difference: a file, or a symbol with its import path.
	name string
	// reason says why.
	reason string
}

// exceptions are all places where our output differs from that of others on
// purpose. Cases under testdata/apis that differ say so in their case.txt.
var exceptions = []exception{}

// report makes each difference an error that has no exception, and each
// exception that has no difference.
func report(t *testing.T, input, against string, diffs []difference) {
	t.Helper()
	reasons := map[string]string{}
	for _, e := range exceptions {
		if e.input == input && e.against == against {
			reasons[e.name] = e.reason
		}
	}
	for _, d := range diffs {
		if _, ok := reasons[d.name]; !ok {
			t.Error(d)
		}
		delete(reasons, d.name)
	}
	for name, reason := range reasons {
		t.Errorf("%s: listed as an exception (%s), but there is no difference", name, reason)
	}
}
