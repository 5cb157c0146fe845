package goapi_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/conformance/generators/identity/goapi"
)

// The comparison must detect each of these edits, and nothing else.
func TestDiffSees(t *testing.T) {
	for _, tt := range []struct {
		name string
		a, b string
		want []string
	}{
		{"removed function", "func F() {}", "", []string{"F: a func() / b absent"}},
		{"added variable", "", "var V int", []string{"V: a absent / b var int"}},
		{"parameter type", "func F(int) {}", "func F(string) {}",
			[]string{"F: a func(int) / b func(string)"}},
		{"parameter count", "func F(int) {}", "func F(int, int) {}",
			[]string{"F: a func(int) / b func(int, int)"}},
		{"result type", "func F() error { return nil }", "func F() {}",
			[]string{"F: a func() (error) / b func()"}},
		{"variadic", "func F(...int) {}", "func F([]int) {}",
			[]string{"F: a func(...int) / b func([]int)"}},
		{"type parameter list", "func F[T any](T) {}", "func F[T any, U any](T) {}",
			[]string{"F: a func[any]($0) / b func[any, any]($0)"}},
		{"type parameter constraint", "func F[T any](T) {}", "func F[T ~int | ~string](T) {}",
			[]string{"F: a func[any]($0) / b func[interface{~int|~string}]($0)"}},
		{"type parameters swapped", "func F[T, U any](T, U) {}", "func F[T, U any](U, T) {}",
			[]string{"F: a func[any, any]($0, $1) / b func[any, any]($1, $0)"}},
		{"constant value", "const C = 1", "const C = 2",
			[]string{"C: a const untyped int = 1 / b const untyped int = 2"}},
		{"constant type", "const C = 1", "const C int = 1",
			[]string{"C: a const untyped int = 1 / b const int = 1"}},
		{"variable type", "var V []int", "var V [1]int", []string{"V: a var []int / b var [1]int"}},
		{"constant becomes variable", "const C int = 1", "var C int",
			[]string{"C: a const int = 1 / b var int"}},
		{"channel direction", "var V <-chan int", "var V chan<- int",
			[]string{"V: a var <-chan (int) / b var chan<- (int)"}},

		{"field type", "type T struct{ F int }", "type T struct{ F string }",
			[]string{"T.F: a field int / b field string"}},
		{"field removed", "type T struct{ F, G int }", "type T struct{ F int }", []string{
			"T: a type struct{F; G}, comparable / b type struct{F}, comparable",
			"T.G: a field int / b absent"}},
		{"field order", "type T struct{ F, G int }", "type T struct{ G, F int }",
			[]string{"T: a type struct{F; G}, comparable / b type struct{G; F}, comparable"}},
		{"field tag", "type T struct{ F int `json:\"f\"` }", "type T struct{ F int }",
			[]string{"T.F: a field int `json:\"f\"` / b field int"}},
		{"embedded becomes field", "type T struct{ E }; type E struct{}", "type T struct{ E E }; type E struct{}",
			[]string{"T.E: a embedded field p.E / b field p.E"}},
		{"embedded type", "type T struct{ dep.Name }", "type T struct{ dep.Other }", []string{
			"T: a type struct{Name}, comparable / b type struct{Other}, comparable",
			"T.Name: a embedded field dep.Name / b absent",
			"T.Other: a absent / b embedded field dep.Other"}},
		{"embedded unexported struct's field", "type T struct{ e }; type e struct{ F int }",
			"type T struct{ e }; type e struct{ F string }",
			[]string{"T.F: a promoted field int / b promoted field string"}},
		{"struct no longer comparable", "type T struct{ f int }", "type T struct{ f []int }",
			[]string{"T: a type struct{} with unexported fields, comparable / b type struct{} with unexported fields"}},

		{"method removed", "type T struct{}; func (T) M() {}", "type T struct{}",
			[]string{"T.M: a method (T) () / b absent"}},
		{"method receiver", "type T struct{}; func (T) M() {}", "type T struct{}; func (*T) M() {}",
			[]string{"T.M: a method (T) () / b method (*T) ()"}},
		{"method signature", "type T int; func (T) M(int) {}", "type T int; func (T) M(any) {}",
			[]string{"T.M: a method (T) (int) / b method (T) (any)"}},
		{"promoted method", "type T struct{ e }; type e struct{}; func (e) M() {}", "type T struct{ e }; type e struct{}",
			[]string{"T.M: a method (T) () / b absent"}},
		{"method of an unexported result", "func F() *t { return nil }; type t struct{}; func (*t) M() {}",
			"func F() *t { return nil }; type t struct{}",
			[]string{"t.M: a method (*T) () / b absent"}},

		{"interface method added", "type I interface{ M() }", "type I interface{ M(); N() }",
			[]string{"I.N: a absent / b interface method ()"}},
		{"interface method signature", "type I interface{ M() }", "type I interface{ M() error }",
			[]string{"I.M: a interface method () / b interface method () (error)"}},
		{"interface sealed", "type I interface{ M() }", "type I interface{ M(); m() }",
			[]string{"I: a type interface{} / b type interface{} with unexported methods"}},
		{"interface embeds", "type I interface{ J }; type J interface{}", "type I interface{}; type J interface{}",
			[]string{"I: a type interface{p.J} / b type interface{}"}},

		{"alias becomes defined type", "type T = dep.Name", "type T dep.Name", []string{
			"T: a alias = dep.Name / b type struct{}, comparable"}},
		{"alias target", "type T = int", "type T = string", []string{"T: a alias = int / b alias = string"}},
		{"underlying type", "type T []int", "type T map[string]int",
			[]string{"T: a type []int / b type map[string]int"}},
		{"generic type's constraint", "type T[K comparable] struct{}", "type T[K any] struct{}",
			[]string{"T: a type[comparable] struct{}, comparable / b type[any] struct{}, comparable"}},
		{"type argument", "var V G[int]; type G[T any] struct{}", "var V G[string]; type G[T any] struct{}",
			[]string{"V: a var p.G[int] / b var p.G[string]"}},
		{"same name, other package", "var V dep.Name", "var V Name; type Name struct{}", []string{
			"Name: a absent / b type struct{}, comparable",
			"V: a var dep.Name / b var p.Name"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			diffs := goapi.Diff(side(t, "a", tt.a), side(t, "b", tt.b))
			if d := cmp.Diff(tt.want, lines(diffs)); d != "" {
				t.Errorf("differences (-want +got):\n%s", d)
			}
		})
	}
}

// The comparison must ignore each of these edits, which no user can observe.
func TestDiffIgnores(t *testing.T) {
	for _, tt := range []struct{ name, a, b string }{
		{"unexported function", "func f() {}", ""},
		{"unexported type", "type t struct{ F int }", "type t struct{ F string }"},
		{"unexported field", "type T struct{ f int }", "type T struct{ g string }"},
		{"unexported method", "type T struct{}; func (T) m() {}", "type T struct{}"},
		{"function body", "func F() int { return 1 }", "func F() int { return 2 }"},
		{"variable's value", "var V = 1", "var V = 2"},
		{"parameter names", "func F(a, b int) {}", "func F(int, int) {}"},
		{"type parameter names", "func F[T any](T) {}", "func F[E any](E) {}"},
		{"any", "func F(any) {}", "func F(interface{}) {}"},
		{"alias in use", "func F(dep.Same) {}", "func F(dep.Name) {}"},
		{"order", "func F() {}; func G() {}", "func G() {}; func F() {}"},
		{"order in an interface", "type I interface{ M(); N() }", "type I interface{ N(); M() }"},
		{"grouping", "var ( V int; W int )", "var V, W int"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diffs := goapi.Diff(side(t, "a", tt.a), side(t, "b", tt.b)); len(diffs) > 0 {
				t.Errorf("differences:\n%s", strings.Join(lines(diffs), "\n"))
			}
		})
	}
}

func TestDiffPackages(t *testing.T) {
	a := goapi.Side{Name: "a", Packages: map[string]goapi.API{
		"x": {"package": "x", "F": "func()"},
		"y": {"package": "y"},
	}}
	b := goapi.Side{Name: "b", Packages: map[string]goapi.API{
		"y": {"package": "why"},
		"z": {"package": "z", "F": "func()"},
	}}
	want := []string{
		"x.package: a x / b absent",
		"y.package: a y / b why",
		"z.package: a absent / b z",
	}
	if d := cmp.Diff(want, lines(goapi.Diff(a, b))); d != "" {
		t.Errorf("differences (-want +got):\n%s", d)
	}
}

// lines returns the differences without the name of the tested package.
func lines(diffs []goapi.Difference) []string {
	var all []string
	for _, d := range diffs {
		all = append(all, strings.TrimPrefix(d.String(), "p."))
	}
	return all
}

// side describes a package p with the given declarations; they can refer to a
// package dep.
func side(t *testing.T, name, decls string) goapi.Side {
	t.Helper()
	dep := check(t, "dep", "type Name struct{}; type Same = Name; type Other struct{}", nil)
	if strings.Contains(decls, "dep.") {
		decls = "import \"dep\"; " + decls
	}
	p := check(t, "p", decls, dep)
	return goapi.Side{Name: name, Packages: map[string]goapi.API{"p": goapi.Of(p)}}
}

func check(t *testing.T, path, decls string, dep *types.Package) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path+".go", "package "+path+"; "+decls, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: only{dep}}
	pkg, err := conf.Check(path, fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// only imports one package, whatever the requested path is.
type only struct{ pkg *types.Package }

func (o only) Import(string) (*types.Package, error) { return o.pkg, nil }
