package crds_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// planted is a bug in the generator: in a file below generators/internal, a snippet that occurs once is
// replaced.
type planted struct {
	name, file, snippet, replacement string
}

var seeds = []planted{
	{"maximum is minimum", "schema/apply.go", "number(&s.Maximum)", "number(&s.Minimum)"},
	{"an exclusive bound is not", "schema/apply.go", "s.ExclusiveMaximum = yes", "s.ExclusiveMaximum = false"},
	{"the pattern of items is the list's", "schema/apply.go", "r.applyOne(s.Items, m, d)", "r.applyOne(s, m, d)"},
	{"optional does not count", "schema/struct.go", `case p.marked("optional", "k8s:optional") != nil:`, `case p.marked("k8s:optional") != nil:`},
	{"omitzero does not count", "schema/struct.go", `|| slices.Contains(options[1:], "omitzero")`, ``},
	{"the package's default is not optional", "schema/struct.go", "&& !r.packageOf(p.File.Package).optional", ""},
	{"an immutable field can be removed", "schema/struct.go", "if !slices.Contains(s.Required, name) {", "if slices.Contains(s.Required, name) {"},
	{"an empty object is not an empty list", "schema/apply.go", "s.Default = []any{}", "_ = object"},
	{"keys of lists are repeated", "schema/apply.go", "!slices.Contains(s.ListMapKeys, key)", "key != \"\""},
	{"a required text may be empty", "schema/apply.go", "s.MinLength = &one", "_ = one"},
	{"rules lose their reason", "schema/apply.go", `Reason: m.Argument("reason"), `, ``},
	{"one of them becomes all of them", "schema/apply.go", `strings.Join(terms, "+") + " == 1"`, `strings.Join(terms, "+") + " >= 1"`},
	{"values of enums are not sorted", "schema/check.go", "return strings.Compare(encoded(a), encoded(b))", "return strings.Compare(encoded(b), encoded(a))"},
	{"bytes are a list", "schema/type.go", `s.Type, s.Format = "string", "byte"`, `s.Type, s.Items = "array", r.use(t.Elem(), at)`},
	{"int64 has no format", "schema/type.go", `s.Type, s.Format = "integer", "int64"`, `s.Type = "integer"`},
	{"MarshalText is ignored", "schema/type.go", `case r.implements(d.typ, "MarshalText"):`, `case r.implements(d.typ, "MarshalTexts"):`},
	{"aliases have no markers", "schema/type.go", "	return t.Alias()\n", "	return nil\n"},
	{"a field's description is the type's", "schema/flatten.go", `if use.Description != "" {`, `if base.Description == "" {`},
	{"the type's type of list wins", "schema/flatten.go", "first(src.ListType, dst.ListType), first(", "first(dst.ListType, src.ListType), first("},
	{"bounds of type and field are one", "schema/flatten.go", "	*a, *b, *dst = *dst, src, nil\n	return true\n}\n\n// count", "	*dst = src\n	return false\n}\n\n// count"},
	{"required fields of embedded structs are lost", "schema/flatten.go", "slices.Concat(dst.Required, src.Required)", "slices.Concat(dst.Required)"},
	{"what follows dashes is described", "schema/comment.go", `if !fenced && strings.HasPrefix(text, "---") {`, `if !fenced && strings.HasPrefix(text, "-----") {`},
	{"the comment above has no markers", "schema/comment.go", "return []*ast.CommentGroup{above(t.File, before, start), doc}, doc", "return []*ast.CommentGroup{above(t.File, max(before, start), start), doc}, doc"},
	{"one version is stored, whichever", "schema/definition.go", "if len(crd.Versions) == 1 {", "if len(crd.Versions) >= 1 {"},
	{"skipped packages have kinds", "schema/kind.go", "if pkg.skip {", "if pkg.skip && pkg.optional {"},
	{"plurals have no irregular ones", "schema/plural.go", "if many, ok := in.words[strings.ToLower(word)]; ok {", "if many, ok := in.words[word+\"?\"]; ok {"},
	{"a whole number is a fraction", "kubemarker/table.go", `validation + "MultipleOf", Places: both, Kind: Number`, `validation + "MultipleOf", Places: both, Kind: Int`},
	{"a semicolon is part of a text", "kubemarker/value.go", "c == ',' || c == ';' || c == '}' || c == scanner.EOF || key", "c == ',' || c == '}' || c == scanner.EOF || key"},
	{"numbers have no sign", "kubemarker/value.go", `sign = "-"`, `sign = ""`},
	{"a comment is part of a number", "kubemarker/value.go", `text, _, _ = strings.Cut(text, "#")`, `_, _, _ = strings.Cut(text, "#")`},
	{"an empty object is a list", "kubemarker/value.go", `r.scan.Scan() == ':' || c == '}'`, `r.scan.Scan() == ':' && c != '}'`},
	{"times are any text", "schema/known.go", `"Time":       {Type: "string", Format: "date-time"}`, `"Time":       {Type: "string"}`},
	{"quantities have no pattern", "schema/known.go", "AnyOf: intOrString, Pattern: quantity", "AnyOf: intOrString"},
	{"columns have no priority", "schema/definition.go", `JSONPath: m.Argument("JSONPath"), Priority: priority`, `JSONPath: m.Argument("JSONPath"), Priority: 0 * priority`},
	{"all versions are served", "schema/definition.go", "		v.Served = false\n", "		v.Served = v.Served || v.Storage\n"},
	{"lines with TODO are described", "schema/comment.go", `if fenced || !strings.HasPrefix(text, "TODO") {`, `if fenced || !strings.HasPrefix(text, "TODO:") {`},
	{"nothing is nullable", "schema/apply.go", "		s.Nullable = true\n", "		s.Nullable = false\n"},
}

// plant returns the path of the file and its text with the bug.
func (s planted) plant(t *testing.T) (path, text string) {
	t.Helper()
	path = filepath.Join(root(t), "generators", "internal", filepath.FromSlash(s.file))
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), s.snippet); n != 1 {
		t.Fatalf("the snippet is %d times in %s", n, s.file)
	}
	return path, strings.Replace(string(source), s.snippet, s.replacement, 1)
}

// TestSeedsFit checks that the bugs can be seeded in the current code. Whether they are found, the tests
// with the build tag seeded check.
func TestSeedsFit(t *testing.T) {
	for _, s := range seeds {
		t.Run(strings.ReplaceAll(s.name, " ", "_"), func(t *testing.T) { s.plant(t) })
	}
}
