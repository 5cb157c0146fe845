package goapi_test

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/goapi"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/resolve"
)

// parsed returns a package of one file with these declarations.
func parsed(t *testing.T, importPath, decls string) *load.Package {
	t.Helper()
	name := "/" + importPath + "/a.go"
	var diags diag.List
	loader := load.New(t.Context(), load.Config{
		Dir: "/", Diags: &diags,
		ReadFile: func(file string) ([]byte, error) {
			if file != name {
				return nil, fs.ErrNotExist
			}
			return []byte("package v1\n\nimport \"example.com/other\"\n\n" + decls), nil
		},
		Find: func(p string) (*load.Source, error) {
			if p != importPath {
				return nil, fmt.Errorf("%s: %w", p, load.ErrNotFound)
			}
			return &load.Source{Path: p, Name: "v1", Files: []string{name}}, nil
		},
	})
	p, err := loader.Package(importPath)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// compared returns the changes between two packages, each up to the first semicolon.
func compared(before, after *load.Package) []string {
	c := goapi.Comparison{Before: resolve.New(), After: resolve.New()}
	c.Package(before, after)
	lines := []string{}
	for _, change := range c.Changes {
		text, _, _ := strings.Cut(change.Effect.String()+": "+path.Base(path.Dir(change.Package))+" "+change.Declaration+": "+change.Text, ";")
		if change.Removed {
			text += " (old)"
		}
		if !change.Pos.IsValid() {
			text += " (nowhere)"
		}
		lines = append(lines, text)
	}
	return lines
}

func TestPackage(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		want                []string
	}{
		{name: "nothing", before: "type A struct{ B int }", after: "type A struct{ B int }"},
		{name: "order, comments and new declarations", before: "type A int\ntype B int", after: "// B is new.\ntype B int\ntype A int // here\ntype C int\nfunc D() {}"},
		{name: "unexported", before: "type a struct{ B int }\nvar c int\nfunc d() {}\nfunc (a) E() {}", after: ""},

		{name: "unexported field", before: "type A struct{ b int; C int }", after: "type A struct{ C int }"},

		{name: "removed type", before: "type A int", want: []string{"breaks Go users: x A: type is removed (old)"}},
		{name: "changed type", before: "type A int", after: "type A string", want: []string{"breaks clients, stored objects and Go users: x A: type changed from int to string"}},
		{name: "wider number", before: "type A int32", after: "type A int64", want: []string{"breaks Go users: x A: type changed from int32 to int64"}},
		{name: "struct becomes a map", before: "type A struct{}", after: "type A map[string]string", want: []string{
			"breaks Go users: x A: type changed from a struct to map[string]string"}},
		{name: "interface", before: "type A interface{ B() }", after: "type A interface{ B(); C() }", want: []string{"breaks Go users: x A: type changed, which is an interface"}},
		{name: "generic type", before: "type A[T any] struct{ B T }", after: "type A[T comparable] struct{ B T }", want: []string{"breaks Go users: x A: generic type changed"}},
		{name: "comment in a generic type", before: "type A[T any] struct{ B T }", after: "type A[T any] struct{ /* of\nthis */ B T }"},

		{name: "removed field", before: "type A struct{ B int; C int }", after: "type A struct{ C int }", want: []string{"breaks Go users: x A.B: field is removed (old)"}},
		{name: "removed field of JSON", before: "type A struct{ B int `json:\"b\"` }", after: "type A struct{}", want: []string{
			"breaks clients, stored objects and Go users: x A.B: field is removed (old)"}},
		{name: "removed field, not of JSON", before: "type A struct{ B int `json:\"-\"` }", after: "type A struct{}", want: []string{"breaks Go users: x A.B: field is removed (old)"}},
		{name: "renamed field", before: "type A struct{ B int `json:\"b\"` }", after: "type A struct{ C int `json:\"b\"` }", want: []string{"breaks Go users: x A.B: field is renamed to C"}},
		{name: "type of a field", before: "type A struct{ B []string `json:\"b\"` }", after: "type A struct{ B string `json:\"b\"` }", want: []string{
			"breaks clients, stored objects and Go users: x A.B: type changed from []string to string"}},
		{name: "fraction becomes a whole number", before: "type A struct{ B float64 }", after: "type A struct{ B int32 }", want: []string{
			"breaks clients, stored objects and Go users: x A.B: type changed from float64 to int32"}},
		{name: "pointer", before: "type A struct{ B string }", after: "type A struct{ B *string }", want: []string{"breaks Go users: x A.B: type changed from string to *string"}},
		{name: "bytes are text", before: "type A struct{ B []byte }", after: "type A struct{ B string }", want: []string{"breaks Go users: x A.B: type changed from []byte to string"}},
		{name: "type with JSON of its own", before: "type A struct{ B T }\ntype T int\nfunc (T) MarshalJSON() ([]byte, error) { return nil, nil }",
			after: "type A struct{ B string }\ntype T int\nfunc (T) MarshalJSON() ([]byte, error) { return nil, nil }",
			want:  []string{"breaks Go users: x A.B: type changed from v1.T to string"}},
		{name: "package of a type", before: "type A struct{ B other.T }", after: "type A struct{ B T }\ntype T int", want: []string{"breaks Go users: x A.B: type changed from other.T to v1.T"}},
		{name: "JSON name", before: "type A struct{ B int `json:\"b\"` }", after: "type A struct{ B int `json:\"c\"` }", want: []string{
			`breaks clients and stored objects: x A.B: JSON name changed from "b" to "c"`}},
		{name: "field is not encoded any more", before: "type A struct{ B int }", after: "type A struct{ B int `json:\"-\"` }", want: []string{
			`breaks clients and stored objects: x A.B: JSON name changed from "B" to none`}},
		{name: "options of a tag", before: "type A struct{ B int `json:\"b\"` }", after: "type A struct{ B int `json:\"b,omitempty\"` }"},
		{name: "embedded is inlined", before: "type A struct{ T `json:\",inline\"` }\ntype T struct{}", after: "type A struct{ T }\ntype T struct{}"},

		{name: "removed variable", before: "var A, B int", after: "var B int", want: []string{"breaks Go users: x A: var is removed (old)"}},
		{name: "variable becomes a function", before: "var A func()", after: "func A() {}"},
		{name: "value of a constant", before: `const A = "a"`, after: `const A = "b"`, want: []string{`breaks clients: x A: value changed from "a" to "b"`}},
		{name: "value of a variable", before: `var A = "a"`, after: `var A = "b"`},
		{name: "removed constant", before: "const A = 1", want: []string{"breaks Go users: x A: const is removed (old)"}},

		{name: "removed function", before: "func A() {}", want: []string{"breaks Go users: x A: function is removed (old)"}},
		{name: "names of parameters", before: "func A(b int) {}", after: "func A(c int) {}"},
		{name: "parameters", before: "func A(b, c int) error { return nil }", after: "func A(b int) (int, error) { return 0, nil }", want: []string{
			"breaks Go users: x A: signature changed from func(int, int) (error) to func(int) (int, error)"}},
		{name: "removed method", before: "type A int\nfunc (*A) B() {}", after: "type A int", want: []string{"breaks Go users: x A.B: function is removed (old)"}},
		{name: "method of a removed type", before: "type A int\nfunc (A) B() {}", want: []string{"breaks Go users: x A: type is removed (old)"}},
		{name: "receiver becomes a pointer", before: "type A int\nfunc (A) B() {}", after: "type A int\nfunc (*A) B() {}"},
		{name: "function that is a method elsewhere", before: "func B() {}", after: "type A int\nfunc (A) B() {}", want: []string{"breaks Go users: x B: function is removed (old)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			const at = "example.com/x/v1"
			if d := cmp.Diff(append([]string{}, c.want...), compared(parsed(t, at, c.before), parsed(t, at, c.after))); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestPaths compares a package with none, and with one that has moved.
func TestPaths(t *testing.T) {
	before := parsed(t, "example.com/x/v1", "type A struct{ B *A; C T }\ntype T int")
	if d := cmp.Diff([]string{"breaks Go users: x : package is removed (old)"}, compared(before, nil)); d != "" {
		t.Error(d)
	}
	after := parsed(t, "example.com/y/v1", "type A struct{ B *A; C T }\ntype T int")
	if d := cmp.Diff([]string{"breaks Go users: x : import path changed to example.com/y/v1"}, compared(before, after)); d != "" {
		t.Error(d)
	}
}
