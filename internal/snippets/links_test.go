package snippets_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link  = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	title = regexp.MustCompile(`(?m)^#+ (.*)$`)
	mark  = regexp.MustCompile(`[^\p{L}\p{N} _-]`) // not part of an anchor
)

// TestLinks checks that links between documents lead to a file, and to a heading in it.
func TestLinks(t *testing.T) {
	var documents []string
	for _, pattern := range []string{"docs/*.md", "docs/guides/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, found...)
	}
	for _, name := range []string{"README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"} {
		documents = append(documents, filepath.Join(root, name))
	}
	headings := map[string]map[string]bool{}
	for _, document := range documents {
		for _, m := range link.FindAllStringSubmatch(read(t, document), -1) {
			file, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(file, "://") {
				continue
			}
			target := document
			if file != "" {
				target = filepath.Join(filepath.Dir(document), file)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %v", document, err)
				continue
			}
			if anchor != "" && headings[target] == nil {
				headings[target] = anchors(read(t, target))
			}
			if anchor != "" && !headings[target][anchor] {
				t.Errorf("%s: %s has no heading %s", document, target, anchor)
			}
		}
	}
}

// anchors returns the names that GitHub gives to the headings of a document.
func anchors(document string) map[string]bool {
	all := map[string]bool{}
	for _, m := range title.FindAllStringSubmatch(document, -1) {
		name := mark.ReplaceAllString(strings.ToLower(m[1]), "")
		all[strings.ReplaceAll(name, " ", "-")] = true
	}
	return all
}
