package deepcopy_test

import (
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/listwatch/listwatch/conformance/internal/normal"
)

// functions returns the text below the imports of a Go file, with import paths in place of the names
// of imports.
func functions(t *testing.T, text []byte) string {
	t.Helper()
	body, err := normal.Functions(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return body
}

// same reports how the functions of two files differ.
func same(t *testing.T, name string, want, got []byte) {
	t.Helper()
	if d := diff.Diff("want "+name, []byte(functions(t, want)), "got "+name, []byte(functions(t, got))); d != nil {
		t.Errorf("%s", d)
	}
}

// meaning returns what the functions of a file do.
func meaning(t *testing.T, text []byte) string {
	t.Helper()
	body, err := normal.Copies(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return body
}
