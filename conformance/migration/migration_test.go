package migration

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	clientgo "github.com/listwatch/listwatch/conformance/migration/clientgo"
	listwatch "github.com/listwatch/listwatch/conformance/migration/listwatch"
)

// moves are the import paths that change, by their beginnings.
var moves = strings.NewReplacer(
	`"k8s.io/client-go/tools/`, `"github.com/listwatch/listwatch/runtime/`,
	`"k8s.io/client-go/util/`, `"github.com/listwatch/listwatch/runtime/`,
	`"k8s.io/client-go/`, `"github.com/listwatch/listwatch/runtime/`,
	`"github.com/listwatch/listwatch/golden/client-go/`, `"github.com/listwatch/listwatch/golden/`,
)

// TestCopies holds that the copies differ in import paths only.
func TestCopies(t *testing.T) {
	theirs, ours := sources(t, "clientgo"), sources(t, "listwatch")
	for name, source := range theirs {
		theirs[name] = moved(t, name, source)
	}
	if diff := cmp.Diff(theirs, ours); diff != "" {
		t.Errorf("listwatch is not clientgo with other import paths (-want +got):\n%s", diff)
	}
}

func sources(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %s (%v)", dir, err)
	}
	sources := map[string]string{}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sources[filepath.Base(file)] = string(source)
	}
	return sources
}

// moved returns a source with its import paths changed, and nothing else.
func moved(t *testing.T, name, source string) string {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	last := 0
	for _, spec := range file.Imports {
		from, to := set.Position(spec.Path.Pos()).Offset, set.Position(spec.Path.End()).Offset
		b.WriteString(source[last:from])
		b.WriteString(moves.Replace(source[from:to]))
		last = to
	}
	return b.String() + source[last:]
}

// TestPlay holds that the same happens in both.
func TestPlay(t *testing.T) {
	var theirs, ours []string
	var err error
	synctest.Test(t, func(t *testing.T) {
		if theirs, err = clientgo.Play(); err != nil {
			t.Fatal(err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		if ours, err = listwatch.Play(); err != nil {
			t.Fatal(err)
		}
	})
	if diff := cmp.Diff(theirs, ours); diff != "" {
		t.Errorf("what happens differs (-client-go +listwatch):\n%s", diff)
	}
	if got := strings.Join(ours, "\n"); got != strings.TrimSpace(story) {
		t.Errorf("the story is another (-want +got):\n%s", cmp.Diff(strings.TrimSpace(story), got))
	}
}
