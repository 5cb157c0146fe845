package compatibility_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/listwatch/listwatch/internal/migration"
)

// Every package of client-go is in one of the two tables, and every row is about one.
func TestPackages(t *testing.T) {
	replaced := map[string]bool{}
	for _, p := range migration.Pairs {
		replaced[p.Theirs] = true
	}
	for _, tree := range migration.Trees {
		for _, p := range tree.Pairs() {
			replaced[p.Theirs] = true
		}
	}
	used := map[string]bool{}
	for _, pkg := range load(t, packages.NeedName|packages.NeedFiles|packages.NeedImports|packages.NeedDeps, "k8s.io/client-go/...") {
		path := strings.TrimPrefix(pkg.PkgPath, migration.ClientGo)
		other, found := migration.FindOther(path)
		switch {
		case replaced[path]:
			replaced[path] = false
			if other.Package == path {
				t.Errorf("%s is in both tables", path)
			}
		case len(pkg.GoFiles) == 0 || path == pkg.PkgPath || slices.Contains(strings.Split(path, "/"), "internal"):
			// It has only tests, or is the empty root package, or internal.
		case !found:
			t.Errorf("%s is in neither table", path)
		default:
			used[other.Package] = true
			if other.Standing == migration.Shared {
				checkShared(t, pkg)
			}
		}
	}
	for path, missing := range replaced {
		if missing {
			t.Errorf("client-go has no package %s", path)
		}
	}
	for _, other := range migration.Others {
		if !used[other.Package] {
			t.Errorf("no package needs the row %s", other.Package)
		}
		if (other.Advice == "") != (other.Standing == migration.Shared) {
			t.Errorf("%s: advice %q for a package with the status %q", other.Package, other.Advice, other.Standing)
		}
	}
}

// checkShared fails if a package that users go on importing brings one that is replaced.
func checkShared(t *testing.T, pkg *packages.Package) {
	t.Helper()
	packages.Visit([]*packages.Package{pkg}, nil, func(dep *packages.Package) {
		if path, ok := strings.CutPrefix(dep.PkgPath, migration.ClientGo); ok && path != "features" {
			if other, found := migration.FindOther(path); !found || other.Standing != migration.Shared {
				t.Errorf("%s is not to be shared: it depends on %s", pkg.PkgPath, dep.PkgPath)
			}
		}
	})
}
