package replace_test

import (
	"slices"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/peers"
)

// part are the programs, without those of the table that take longer, whose tests pass with client-go, as docs/replace.md
// shows.
var part = []string{"sealed-secrets", "external-snapshotter", "csi-lib-utils", "sample-controller", "endpointslice"}

// TestPart runs programs with the line only: all of their tests pass, except those that have a reason.
func TestPart(t *testing.T) {
	work, err := peers.Work("replace")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range part {
		t.Run(name, func(t *testing.T) {
			p := programs[slices.IndexFunc(programs, func(p program) bool { return p.Name == name })]
			_, ours := p.sides(t, options{work: work})
			results := ours.withLine(t).test(t, ours.list(t))
			t.Log(summary(results))
			p.checkPassed(t, results)
		})
	}
}
