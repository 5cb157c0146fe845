package foreign_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/listwatch/listwatch/controllerruntime/envtest" // what is tested
)

// TestEnvtest runs the suite of controller-runtime's envtest with the import of ours.
func TestEnvtest(t *testing.T) {
	dir, modfile := copyControllerRuntime(t)
	folder := filepath.Join(dir, "pkg", "suite")
	err := os.CopyFS(filepath.Join(folder, "testdata"), os.DirFS(filepath.Join(dir, "pkg", "envtest", "testdata")))
	if err != nil {
		t.Fatal(err)
	}
	const ours = "import (\n\t. \"github.com/listwatch/listwatch/controllerruntime/envtest\"\n"
	for _, file := range []struct {
		name, imports, internal string
	}{
		{"envtest_suite_test.go", ours, ""},
		// What calls functions that are not exported is left out: the paths of binaries are not ours, and
		// controller-runtime's own function reads webhooks.
		{"envtest_test.go", ours, "\n\tDescribe(\"Binary Path Handling\""},
		{"webhook_test.go", "import (\n", "\n\t\tIt(\"should load webhooks from directory\""},
	} {
		var text []byte
		if text, err = os.ReadFile(filepath.Join(dir, "pkg", "envtest", file.name)); err != nil {
			t.Fatal(err)
		}
		text = bytes.Replace(text, []byte("package envtest\n"), []byte("package suite\n"), 1)
		text = bytes.Replace(text, []byte("import (\n"), []byte(file.imports), 1)
		if file.internal != "" {
			text = without(t, text, file.internal)
		}
		if !bytes.Contains(text, []byte("filepath.")) {
			text = bytes.Replace(text, []byte("\t\"path/filepath\"\n"), nil, 1)
		}
		if err = os.WriteFile(filepath.Join(folder, file.name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-modfile="+modfile, "-count=1", "-vet=off", "-v", "-timeout=10m",
		module+"pkg/suite", "-ginkgo.no-color")
	out, err := cmd.CombinedOutput()
	ran := result.Find(out)
	if err != nil || ran == nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	t.Logf("%s", ran)
}

// without removes a container of specs, or some specs at the end of one: from a text to the end of the block around
// it.
func without(t *testing.T, text []byte, from string) []byte {
	t.Helper()
	start := bytes.Index(text, []byte(from))
	if start < 0 {
		t.Fatalf("%q is not found", from)
	}
	indent := from[:strings.Index(from, "\t")] + strings.Repeat("\t", strings.Count(from, "\t")-1)
	end := bytes.Index(text[start:], []byte(indent+"})\n"))
	if end < 0 {
		t.Fatalf("%q does not end", from)
	}
	return append(bytes.Clone(text[:start]), text[start+end:]...)
}

// copyControllerRuntime returns a copy of controller-runtime, and a go.mod that replaces it by this copy.
func copyControllerRuntime(t *testing.T) (dir, modfile string) {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", strings.TrimSuffix(module, "/")).Output()
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	dir = filepath.Join(temp, "controller-runtime")
	if err = os.CopyFS(dir, os.DirFS(strings.TrimSpace(string(out)))); err != nil {
		t.Fatal(err)
	}
	goMod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	goSum, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	goMod = append(goMod, "\nreplace "+strings.TrimSuffix(module, "/")+" => "+dir+"\n"...)
	modfile = filepath.Join(temp, "go.mod")
	if err = errors.Join(os.WriteFile(modfile, goMod, 0o666), os.WriteFile(filepath.Join(temp, "go.sum"), goSum, 0o666)); err != nil {
		t.Fatal(err)
	}
	return dir, modfile
}
