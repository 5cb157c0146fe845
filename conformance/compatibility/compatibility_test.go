package compatibility_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/listwatch/listwatch/conformance/compatibility"
	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/internal/migration"
)

// result is the comparison of the two sides as they are.
type result struct {
	comparisons []compatibility.Comparison
	version     string
	err         error
}

var compared = sync.OnceValue(func() result {
	dir, err := os.Getwd()
	if err != nil {
		return result{err: err}
	}
	apis, version, err := compatibility.Load(dir, migration.Pairs)
	if err != nil {
		return result{err: err}
	}
	return result{compatibility.Compare(migration.Pairs, apis), version, nil}
})

func compare(t *testing.T) result {
	t.Helper()
	r := compared()
	if r.err != nil {
		t.Fatal(r.err)
	}
	return r
}

func TestDecisions(t *testing.T) {
	r := compare(t)
	_, complaints := compatibility.Judge(r.comparisons, migration.Decisions, compatibility.InUse())
	for _, complaint := range complaints {
		t.Error(complaint)
	}
}

// A difference here is one of what users were promised.
func TestKept(t *testing.T) {
	golden.File(t, filepath.Join("testdata", "kept.txt"), compatibility.Kept(compare(t).comparisons))
}

func TestDocument(t *testing.T) {
	r := compare(t)
	judged, _ := compatibility.Judge(r.comparisons, migration.Decisions, compatibility.InUse())
	text, err := compatibility.Document(judged, r.version)
	if err != nil {
		t.Fatal(err)
	}
	golden.File(t, filepath.Join(golden.Root(t), "docs", "compatibility.md"), text)
}

// What the document tells users to do with their imports does it.
func TestMigrationCommand(t *testing.T) {
	document := read(t, filepath.Join(golden.Root(t), "docs", "compatibility.md"))
	_, rest, _ := strings.Cut(document, "```sh\n")
	script, _, _ := strings.Cut(rest, "go get")
	var before, after strings.Builder
	for _, c := range compare(t).comparisons {
		before.WriteString("import x \"k8s.io/client-go/" + c.Theirs + "\"\n")
		after.WriteString("import x \"github.com/listwatch/listwatch/" + c.Ours[0] + "\"\n")
	}
	for _, other := range []string{
		"import \"k8s.io/client-go/kubernetes\"\n",
		"import \"k8s.io/client-go/restmapper\"\n",
		"import \"k8s.io/client-go/util/homedir\"\n",
	} {
		before.WriteString(other)
		after.WriteString(other)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "below", "main.go")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("package main\n\n"+before.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", script)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := read(t, file)
	if want := "package main\n\n" + after.String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "below", "*.orig")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
