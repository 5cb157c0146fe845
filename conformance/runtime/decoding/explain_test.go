package decoding_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/conformance/runtime/decoding"
	"github.com/listwatch/listwatch/internal/golden"
	"github.com/listwatch/listwatch/runtime/codec"
)

// explained are the kinds of some packages.
type explained struct {
	kinds, fast int
	fields      map[string]bool // of all structs, by type and name
	slow        map[string]bool
}

// add counts the fields of a type, and of the types that these have.
func (e *explained) add(t reflect.Type, seen map[reflect.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		e.add(t.Elem(), seen)
	case reflect.Struct:
		if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
			return
		}
		for _, f := range reflect.VisibleFields(t) {
			tag := f.Tag.Get("json")
			if len(f.Index) > 1 || tag == "-" || !f.IsExported() && !f.Anonymous {
				continue
			}
			if !f.Anonymous || tag != "" && !strings.HasPrefix(tag, ",") {
				e.fields[fmt.Sprintf("%v.%s", t, f.Name)] = true
			}
			e.add(f.Type, seen)
		}
	}
}

// TestFastFields explains all kinds, and compares with docs/decoding.md and with what gen-all finds in the source. Those of k8s.io/api and apimachinery have no
// field that the fast decoder does not know.
func TestFastFields(t *testing.T) {
	const builtIn, cases = "k8s.io/api and apimachinery", "test cases of the generators and decoders"
	groups := map[string]*explained{}
	seen := map[string]map[reflect.Type]bool{}
	for _, name := range []string{builtIn, cases} {
		groups[name] = &explained{fields: map[string]bool{}, slow: map[string]bool{}}
		seen[name] = map[reflect.Type]bool{}
	}
	known := map[reflect.Type]bool{}
	paths := map[string]bool{}
	for _, k := range kinds(t) {
		obj, err := k.Scheme.New(k.GVK)
		if err != nil {
			t.Fatal(err)
		}
		typ := reflect.TypeOf(obj).Elem()
		if known[typ] {
			continue // in several groups, as ListOptions
		}
		known[typ] = true
		paths[typ.PkgPath()] = true
		name := cases
		if strings.HasPrefix(typ.PkgPath(), "k8s.io/") {
			name = builtIn
		}
		e := groups[name]
		e.kinds++
		e.add(typ, seen[name])
		slow := codec.Explain(typ)
		if len(slow) == 0 {
			e.fast++
		}
		for _, f := range slow {
			e.slow[fmt.Sprintf("%v: `%s` (`%v`): %s", typ, f.Path, f.Type, f.Reason)] = true
		}
	}
	for slow := range groups[builtIn].slow {
		t.Errorf("%s", slow)
	}
	checkSource(t, known, slices.Sorted(maps.Keys(paths)))
	projects, err := os.ReadFile(filepath.Join("testdata", "projects.md"))
	if err != nil {
		t.Fatal(err)
	}
	var doc strings.Builder
	doc.WriteString(`# Fields that are decoded slowly

Package [codec](../runtime/codec) decodes most types by tables. Fields that it does not know are decoded by
apimachinery's decoder, each from its own text; the rest of the object stays fast. ` + "`codec.Explain`" + ` lists these fields
of a type, the debug page those of the types of informers, and ` + "`gen-all`" + `
[warns](checks.md#fields-that-are-decoded-slowly) about those of kinds. A kind is fast if none of its fields is slow.

| kinds | fast kinds | kinds | slow fields | fields |
|---|--:|--:|--:|--:|
`)
	for _, name := range []string{builtIn, cases} {
		e := groups[name]
		fmt.Fprintf(&doc, "| %s | %d | %d | %d | %d |\n", name, e.fast, e.kinds, len(e.slow), len(e.fields))
	}
	doc.WriteString("\nThe slow fields of the test cases, with the reasons:\n\n")
	for _, slow := range slices.Sorted(maps.Keys(groups[cases].slow)) {
		fmt.Fprintf(&doc, "- %s\n", slow)
	}
	doc.WriteString("\n")
	doc.Write(projects)
	golden.File(t, filepath.Join(golden.Root(t), "docs", "decoding.md"), doc.String())
}

// checkSource checks that gen-all finds the same slow fields in the source of types as the decoder does in the
// compiled ones.
func checkSource(t *testing.T, types map[reflect.Type]bool, packages []string) {
	t.Helper()
	found := map[string][]string{}
	for _, typ := range decoding.Explain(t, ".", packages...).Types {
		name := typ.Package + "." + typ.Name
		found[name] = []string{}
		for _, f := range typ.Slow {
			found[name] = append(found[name], f.Path+": "+f.Reason)
		}
	}
	for typ := range types {
		name := typ.PkgPath() + "." + typ.Name()
		want := []string{}
		for _, f := range codec.Explain(typ) {
			want = append(want, f.Path+": "+f.Reason)
		}
		got := found[name]
		slices.Sort(want)
		slices.Sort(got)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: codec.Explain and gen-all differ: %s", name, d)
		}
	}
}
