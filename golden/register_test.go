package golden_test

import (
	"path/filepath"
	"testing"

	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/internal/golden"
)

// TestRegister compares the registrations in the cases with those that gen-register generates: the
// cases contain its expected output, because clients need it.
func TestRegister(t *testing.T) {
	report, err := generators.Register(t.Context(), generators.RegisterOptions{Options: generators.Options{
		Dir: golden.Root(t), Patterns: []string{"./" + filepath.Join("testdata", "apis") + "/..."}, Mode: generators.Verify,
	}})
	if err != nil {
		t.Errorf("%v\n%s", err, report.Diff)
	}
	for _, w := range report.Warnings {
		t.Error(w)
	}
	if report.Unchanged < 50 {
		t.Errorf("only %d registrations", report.Unchanged)
	}
}
