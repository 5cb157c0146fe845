package retries_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/listwatch/listwatch/internal/retries"
)

func TestRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "record")
	t.Setenv(retries.Variable, path)
	retries.Record(t, "upstream", "TestQuick", 0)
	if _, err := os.Stat(path); err == nil {
		t.Error("a test that ran once was recorded")
	}
	retries.Record(t, "upstream", "TestSlow", 2)
	retries.Record(t, "foreign", "pkg/cache", 1)
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := "upstream: TestSlow ran again 2 times\nforeign: pkg/cache ran again 1 times\n"; string(got) != want {
		t.Errorf("record is %q, want %q", got, want)
	}
}

func TestNoRecord(t *testing.T) {
	t.Setenv(retries.Variable, "")
	retries.Record(t, "upstream", "TestSlow", 1) // creates nothing, and does not fail
}
