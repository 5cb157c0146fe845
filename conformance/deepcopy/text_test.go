package deepcopy_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
)

// functions returns the text below the imports of a Go file, with import paths in place of the names
// of imports.
func functions(t *testing.T, text []byte) string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.ImportsOnly)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	end := file.Name.End()
	for _, decl := range file.Decls {
		end = decl.End()
	}
	body := string(text[fset.Position(end).Offset:])
	paths := map[string]string{} // by name
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		paths[name] = path
	}
	body = qualified.ReplaceAllStringFunc(body, func(match string) string {
		name := match[1 : len(match)-2]
		if path, ok := paths[name]; ok {
			return match[:1] + path + match[len(match)-2:]
		}
		return match
	})
	return strings.TrimSpace(body) + "\n"
}

// qualified matches the name of a package before an exported name.
var qualified = regexp.MustCompile(`[^.\w]\w+\.[A-Z]`)

// same reports how the functions of two files differ.
func same(t *testing.T, name string, want, got []byte) {
	t.Helper()
	if d := diff.Diff("want "+name, []byte(functions(t, want)), "got "+name, []byte(functions(t, got))); d != nil {
		t.Errorf("%s", d)
	}
}

// meaning returns what the functions do: it drops in which of several equal ways controller-gen and
// deepcopy-gen write it. Each of the patterns below is one of them.
func meaning(t *testing.T, text []byte) string {
	t.Helper()
	body := functions(t, text)
	for _, c := range []struct{ pattern, replacement string }{
		{`(?m)^\t+return\n`, ""},                   // at the ends of functions without results
		{`(?m)^\t+inVal := \(\*in\)\[key\]\n`, ""}, // the variable val has the same value
		{`&inVal\b`, "&val"},
		// Types that are named, by an alias, or by their underlying type: each must fit *out.
		{`(?m)(\*out = make\().*(, len\(\*in\)\))`, "${1}_${2}"},
		{`(= new\(|var outVal ).*`, "${1}_"},
	} {
		body = regexp.MustCompile(c.pattern).ReplaceAllString(body, c.replacement)
	}
	return body
}

func TestFunctions(t *testing.T) {
	const file = `package p

import (
	v1 "a/v1"
	"b/c"
)

// F returns a new v1.T or c.U.
func F(in *v1.T) *c.U { return in.v1.T(c.V, abc.V, %s) }
`
	got := functions(t, fmt.Appendf(nil, file, "c.x"))
	want := "// F returns a new a/v1.T or b/c.U.\nfunc F(in *a/v1.T) *b/c.U { return in.v1.T(b/c.V, abc.V, c.x) }\n"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
