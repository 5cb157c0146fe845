package compatibility_test

import (
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/docs/compatibility"
	"github.com/listwatch/listwatch/internal/migration"
)

// The command that migrates code goes by names alone: it must find the package that every
// symbol is in, its decision, and the names of packages.
func TestTables(t *testing.T) {
	for _, c := range compare(t).comparisons {
		for _, s := range c.Kept {
			// Methods and fields cannot be recognized.
			if d, ok := migration.FindDecision(c.Theirs, s.Name); ok && !strings.Contains(s.Name, ".") {
				t.Errorf("%s.%s is kept, but looks %s: %s", c.Theirs, s.Name, d.Fate, d.Symbols)
			}
		}
	}
	moves := map[string]bool{}
	for _, p := range migration.Pairs {
		for _, path := range p.Ours[1:] {
			moves[p.Theirs+" "+path] = true
		}
	}
	for _, m := range migration.Moves {
		if !moves[m.Package+" "+m.To] {
			t.Errorf("a move to a package that the pair does not have: %v", m)
		}
	}
	apis, _, err := compatibility.Load(".", migration.Pairs)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range migration.Pairs {
		for name := range apis[p.TheirPath()] {
			home := p.Home(name)
			for _, path := range p.OurPaths() {
				if _, here := apis[path][name]; here && apis[home][name] == "" && !strings.Contains(name, ".") && name != "package" {
					t.Errorf("%s.%s is in %s, but looked for in %s", p.Theirs, name, path, home)
				}
			}
		}
		for _, path := range append(p.OurPaths(), p.TheirPath()) {
			if got, want := migration.PackageName(path), apis[path]["package"]; got != want {
				t.Errorf("package %s has the name %s, and looks as if it had %s", path, want, got)
			}
		}
	}
}
