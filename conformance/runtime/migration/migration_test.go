package migration

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	clientgo "github.com/listwatch/listwatch/conformance/runtime/migration/clientgo"
	listwatch "github.com/listwatch/listwatch/conformance/runtime/migration/listwatch"
	"github.com/listwatch/listwatch/internal/migration"
)

// TestCopies holds that listwatch is what listwatch-migrate makes of clientgo, with clients
// that were generated again.
func TestCopies(t *testing.T) {
	theirs, ours := sources(t, "clientgo"), sources(t, "listwatch")
	for name, source := range theirs {
		moved, err := migration.Rewrite(name, []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		for _, finding := range moved.Findings {
			if !finding.Note {
				t.Error(finding)
			}
		}
		theirs[name] = strings.ReplaceAll(string(moved.Text),
			"github.com/listwatch/listwatch/golden/client-go/", "github.com/listwatch/listwatch/golden/")
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
