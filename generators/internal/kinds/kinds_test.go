package kinds_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/kinds"
	"github.com/listwatch/listwatch/generators/internal/loadtest"
	"github.com/listwatch/listwatch/generators/model"
)

// sources returns the packages below a directory.
func sources(m *loadtest.Module, dir string) []kinds.Source {
	var all []kinds.Source
	for _, p := range m.Below(dir) {
		all = append(all, kinds.Source{Package: p})
	}
	return all
}

// read returns the model of packages and its errors, both as text.
func read(t *testing.T, m *loadtest.Module, sources []kinds.Source, opts kinds.Options) (api, faults []string) {
	t.Helper()
	var diags diag.List
	opts.Diags = &diags
	opts.Clients, opts.Fakes = true, true
	api = describe(kinds.Read(sources, opts).API)
	return api, m.Lines(t, &diags)
}

// describe returns a line for each version, and one for each kind below it.
func describe(api *model.API) []string {
	var lines []string
	for _, g := range api.Groups {
		for _, v := range g.Versions {
			lines = append(lines, fmt.Sprintf("%s/%s of %q is %s, imported as %s", g.Dir, v.NonEmptyName(), g.Name, v.GoName(), v.Types.Alias))
			for _, k := range v.Kinds {
				lines = append(lines, "  "+describeKind(k))
			}
		}
	}
	return lines
}

func describeKind(k *model.Kind) string {
	facts := []string{k.Name, k.Resource}
	for _, f := range []struct {
		is   bool
		word string
	}{
		{!k.Namespaced, "cluster-scoped"}, {k.HasStatus, "status"}, {k.NoVerbs, "no verbs"},
		{k.ItemsArePointers, "pointers"}, {len(k.Skip) > 0, "without " + strings.Join(k.Skip, ",")},
	} {
		if f.is {
			facts = append(facts, f.word)
		}
	}
	for _, m := range k.Methods {
		facts = append(facts, fmt.Sprintf("%s(%s %s.%s) %s.%s", m.Name, m.InputParam, m.Input.Package.Alias, m.Input.Name, m.Result.Package.Alias, m.Result.Name))
	}
	return strings.Join(facts, ", ")
}

// checkLines compares the beginnings of lines with the expected ones.
func checkLines(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("%s:\n%s", what, cmp.Diff(want, got))
	}
}

// oneKind returns an archive with a package per directory, with one kind each, and the package's
// markers in doc.go.
func oneKind(folders map[string]string) string {
	var b strings.Builder
	for dir, markers := range folders {
		fmt.Fprintf(&b, "-- %s/doc.go --\n%s\npackage v1\n", dir, markers)
		fmt.Fprintf(&b, "-- %s/types.go --\n%s", dir, loadtest.Kind("Shoe", "", ""))
	}
	return b.String()
}
