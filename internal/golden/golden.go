// Package golden contains what tests that compare output with files share. With the environment
// variable LISTWATCH_UPDATE=1 they write the files instead; "make generate" runs those of the
// repository's own files so.
package golden

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
)

// Update reports that expected output must be written, not compared.
var Update = os.Getenv("LISTWATCH_UPDATE") != ""

// Root returns the root of the repository, relative to the current directory.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "testdata", "apis")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("not below the root of the repository")
		}
		dir = filepath.Dir(dir)
	}
}

// File compares text with a file, or writes it to the file with [Update].
func File(t testing.TB, name, text string) {
	t.Helper()
	if Update {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if d := diff.Diff(name, want, "got", []byte(text)); d != nil {
		t.Errorf("not as in the file; run \"LISTWATCH_UPDATE=1 go test\" in the package if it should be:\n%s", d)
	}
}
