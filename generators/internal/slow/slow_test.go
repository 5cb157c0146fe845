package slow_test

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/resolve"
	"github.com/listwatch/listwatch/generators/internal/slow"
	"github.com/listwatch/listwatch/generators/internal/slow/testdata/odd"
	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/runtime/codec"
)

// read returns the package with the odd types.
func read(t *testing.T) *load.Package {
	t.Helper()
	t.Setenv("GOWORK", "off")
	var diags diag.List
	loader := load.New(context.Background(), load.Config{Dir: golden.Root(t), Diags: &diags, Ahead: resolve.WellKnown})
	found, err := loader.Load("./generators/internal/slow/testdata/odd")
	if err != nil {
		t.Fatal(err)
	}
	return found[0]
}

// TestExplain compares with what codec.Explain returns for the compiled types.
func TestExplain(t *testing.T) {
	p, resolver := read(t), resolve.New()
	compared := 0
	for _, typ := range []reflect.Type{
		reflect.TypeFor[odd.Odd](), reflect.TypeFor[odd.Wide](), reflect.TypeFor[odd.Itself](), reflect.TypeFor[odd.Text](),
		reflect.TypeFor[odd.Menu](), reflect.TypeFor[odd.Base](), reflect.TypeFor[odd.Chain](), reflect.TypeFor[odd.Loop](), reflect.TypeFor[odd.Pointed](),
		reflect.TypeFor[odd.Twice](), reflect.TypeFor[odd.Phase](),
	} {
		t.Run(typ.Name(), func(t *testing.T) {
			var want, got []string
			for _, f := range codec.Explain(typ) {
				want = append(want, f.Path+": "+f.Reason)
			}
			for _, f := range slow.Explain(resolver.Decl(p.Lookup(typ.Name())), nil) {
				got = append(got, f.Path+": "+f.Why)
			}
			slices.Sort(want)
			slices.Sort(got)
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			compared += len(want)
		})
	}
	if compared < 50 {
		t.Errorf("only %d fields were compared", compared)
	}
}

// TestCheck compares the warnings about the odd types with testdata/warnings.txt.
func TestCheck(t *testing.T) {
	p, resolver := read(t), resolve.New()
	diags := diag.List{Strict: true}
	for _, name := range []string{"Odd", "Wide"} {
		slow.Check([]*load.Type{p.Lookup(name)}, []*load.Package{p}, resolver, &diags)
	}
	if err := diags.Err(""); err != nil {
		t.Errorf("errors: %v", err)
	}
	var b strings.Builder
	for _, d := range diags.Warnings(p.Dir) {
		fmt.Fprintln(&b, d)
	}
	golden.File(t, filepath.Join("testdata", "warnings.txt"), b.String())
}

// TestForeign checks that no fields of other packages are reported.
func TestForeign(t *testing.T) {
	p, resolver := read(t), resolve.New()
	var diags diag.List
	slow.Check([]*load.Type{p.Lookup("Odd")}, nil, resolver, &diags)
	if found := diags.Warnings(""); len(found) > 0 {
		t.Errorf("warnings: %v", found)
	}
}

func TestCount(t *testing.T) {
	p, resolver := read(t), resolve.New()
	var types []*resolve.Type
	for _, name := range []string{"Menu", "Ambiguous", "Menu"} {
		types = append(types, resolver.Decl(p.Lookup(name)))
	}
	if got := slow.Count(types); got != 9 {
		t.Errorf("got %d fields, want 5 of Menu, 1 of Ambiguous, and 3 of the structs that it embeds", got)
	}
}
