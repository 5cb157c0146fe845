package source_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/internal/source"
)

// write creates a tree of files: each name is followed by its content.
func write(t *testing.T, namesAndContents ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(namesAndContents); i += 2 {
		file := filepath.Join(dir, namesAndContents[i])
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(namesAndContents[i+1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func parse(t *testing.T, namesAndContents ...string) *source.Tree {
	t.Helper()
	tree, err := source.Parse(write(t, namesAndContents...), "example.test/out")
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestCheck(t *testing.T) {
	tree := parse(t,
		"a/a.go", `package a; import "example.test/out/b"; import "io"; type T struct { b.B; R io.Reader }`,
		"b/b.go", `package b; type B int`,
		"b/b_test.go", `package b; syntax error`,
		"notes.txt", `not Go`,
	)
	if d := cmp.Diff([]string{"io"}, tree.Imports()); d != "" {
		t.Errorf("imports (-want +got):\n%s", d)
	}
	outside, err := source.Outside(".", tree.Imports())
	if err != nil {
		t.Fatal(err)
	}
	pkgs, err := tree.Check(outside)
	if err != nil {
		t.Fatal(err)
	}
	got := pkgs["example.test/out/a"].Scope().Lookup("T").Type().Underlying().String()
	if want := "struct{example.test/out/b.B; R io.Reader}"; got != want {
		t.Errorf("T is %s, want %s", got, want)
	}
}

// A package of the tree takes precedence over one with the same import path elsewhere.
func TestCheckPrefersTheTree(t *testing.T) {
	dir := write(t, "a/a.go", `package a; import "io"; var V io.Ours`, "io/io.go", `package io; type Ours int`)
	tree, err := source.Parse(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Check(nil); err != nil {
		t.Error(err)
	}
}

func TestCheckReports(t *testing.T) {
	for _, tt := range []struct{ name, a, b, want string }{
		{"unused import", `package a; import "example.test/out/b"`, `package b`, `"example.test/out/b" imported and not used`},
		{"error in a body", `package a; func F() int { return "" }`, `package b`, `cannot use ""`},
		{"unknown package", `package a; import "io"; var _ io.Reader`, `package b`, "package io is neither in the tree nor loaded"},
		{"cycle", `package a; import _ "example.test/out/b"`, `package b; import _ "example.test/out/a"`, "imports itself"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parse(t, "a/a.go", tt.a, "b/b.go", tt.b).Check(nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error is %v, want %q", err, tt.want)
			}
		})
	}
}

func TestParseReportsSyntax(t *testing.T) {
	_, err := source.Parse(write(t, "a/a.go", "package a; func"), "example.test/out")
	if err == nil || !strings.Contains(err.Error(), "a.go:1:16") {
		t.Errorf("error is %v, want a position", err)
	}
}

func TestOutsideReportsMissingPackages(t *testing.T) {
	if _, err := source.Outside(".", []string{"example.test/nothing"}); err == nil {
		t.Error("a package that does not exist was loaded")
	}
}
