package emit

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/model"
)

// fromInput contains the reserved names of packages whose paths depend on the input.
var fromInput = []string{"clientset", "internalinterfaces", "scheme"}

// TestReserved checks that package model reserves every name that templates import, and no others.
func TestReserved(t *testing.T) {
	known := slices.Clone(fromInput)
	for _, f := range Flavours {
		for _, p := range f.imports() {
			known = append(known, p.alias)
		}
	}
	slices.Sort(known)
	if d := cmp.Diff(slices.Sorted(slices.Values(model.Reserved())), slices.Compact(known)); d != "" {
		t.Error(d)
	}
}

// TestFlavours checks that each flavour has one path for each name, and one name for each path.
func TestFlavours(t *testing.T) {
	if !slices.Equal(Flavours, []Flavour{Listwatch, ClientGo}) {
		t.Errorf("flavours: %v", Flavours)
	}
	for _, f := range Flavours {
		if !f.Valid() {
			t.Errorf("%s is not valid", f)
		}
		paths, aliases := map[string]string{}, map[string]string{}
		for _, p := range f.imports() {
			if other := aliases[p.path]; other != "" && other != p.alias {
				t.Errorf("%s: %s is called %s and %s", f, p.path, other, p.alias)
			}
			if other := paths[p.alias]; other != "" && other != p.path {
				t.Errorf("%s: %s is %s and %s", f, p.alias, other, p.path)
			}
			aliases[p.path], paths[p.alias] = p.alias, p.path
		}
	}
	for _, f := range []Flavour{"", "go-client", "Listwatch"} {
		if f.Valid() {
			t.Errorf("%q is valid", f)
		}
	}
}

func TestImports(t *testing.T) {
	for _, c := range []struct {
		flavour    Flavour
		name, path string
	}{
		{Listwatch, "cache", "github.com/listwatch/listwatch/runtime/cache"},
		{ClientGo, "cache", "k8s.io/client-go/tools/cache"},
		{Listwatch, "fakediscovery", "github.com/listwatch/listwatch/runtime/discovery/fake"},
		{ClientGo, "fakediscovery", "k8s.io/client-go/discovery/fake"},
		{Listwatch, "http", "net/http"},
		{ClientGo, "http", "net/http"},
	} {
		if got := c.flavour.imports()[c.name].path; got != c.path {
			t.Errorf("%s in %s: got %s, want %s", c.name, c.flavour, got, c.path)
		}
	}
}

func TestPieces(t *testing.T) {
	a, b := mark("x/a", "a")+".A", mark("x/b", "bb")+".B"
	for _, c := range []struct {
		name string
		give string
		want []piece
	}{
		{name: "nothing"},
		{name: "text", give: "var x\n", want: []piece{{raw: "var x\n"}}},
		{name: "name", give: a, want: []piece{{path: "x/a", alias: "a", name: "A"}}},
		{name: "name between text", give: "*" + a + ")", want: []piece{{raw: "*"}, {path: "x/a", alias: "a", name: "A"}, {raw: ")"}}},
		{name: "names side by side", give: a + b, want: []piece{{path: "x/a", alias: "a", name: "A"}, {path: "x/b", alias: "bb", name: "B"}}},
		{name: "selector of a name", give: a + ".F", want: []piece{{path: "x/a", alias: "a", name: "A"}, {raw: ".F"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := pieces(c.give)
			if d := cmp.Diff(c.want, got, cmp.AllowUnexported(piece{})); d != "" || err != nil {
				t.Error(d, err)
			}
		})
	}
	for _, after := range []string{"", "A", ".", ". A", ".(A)"} {
		if got, err := pieces(mark("x/a", "a") + after); err == nil {
			t.Errorf("a package followed by %q: got %v, want an error", after, got)
		}
	}
}

// FuzzPieces joins arbitrary text and arbitrary names: each piece is returned unchanged.
func FuzzPieces(f *testing.F) {
	f.Add("var x ", "context", "context", "Context", "\n")
	f.Add("", "k8s.io/apimachinery/pkg/apis/meta/v1", "metav1", "ListOptions", "")
	f.Add("\x00\u00ff\xff", "", "", "A", "\x04")
	f.Fuzz(func(t *testing.T, before, path, alias, name, after string) {
		for _, part := range []*string{&before, &path, &alias, &after} {
			*part = strings.NewReplacer(open, "", sep, "", shut, "").Replace(*part)
		}
		if identifier.FindString("."+name+after) != "."+name {
			t.Skip("not a name, or one that continues in the next text")
		}
		var want []piece
		if before != "" {
			want = append(want, piece{raw: before})
		}
		want = append(want, piece{path: path, alias: alias, name: name})
		if after != "" {
			want = append(want, piece{raw: after})
		}
		got, err := pieces(before + mark(path, alias) + "." + name + after)
		if d := cmp.Diff(want, got, cmp.AllowUnexported(piece{})); d != "" || err != nil {
			t.Error(d, err)
		}
	})
}

// TestTypeText prints types in a template, with the imports that they need.
func TestTypeText(t *testing.T) {
	named := func(path, alias, name string) *model.Type {
		return &model.Type{Ref: model.TypeRef{Package: model.Package{Path: path, Alias: alias}, Name: name}}
	}
	shoe, text := named("example.com/shop/v1", "shopv1", "Shoe"), named("", "", "string")
	p, err := NewPrinter(fstest.MapFS{"types.go.tmpl": {Data: []byte("var (\n{{range $i, $t := .}}\tx{{$i}} {{type $t}}\n{{end}})\n")}}, Listwatch, "", "gen-test")
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Print(File{Path: "a.go", PackagePath: "example.com/own", PackageName: "own", Template: "types.go.tmpl", Data: []*model.Type{
		shoe, text, named("example.com/own", "own", "Own"),
		{Form: model.Pointer, Elem: shoe},
		{Form: model.Map, Key: text, Elem: &model.Type{Form: model.Slice, Elem: named("example.com/box", "box", "Lid")}},
		{Form: model.Verbatim, Parts: []model.TypePart{{Type: shoe}, {Text: "["}, {Type: text}, {Text: "]"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := `// Code generated by gen-test. DO NOT EDIT.

package own

import (
	"example.com/box"
	shopv1 "example.com/shop/v1"
)

var (
	x0 shopv1.Shoe
	x1 string
	x2 Own
	x3 *shopv1.Shoe
	x4 map[string][]box.Lid
	x5 shopv1.Shoe[string]
)
`
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Error(d)
	}
}
