//go:build programs

package programs_test

import (
	"flag"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/listwatch/listwatch/internal/migration"
)

var (
	keep = flag.String("keep", "", "keep the copies of the programs in this `directory`")
)

func TestPrograms(t *testing.T) {
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	var done []outcome
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			work := t.TempDir()
			if *keep != "" {
				work = filepath.Join(*keep, p.name)
			}
			theirs := p.before(t, filepath.Join(work, "client-go"))
			ours := p.after(t, filepath.Join(work, "listwatch"))
			p.log(t, theirs, ours)
			done = append(done, outcome{p, theirs, ours})
		})
	}
	table := readTable(t)
	for _, o := range done {
		table.set(t, o.program, o.theirs, o.ours)
	}
	table.finish(t)
}

// outcome are the results of a program on client-go and on listwatch.
type outcome struct {
	program      program
	theirs, ours *results
}

// before builds and tests the program on client-go.
func (p program) before(t *testing.T, dir string) *results {
	t.Helper()
	p.copy(t, dir)
	require(t, dir, p.with, nil)
	return p.build(t, dir)
}

// after migrates the program and its libraries, and builds and tests it.
func (p program) after(t *testing.T, dir string) *results {
	t.Helper()
	dirs := p.migrate(t, dir)
	for module, dir := range dirs {
		p.check(t, module, dir)
	}
	return p.build(t, dirs[""])
}

// migrate migrates the program and its libraries to directories below dir. It returns the
// directory of each library, and that of the program under the empty name.
func (p program) migrate(t *testing.T, dir string) map[string]string {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	replace := ours(t)
	dirs := map[string]string{"": filepath.Join(dir, "program")}
	for _, m := range p.with {
		dirs[m.path] = filepath.Join(dir, path.Base(path.Dir(m.path))+"-"+path.Base(m.path))
		replace[m.path] = dirs[m.path]
	}
	for _, m := range append(slices.Clone(p.with), p.module) {
		at := dirs[m.path]
		if m.path == p.path {
			at = dirs[""]
		}
		m.copy(t, at)
		require(t, at, p.with, replace)
		m.migrate(t, at)
	}
	return dirs
}

// log prints what does not compile or pass on listwatch.
func (p program) log(t *testing.T, theirs, ours *results) {
	t.Helper()
	for _, pkg := range slices.Sorted(maps.Keys(ours.broken)) {
		if theirs.broken[pkg] == "" {
			t.Logf("%s does not compile:\n%s", pkg, ours.broken[pkg])
		}
	}
	for _, test := range ours.failed() {
		if theirs.tests[test] != fails {
			t.Logf("%s:\n%s", test, ours.output[test])
		}
	}
}

// check fails the test if listwatch-migrate --check finds something in a module.
func (p program) check(t *testing.T, module, dir string) {
	t.Helper()
	found, err := migration.Check(t.Context(), dir, []string{"./..."}, nil)
	if err != nil {
		t.Errorf("check: %v", err)
	}
	for _, f := range found {
		t.Errorf("module %q: %s", module, f)
	}
}
