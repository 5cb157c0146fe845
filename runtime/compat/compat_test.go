package compat_test

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The package's documentation lists the packages that ask.
func TestDocumentation(t *testing.T) {
	asking := map[string]bool{}
	tree := os.DirFS("..")
	if err := fs.WalkDir(tree, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		if strings.Contains(string(text), "compat.IsClientGo()") {
			asking[path.Dir(name)] = true
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("compat.go")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, m := range regexp.MustCompile(`(?m)^//   - ([\w/]+):`).FindAllStringSubmatch(string(text), -1) {
		listed = append(listed, m[1])
	}
	slices.Sort(listed)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(asking)), listed); diff != "" {
		t.Errorf("packages that ask, and those that are listed (-ask +listed):\n%s", diff)
	}
}
