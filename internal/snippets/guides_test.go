package snippets_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/internal/snippets"
)

// TestGuides checks that the blocks of guides that name a file of the tree are part of it. Tests run these files.
func TestGuides(t *testing.T) {
	guides, err := filepath.Glob(filepath.Join(root, "docs", "guides", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, guide := range guides {
		for _, b := range snippets.Blocks(read(t, guide)) {
			file, text := b.Source()
			if file == "" {
				continue
			}
			found++
			if !within(read(t, filepath.Join(root, file)), text) {
				t.Errorf("%s:%d: %s does not contain this block; copy the lines that have changed", guide, b.Line, file)
			}
		}
	}
	if found == 0 {
		t.Error("found no block that names a file")
	}
}

// within reports whether a file contains a text, whose lines may be indented further there.
func within(file, text string) bool {
	for range 4 {
		if strings.Contains("\n"+file, "\n"+text) {
			return true
		}
		text = strings.ReplaceAll("\t"+strings.ReplaceAll(text, "\n", "\n\t"), "\t\n", "\n")
		text = strings.TrimSuffix(text, "\t")
	}
	return false
}

// TestIndex checks that docs/README.md lists every document.
func TestIndex(t *testing.T) {
	index := read(t, filepath.Join(root, "docs", "README.md"))
	for _, pattern := range []string{"*.md", "guides/*.md"} {
		documents, err := filepath.Glob(filepath.Join(root, "docs", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, document := range documents {
			name, err := filepath.Rel(filepath.Join(root, "docs"), document)
			if err != nil {
				t.Fatal(err)
			}
			if name != "README.md" && !strings.Contains(index, "]("+filepath.ToSlash(name)+")") {
				t.Errorf("docs/README.md does not list %s; add a line to the guides or the reports", name)
			}
		}
	}
}

// TestREADME checks that README stays short: what takes longer is a guide.
func TestREADME(t *testing.T) {
	const most, rows = 200, 8
	text := read(t, filepath.Join(root, "README.md"))
	if n := strings.Count(text, "\n"); n > most {
		t.Errorf("README.md has %d lines, want at most %d; move something to docs/guides", n, most)
	}
	_, numbers, _ := strings.Cut(text, "\n## Numbers\n")
	numbers, _, _ = strings.Cut(numbers, "\n## ")
	if n := strings.Count(numbers, "\n| "); n > rows+1 || n == 0 {
		t.Errorf("the table of numbers has %d lines, want at most %d and a heading", n, rows)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
