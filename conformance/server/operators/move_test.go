//go:build programs

package operators_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

const (
	ownModule         = "github.com/listwatch/listwatch"
	controllerRuntime = "sigs.k8s.io/controller-runtime"
)

// own are the modules of the tree that controllerruntime is made of, as directories of the tree.
var own = []string{"", "/apitest", "/clientgo", "/controllerruntime", "/kubernetes"}

// move makes a copy of the operator require the controller-runtime of the tree's module controllerruntime, and
// that module.
func move(t *testing.T, dir, root string) {
	t.Helper()
	args := []string{"mod", "edit", "-require=" + controllerRuntime + "@" + versionOf(t, filepath.Join(root, "controllerruntime", "go.mod"), controllerRuntime)}
	for _, name := range own {
		path := ownModule + name
		args = append(args, "-require="+path+"@v0.0.0-00010101000000-000000000000", "-replace="+path+"="+filepath.Join(root, name))
	}
	run(t, dir, "go", args...)
}

// versionOf returns the version of a module that a go.mod requires.
func versionOf(t *testing.T, name, path string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.ParseLax(name, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, required := range file.Require {
		if required.Mod.Path == path {
			return required.Mod.Version
		}
	}
	t.Fatalf("%s does not require %s", name, path)
	return ""
}

// apply edits a file below dir.
func (e edit) apply(t *testing.T, dir string) {
	t.Helper()
	name := filepath.Join(dir, e.file)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), e.before); n != 1 {
		t.Fatalf("%s contains %q %d times, want once", e.file, e.before, n)
	}
	if err = os.WriteFile(name, []byte(strings.Replace(string(text), e.before, e.after, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
}

// replaceImports makes all files below dir import another package instead of one.
func replaceImports(t *testing.T, dir, before, after string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if changed := strings.ReplaceAll(string(text), `"`+before+`"`, `"`+after+`"`); changed != string(text) {
			return os.WriteFile(name, []byte(changed), 0o666)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
