package identity_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// All steps from files to differences, on a small tree.
func TestCompare(t *testing.T) {
	their := smallTree(t, upstream, map[string]string{
		"clientset/a.go": `package clientset; import "example.test/out/listers"; func F() listers.Lister { return nil }`,
		"listers/b.go":   `package listers; type Lister interface { List(namespace string) error }`,
		"informers/c.go": `package informers`,
	})
	our := smallTree(t, ours, map[string]string{
		"clientset/a.go":      `package clientset; import x "example.test/out/listers"; func F() x.Lister { return nil }`,
		"listers/other.go":    `package listers; type Lister interface { List(ns string, all bool) error }`,
		"informers/c.go":      `package informers; func unseen() {}`,
		"informers/extra.txt": "",
	})
	var got []string
	for _, d := range compare(their, our) {
		got = append(got, d.String())
	}
	want := []string{
		"listers/b.go: upstream file / ours absent",
		"informers/extra.txt: upstream absent / ours file",
		"listers/other.go: upstream absent / ours file",
		"example.test/out/listers.Lister.List: upstream interface method (string) (error) / ours interface method (string, bool) (error)",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("differences (-want +got):\n%s", d)
	}
}

func smallTree(t *testing.T, maker string, files map[string]string) *tree {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tr := mustParse(t, maker, dir, "example.test/out")
	check(t, ".", tr)
	return tr
}
