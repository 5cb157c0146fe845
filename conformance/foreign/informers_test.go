package foreign_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/listwatch/listwatch/clientgo" // what is tested
)

// controller-runtime's cache does on our informers what it does on client-go's: its suite
// passes with a default of cache.Options.NewInformer that makes ours.
func TestInformers(t *testing.T) {
	suite(t, "pkg/cache", readSkipped(t)["pkg/cache"], "-modfile="+withOurInformers(t))
}

// withOurInformers returns a go.mod that replaces controller-runtime by a copy whose cache
// creates our informers by default.
func withOurInformers(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", strings.TrimSuffix(module, "/")).Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	copied := filepath.Join(dir, "controller-runtime")
	if err = os.CopyFS(copied, os.DirFS(strings.TrimSpace(string(out)))); err != nil {
		t.Fatal(err)
	}
	replace(t, filepath.Join(copied, "pkg", "cache", "internal", "informers.go"),
		"newInformer := cache.NewSharedIndexInformer", "newInformer := clientgo.NewInformer",
		"import (", "import (\n\t\"github.com/listwatch/listwatch/clientgo\"")
	goMod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	goSum, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	goMod = append(goMod, "\nreplace "+strings.TrimSuffix(module, "/")+" => "+copied+"\n"...)
	name := filepath.Join(dir, "go.mod")
	if err = errors.Join(os.WriteFile(name, goMod, 0o666), os.WriteFile(filepath.Join(dir, "go.sum"), goSum, 0o666)); err != nil {
		t.Fatal(err)
	}
	return name
}

// replace replaces texts in a file, each of which it has once.
func replace(t *testing.T, name string, oldNew ...string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(oldNew); i += 2 {
		if n := bytes.Count(text, []byte(oldNew[i])); n != 1 {
			t.Fatalf("%s contains %q %d times, want once", name, oldNew[i], n)
		}
		text = bytes.Replace(text, []byte(oldNew[i]), []byte(oldNew[i+1]), 1)
	}
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
}
