package testing

import (
	"os"
	"testing"
)

// CloseAndRemove closes files and removes them. Those that are nil are skipped.
func CloseAndRemove(t *testing.T, files ...*os.File) {
	t.Helper()
	for _, f := range files {
		if f == nil {
			continue
		}
		if err := f.Close(); err != nil {
			t.Fatalf("Error closing %s: %v", f.Name(), err)
		}
		if err := os.Remove(f.Name()); err != nil {
			t.Fatalf("Error removing %s: %v", f.Name(), err)
		}
	}
}

// MkTmpdir creates a directory for temporary files, which the caller removes.
func MkTmpdir(prefix string) (string, error) { return os.MkdirTemp("", prefix) }

// MkTmpdirOrDie is [MkTmpdir], but panics on errors.
func MkTmpdirOrDie(prefix string) string {
	dir, err := MkTmpdir(prefix)
	if err != nil {
		panic(err)
	}
	return dir
}
