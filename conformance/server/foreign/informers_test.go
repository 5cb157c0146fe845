package foreign_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	_ "github.com/listwatch/listwatch/clientgo" // what is tested
)

// controller-runtime's cache does on our informers what it does on client-go's: its suite
// passes with a default of cache.Options.NewInformer that makes ours.
func TestInformers(t *testing.T) {
	suite(t, onApitest, "pkg/cache", readSkipped(t)["pkg/cache"], "-modfile="+withOurInformers(t))
}

// withOurInformers returns a go.mod that replaces controller-runtime by a copy whose cache
// creates our informers by default.
func withOurInformers(t *testing.T) string {
	t.Helper()
	copied, name := copyControllerRuntime(t)
	replace(t, filepath.Join(copied, "pkg", "cache", "internal", "informers.go"),
		"newInformer := cache.NewSharedIndexInformer", "newInformer := clientgo.NewInformer",
		"import (", "import (\n\t\"github.com/listwatch/listwatch/clientgo\"")
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
