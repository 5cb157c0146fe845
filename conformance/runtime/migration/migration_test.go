package migration

import (
	"encoding/json"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/internal/migration"
)

// TestRewrite checks that listwatch-migrate makes the controller of its copy on client-go, with clients that were
// generated again.
func TestRewrite(t *testing.T) {
	for name, ours := range sources(t) {
		moved, err := migration.Rewrite(name, []byte(theirs(t, ours)))
		if err != nil {
			t.Fatalf("rewrite %s: %v", name, err)
		}
		for _, finding := range moved.Findings {
			if !finding.Note {
				t.Errorf("rewrite %s: %s", name, finding)
			}
		}
		got := strings.ReplaceAll(string(moved.Text), theirClients, ourClients)
		if diff := cmp.Diff(ours, got); diff != "" {
			t.Errorf("%s is not its copy on client-go, rewritten (-want +got):\n%s", name, diff)
		}
	}
}

// TestClientGo runs the controller's own test on client-go: the same happens as on the runtime.
func TestClientGo(t *testing.T) {
	dir := t.TempDir()
	var overlay struct{ Replace map[string]string }
	overlay.Replace = map[string]string{}
	for name, ours := range sources(t) {
		path, err := filepath.Abs(filepath.Join(controller, name))
		if err != nil {
			t.Fatal(err)
		}
		overlay.Replace[path] = filepath.Join(dir, name)
		if err = os.WriteFile(overlay.Replace[path], []byte(theirs(t, ours)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err = os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "-overlay="+file, "./"+controller)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", cmd, err, out)
	}
}

const (
	// controller is the directory of the controller.
	controller   = "librarian"
	ourClients   = `"github.com/listwatch/listwatch/golden/`
	theirClients = ourClients + "client-go/"
)

// theirs returns a file of the controller with the import paths of client-go.
func theirs(t *testing.T, ours string) string {
	t.Helper()
	text := strings.ReplaceAll(ours, ourClients, theirClients)
	for _, pair := range migration.Pairs {
		text = strings.ReplaceAll(text, `"`+pair.OurPaths()[0]+`"`, `"`+pair.TheirPath()+`"`)
	}
	if strings.Contains(text, `"github.com/listwatch/listwatch/runtime/`) {
		t.Fatalf("the copy on client-go still imports the runtime:\n%s", text)
	}
	formatted, err := format.Source([]byte(text)) // sorts the imports
	if err != nil {
		t.Fatal(err)
	}
	return string(formatted)
}

// sources returns the files of the controller without its tests, by their names.
func sources(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(controller, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sources[filepath.Base(file)] = string(source)
	}
	if len(sources) == 0 {
		t.Fatalf("directory %s has no Go files", controller)
	}
	return sources
}
