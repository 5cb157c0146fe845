package aliases_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/replace/aliases"
)

// A program compiles with the module exactly if it compiles with client-go.
func TestCompare(t *testing.T) {
	set, err := load()
	if err != nil {
		t.Fatal(err)
	}
	differences, err := aliases.Compare(set, module)
	if err != nil {
		t.Fatal(err)
	}
	needed := make([]bool, len(aliases.Accepted))
	for _, d := range differences {
		if i := accepted(d); i >= 0 {
			needed[i] = true
			continue
		}
		t.Errorf("%s.%s:\n\ttheirs %s\n\tours   %s", d.Package, d.Symbol, d.Theirs, d.Ours)
	}
	for i, a := range aliases.Accepted {
		if !needed[i] {
			t.Errorf("%s: no difference of %s: remove it from Accepted", a.Package, a.Symbols)
		}
	}
}

// accepted returns the index of the entry for a difference, -1 if there is none.
func accepted(d aliases.Difference) int {
	return slices.IndexFunc(aliases.Accepted, func(a aliases.Acceptance) bool {
		return a.Package == d.Package && slices.ContainsFunc(strings.Fields(a.Symbols), func(pattern string) bool {
			matches, err := path.Match(pattern, d.Symbol)
			return err == nil && matches
		})
	})
}
