package identity_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// exception is an intentional difference.
type exception struct {
	// input is the name of the input, and against the generator that ours differs from.
	input, against string
	// name is the name of the difference: a file, or a symbol with its import path.
	name string
	// reason is the reason for it.
	reason string
}

// exceptions are all intentional differences of our output. The case.txt of a case that differs
// throughout contains the reason.
var exceptions = []exception{
	{
		"cases/names-locals", upstream, "clientset/versioned/typed/trouble/v1/doc_kind.go",
		"the client of a kind named Doc has its own file; code-generator prints it into doc.go, below the package's comment",
	},
}

// unexplained returns the differences without an exception, and an error for each exception without
// a difference.
func unexplained(input, against string, diffs []difference, exceptions []exception) []string {
	reasons := map[string]string{}
	for _, e := range exceptions {
		if e.input == input && e.against == against {
			reasons[e.name] = e.reason
		}
	}
	var complaints []string
	for _, d := range diffs {
		if _, ok := reasons[d.name]; !ok {
			complaints = append(complaints, d.String())
		}
	}
	for _, d := range diffs {
		delete(reasons, d.name)
	}
	for _, name := range slices.Sorted(maps.Keys(reasons)) {
		complaints = append(complaints, name+": an exception without a difference: "+reasons[name])
	}
	return complaints
}

// report compares our tree with another generator's, and reports each difference without an
// exception as an error.
func report(t *testing.T, input string, their, our *tree) {
	t.Helper()
	t.Log(their)
	for _, complaint := range unexplained(input, their.maker, compare(their, our), exceptions) {
		t.Error(complaint)
	}
}

func TestUnexplained(t *testing.T) {
	diffs := []difference{{"x.A", "1"}, {"x.B", "2"}}
	got := unexplained("in", "them", diffs, []exception{
		{"in", "them", "x.A", "meant"},
		{"in", "them", "x.C", "obsolete"},
		{"in", "others", "x.B", "of no use here"},
		{"out", "them", "x.B", "of no use here"},
	})
	want := []string{"x.B: 2", "x.C: an exception without a difference: obsolete"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("complaints (-want +got):\n%s", d)
	}
}
