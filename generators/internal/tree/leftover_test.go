package tree_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/internal/tree"
)

// ended returns the ID of a process that has ended.
func ended(t *testing.T) int {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

// TestLeftovers removes the leftovers of killed runs: next to files, in place of directories, and
// next to the parents of the output directory, but nothing that a running process still needs.
func TestLeftovers(t *testing.T) {
	dead, alive := ended(t), os.Getppid()
	of := func(path string, pid int) string {
		dir, base := filepath.Split(path)
		return fmt.Sprintf("%s.%s.listwatch-%d-7", dir, base, pid)
	}
	dir := write(t, "-- go.mod --\nmodule m\n-- pkg/out/a.go --\n"+generated("A"))
	gone := []string{
		of("pkg/out/a.go", dead),
		of("pkg/out/sub", dead) + "/deep/x.go",
		of("pkg/out", dead) + "/a.go",
		of("pkg", dead) + "/out/a.go",
		of("pkg/out/b.go", os.Getpid()), // of an earlier run with this ID
	}
	kept := []string{
		of("pkg/out/a.go", alive),
		of("pkg/out/sub", alive) + "/x.go",
		of("pkg", alive) + "/x.go",
		of("other", dead) + "/x.go", // of another output directory
		of("pkg/other/a.go", dead),
		"pkg/out/.a.go.listwatch", "pkg/out/.listwatch-1-1", "pkg/out/a.go.listwatch-1-1",
		of("go.mod", dead), // not a directory
	}
	for _, name := range append(gone, kept...) {
		put(t, filepath.Join(dir, name), "left")
	}
	p, err := wanted(filepath.Join(dir, "pkg", "out"), disk{"a.go": generated("A")}).Plan()
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Changes) > 0 || len(p.Leftovers) != len(gone) {
		t.Errorf("changes %v, leftovers %q", p.Changes, p.Leftovers)
	}
	if err := p.Apply(); err != nil {
		t.Fatal(err)
	}
	found := read(t, dir)
	want := disk{"go.mod": "module m\n", "pkg/out/a.go": generated("A")}
	for _, name := range kept {
		want[name] = "left"
	}
	if d := cmp.Diff(want, found); d != "" {
		t.Error(d)
	}
}

// TestTemporaryNames checks that the temporary files of a run would be removed by a later one.
func TestTemporaryNames(t *testing.T) {
	dir := t.TempDir()
	name := tree.Temporary(filepath.Join(dir, "a.go"))
	put(t, name, "being written")
	plan := func() *tree.Plan {
		p, err := wanted(dir, nil).Plan()
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if p := plan(); len(p.Leftovers) > 0 {
		t.Errorf("leftovers while it is written: %q", p.Leftovers)
	}
	// The same, if another process had written it.
	theirs := strings.Replace(name, fmt.Sprint("-", os.Getpid(), "-"), fmt.Sprint("-", ended(t), "-"), 1)
	if err := os.Rename(name, theirs); err != nil {
		t.Fatal(err)
	}
	if p := plan(); !slices.Equal(p.Leftovers, []string{theirs}) {
		t.Errorf("leftovers: %q, want %q", p.Leftovers, theirs)
	}
}

// TestCarriageReturns leaves a checkout with Windows line endings unchanged, and shows other
// differences.
func TestCarriageReturns(t *testing.T) {
	returns := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	dir := t.TempDir()
	put(t, filepath.Join(dir, "a.go"), returns(generated("A")))
	put(t, filepath.Join(dir, "b.go"), returns(generated("B")))
	p, err := wanted(dir, disk{"a.go": generated("A"), "b.go": generated("C")}).Plan()
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Changes) != 1 || p.Unchanged != 1 {
		t.Errorf("changes %v, %d unchanged", p.Changes, p.Unchanged)
	}
	diff := string(p.Diff(filepath.Base))
	if !strings.Contains(diff, "\n-// B\n+// C\n") || strings.Contains(diff, "\r") {
		t.Errorf("diff:\n%s", diff)
	}
}
