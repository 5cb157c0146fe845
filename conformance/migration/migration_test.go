package migration

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/conformance/compatibility"
	clientgo "github.com/listwatch/listwatch/conformance/migration/clientgo"
	listwatch "github.com/listwatch/listwatch/conformance/migration/listwatch"
)

// moves are the import paths that change, by what they begin with.
var moves = strings.NewReplacer(
	"k8s.io/client-go/tools/", "github.com/listwatch/listwatch/runtime/",
	"k8s.io/client-go/util/", "github.com/listwatch/listwatch/runtime/",
	"k8s.io/client-go/", "github.com/listwatch/listwatch/runtime/",
	"github.com/listwatch/listwatch/golden/client-go/", "github.com/listwatch/listwatch/golden/",
)

// TestCopies holds that the copies differ in import paths only.
func TestCopies(t *testing.T) {
	theirs, ours := sources(t, "clientgo"), sources(t, "listwatch")
	for name, source := range theirs {
		moved, err := compatibility.ReplaceImports(name, source, moves.Replace)
		if err != nil {
			t.Fatal(err)
		}
		theirs[name] = moved
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
