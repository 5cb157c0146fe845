package tree_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestApplyFails creates an obstacle between plan and apply: nothing changes, and no temporary file
// is left.
func TestApplyFails(t *testing.T) {
	files := disk{"a.go": "new", "new/b.go": "new", "new/deep/c.go": "new", "sub/d.go": "new", "z/deep/e.go": "new"}
	for _, c := range []struct {
		name string
		// way creates it in the directory.
		way func(t *testing.T, dir string)
	}{
		{"file in place of a new directory", func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, "z"), "in the way")
		}},
		{"file in place of the last new directory", func(t *testing.T, dir string) {
			put(t, filepath.Join(dir, "z", "deep"), "in the way")
		}},
		{"deleted directory", func(t *testing.T, dir string) {
			if err := os.RemoveAll(filepath.Join(dir, "sub")); err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(dir, "sub"), "in the way")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := write(t, "-- a.go --\n"+generated("A")+"-- sub/d.go --\n"+generated("D")+"-- old/x.go --\n"+generated("X"))
			p, err := wanted(dir, files).Plan()
			if err != nil {
				t.Fatal(err)
			}
			c.way(t, dir)
			before := read(t, dir)
			if err := p.Apply(); err == nil {
				t.Error("no error")
			}
			if d := cmp.Diff(before, read(t, dir)); d != "" {
				t.Error(d)
			}
			if len(p.Changes) > 0 {
				t.Errorf("%d changes", len(p.Changes))
			}
		})
	}
}

// TestApplyHalf makes a step fail after others are done: no temporary file is left, and the plan has the changes that
// were made.
func TestApplyHalf(t *testing.T) {
	dir := write(t, "-- a.go --\n"+generated("A")+"-- b.go --\n"+generated("B")+"-- c.go --\n"+generated("C"))
	p, err := wanted(dir, disk{"a.go": "new A", "ab/ab.go": "new AB", "b.go": "new B", "c.go": "new C", "d/d.go": "new D"}).Plan()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "b.go")); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "b.go", "x.txt"), "in the way")
	if err := p.Apply(); err == nil {
		t.Error("no error")
	}
	for name, text := range read(t, dir) {
		switch name {
		case "a.go", "ab/ab.go", "c.go", "d/d.go", "b.go/x.txt":
		default:
			t.Errorf("left behind: %s, %q", name, text)
		}
	}
	var made []string
	for _, c := range p.Changes {
		made = append(made, filepath.Base(c.Path))
	}
	if d := cmp.Diff([]string{"a.go", "ab.go"}, made); d != "" {
		t.Error(d)
	}
}

// TestRemovedHalf makes a removal fail after another one.
func TestRemovedHalf(t *testing.T) {
	dir := write(t, "-- a.go --\n"+generated("A")+"-- b.go --\n"+generated("B"))
	p, err := wanted(dir, disk{}).Plan()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "b.go")); err != nil {
		t.Fatal(err)
	}
	if err := p.Apply(); err == nil || len(p.Changes) != 1 || filepath.Base(p.Changes[0].Path) != "a.go" {
		t.Errorf("got %v, %v", p.Changes, err)
	}
}

// TestApplyMode checks that new files have the permissions of the user's umask, whatever was there
// before.
func TestApplyMode(t *testing.T) {
	dir := write(t, "-- a.go --\n"+generated("A"))
	if err := os.Chmod(filepath.Join(dir, "a.go"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := wanted(dir, disk{"a.go": "new", "b/b.go": "new"}).Plan()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Apply(); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "usual", "x.txt"), "")
	for name, usual := range map[string]string{"a.go": "usual/x.txt", "b/b.go": "usual/x.txt", "b": "usual"} {
		got, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.Stat(filepath.Join(dir, usual))
		if err != nil {
			t.Fatal(err)
		}
		if got.Mode() != want.Mode() {
			t.Errorf("%s: mode %v, want %v", name, got.Mode(), want.Mode())
		}
	}
}

// TestApplyTogether applies the plans of two trees, with a directory that both need.
func TestApplyTogether(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "out")
	p, err := wanted(filepath.Join(dir, "one"), disk{"a.go": "A"}).Plan()
	if err != nil {
		t.Fatal(err)
	}
	q, err := wanted(filepath.Join(dir, "two"), disk{"b.go": "B"}).Plan()
	if err != nil {
		t.Fatal(err)
	}
	for _, plan := range []interface{ Apply() error }{p, q} {
		if err := plan.Apply(); err != nil {
			t.Error(err)
		}
	}
	if d := cmp.Diff(disk{"one/a.go": "A", "two/b.go": "B"}, read(t, dir)); d != "" {
		t.Error(d)
	}
}

// TestApplyAtTheSameTime applies the plans of several trees concurrently, all in a new directory.
func TestApplyAtTheSameTime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "out")
	var wg sync.WaitGroup
	want := disk{}
	for i := range 8 {
		name := fmt.Sprintf("tree%d", i)
		want[name+"/a/b.go"], want[name+"/c.go"] = name, name
		p, err := wanted(filepath.Join(dir, name), disk{"a/b.go": name, "c.go": name}).Plan()
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			if err := p.Apply(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if d := cmp.Diff(want, read(t, dir)); d != "" {
		t.Error(d)
	}
	if above := read(t, filepath.Dir(filepath.Dir(dir))); len(above) != len(want) {
		t.Errorf("left behind: %v", above)
	}
}

// TestApplyTwice checks that a plan can be applied twice, except for removals.
func TestApplyTwice(t *testing.T) {
	dir := write(t, "-- a.go --\n"+generated("A"))
	p, err := wanted(dir, disk{"a.go": "new", "b.go": "new"}).Plan()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := p.Apply(); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(disk{"a.go": "new", "b.go": "new"}, read(t, dir)); d != "" {
		t.Error(d)
	}
}
