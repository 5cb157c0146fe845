package replace_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/conformance/runtime/replace"
)

// part are the programs, without those of the table that take longer, whose tests pass with client-go, as docs/replace.md
// shows.
var part = []string{"sealed-secrets", "external-snapshotter", "csi-lib-utils", "external-attacher", "lasso"}

// TestPart runs programs with the line only: all of their tests pass, except those that have a reason, and they are as
// many as docs/replace.md says of client-go.
func TestPart(t *testing.T) {
	work, err := peers.Work("replace")
	if err != nil {
		t.Fatal(err)
	}
	page, err := replace.ReadPage()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range part {
		t.Run(name, func(t *testing.T) {
			p := programs[slices.IndexFunc(programs, func(p program) bool { return p.Name == name })]
			_, ours := p.sides(t, options{work: work})
			results := ours.withLine(t).test(t, ours.list(t))
			p.checkPassed(t, results)
			if got, want := summary(results), measured(page, name); got != want {
				t.Errorf("%s, with client-go %s", got, want)
			}
		})
	}
}

// measured returns what a page says of the results of a program with client-go.
func measured(page *replace.Page, name string) string {
	for _, row := range page.Programs {
		if cells := strings.Split(row, " | "); replace.NameOf(row) == name && len(cells) > 3 {
			return cells[3]
		}
	}
	return "not measured"
}
