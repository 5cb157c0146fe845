package aliases_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/runtime/replace/aliases"
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
	lists := [][]aliases.Acceptance{aliases.Accepted, aliases.Missing}
	needed := [][]bool{make([]bool, len(aliases.Accepted)), make([]bool, len(aliases.Missing))}
	for _, d := range differences {
		known := false
		for l, list := range lists {
			if i := find(list, d.Package, d.Symbol); i >= 0 {
				needed[l][i], known = true, true
			}
		}
		if !known {
			t.Errorf("%s.%s:\n\ttheirs %s\n\tours   %s", d.Package, d.Symbol, d.Theirs, d.Ours)
		}
	}
	for l, list := range lists {
		for i, a := range list {
			if !needed[l][i] {
				t.Errorf("%s: no difference of %s: remove it from the list", a.Package, a.Symbols)
			}
		}
	}
}

// find returns the index of the entry about a symbol, -1 if there is none.
func find(list []aliases.Acceptance, pkg, symbol string) int {
	return slices.IndexFunc(list, func(a aliases.Acceptance) bool {
		return a.Package == pkg && slices.ContainsFunc(strings.Fields(a.Symbols), func(pattern string) bool {
			matches, err := path.Match(pattern, symbol)
			return err == nil && matches
		})
	})
}
