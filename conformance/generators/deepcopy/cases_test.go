package deepcopy_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/testcase"
)

// generated is the name of the files with functions.
const generated = "zz_generated.deepcopy.go"

// deepcopyGen builds the deepcopy-gen that the module requires, and returns its path.
func deepcopyGen(t *testing.T) string {
	t.Helper()
	bin, err := peers.Work("bin", "deepcopy-gen")
	if err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", bin, "k8s.io/code-generator/cmd/deepcopy-gen")
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", build.Args, err, out)
	}
	return bin
}

// TestCases compares the functions of the cases of the repository with those of deepcopy-gen, in a
// copy of the cases.
func TestCases(t *testing.T) {
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	ours := map[string][]byte{} // by directory
	views := map[string]bool{}  // directories with views, which deepcopy-gen does not know
	scratch := t.TempDir()
	from := os.DirFS(root)
	copied := func(name string, text []byte) {
		t.Helper()
		name = filepath.Join(scratch, filepath.FromSlash(name))
		if err = errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, text, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	err = fs.WalkDir(from, "testdata/apis", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".go" {
			return err
		}
		text, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		if path.Base(name) == generated {
			ours[path.Dir(name)] = text
			return nil
		}
		if bytes.Contains(text, []byte("// +listwatch:view=")) {
			views[path.Dir(name)] = true
		}
		copied(name, text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(ours, func(dir string, _ []byte) bool { return views[dir] })
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := fs.ReadFile(from, name)
		if err != nil {
			t.Fatal(err)
		}
		copied(name, text)
	}
	run := exec.CommandContext(t.Context(), deepcopyGen(t), "--output-file="+generated)
	for dir := range ours {
		run.Args = append(run.Args, testcase.Module+"/"+dir)
	}
	run.Dir, run.Env = scratch, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("deepcopy-gen: %v\n%s", err, out)
	}
	for dir, got := range ours {
		t.Run(dir, func(t *testing.T) {
			want, err := os.ReadFile(filepath.Join(scratch, filepath.FromSlash(dir), generated))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Contains(want, []byte("deepcopy-gen")) {
				t.Fatal(fmt.Errorf("not by deepcopy-gen: %s", want))
			}
			same(t, dir, want, got)
		})
	}
	if len(ours) < 60 {
		t.Errorf("only %d packages", len(ours))
	}
}
