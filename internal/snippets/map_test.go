package snippets_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// name is what may be the path of a file or folder: words with slashes, or the name of a Go file.
var name = regexp.MustCompile(`[a-z*][\w*{}.-]*(?:/[\w*.-]+)+|[\w*]+\.go\b`)

// TestMap checks that ARCHITECTURE.md stays a map: short, with every folder, and with no place that does not exist.
func TestMap(t *testing.T) {
	text := read(t, filepath.Join(root, "ARCHITECTURE.md"))
	if n := strings.Count(text, "\n"); n > 250 {
		t.Errorf("ARCHITECTURE.md has %d lines, and 250 at most; put what concerns one package into its comment", n)
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if folder := e.Name(); e.IsDir() && !strings.HasPrefix(folder, ".") && folder != "bin" && !strings.Contains(text, "\n| `"+folder+"` |") {
			t.Errorf("the table of folders in ARCHITECTURE.md does not have %s", folder)
		}
	}
	for _, path := range name.FindAllString(text, -1) {
		path = strings.TrimRight(path, ".")
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") && strings.Contains(path, "/") || first == "x" {
			continue // of another module
		}
		if !exists(t, path) {
			t.Errorf("ARCHITECTURE.md names %s, which is not in the tree", path)
		}
	}
}

// exists reports whether a path of ARCHITECTURE.md exists: below the root, or a folder that the text around it is about.
func exists(t *testing.T, path string) bool {
	for _, below := range []string{
		"", "generators", "generators/internal", "generators/model", "generators/internal/emit", "runtime", "runtime/rest", "runtime/watch",
		"runtime/codec", "runtime/cache", "apitest", "apitest/embedded", "apitest/internal/store", "client-go", "client-go/rest", "conformance",
	} {
		found, err := filepath.Glob(filepath.Join(root, below, path))
		if err != nil {
			t.Fatal(err)
		}
		if len(found) > 0 {
			return true
		}
	}
	return false
}
