package flavours_test

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/generators/flavours"
	"github.com/listwatch/listwatch/conformance/generators/identity/goapi"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/source"
	"github.com/listwatch/listwatch/internal/testcase"
)

// maxShare is how long generated clientsets, listers and informers may be, beside the same over
// client-go. Apply configurations are the same in both flavours.
const maxShare = 0.61

func TestFlavours(t *testing.T) {
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	cases, err := testcase.All(root)
	if err != nil {
		t.Fatal(err)
	}
	theirs, theirLines := describe(t, root, filepath.Join(root, "golden", "client-go"), cases, testcase.ClientGo)
	ours, ourLines := describe(t, root, root, cases, testcase.Listwatch)
	if share := float64(ourLines) / float64(theirLines); share > maxShare {
		t.Errorf("%d lines, %.3f of client-go's %d; want at most %.2f", ourLines, share, theirLines, maxShare)
	}
	t.Logf("%d lines, client-go %d", ourLines, theirLines)
	used := make([]bool, len(exceptions))
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			their := goapi.Side{Name: "client-go", Packages: flavours.Translate(theirs[c.Name])}
			our := goapi.Side{Name: "listwatch", Packages: ours[c.Name]}
			t.Logf("%d packages, %d symbols", len(our.Packages), symbols(our))
			for _, d := range goapi.Diff(their, our) {
				i := slices.IndexFunc(exceptions, func(e exception) bool { return e.covers(c.Name, d) })
				if i < 0 {
					t.Error(d)
					continue
				}
				used[i] = true
			}
		})
	}
	for i, e := range exceptions {
		if !used[i] {
			t.Errorf("an exception without a difference: %s %v: %s", e.input, e.symbol, e.reason)
		}
	}
}

// describe generates all cases in a flavour, and returns the APIs of their packages, by the case's
// name and the package's import path, and the number of generated lines without those of apply
// configurations. Their imports are loaded from the module around dir.
func describe(t *testing.T, root, dir string, cases []testcase.Case, flavour testcase.Flavour) (described map[string]map[string]goapi.API, lines int) {
	t.Helper()
	trees := map[string]*source.Tree{}
	var imports []string
	for _, c := range cases {
		out, err := c.Generate(t.Context(), flavour, root, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range out.Emitted {
			if !strings.HasPrefix(name, "applyconfiguration/") {
				lines += bytes.Count(text, []byte("\n"))
			}
		}
		maps.Copy(out.Emitted, out.Beside)
		tree, err := source.ParseTexts(out.Emitted, c.Name, c.Golden(flavour))
		if err != nil {
			t.Fatal(err)
		}
		trees[c.Name] = tree
		imports = append(imports, tree.Imports()...)
	}
	slices.Sort(imports)
	outside, err := source.Outside(dir, slices.Compact(imports))
	if err != nil {
		t.Fatal(err)
	}
	described = map[string]map[string]goapi.API{}
	for name, tree := range trees {
		packages, err := tree.Check(outside)
		if err != nil || len(packages) == 0 {
			t.Errorf("%s in the %s flavour: %d packages: %v", name, flavour, len(packages), err)
		}
		described[name] = map[string]goapi.API{}
		for path, pkg := range packages {
			api := goapi.Of(pkg)
			described[name][path] = api
			for symbol, description := range api {
				if strings.Contains(description, "invalid type") {
					t.Errorf("%s.%s: %s", path, symbol, description)
				}
			}
		}
	}
	return described, lines
}

func symbols(side goapi.Side) int {
	n := 0
	for _, api := range side.Packages {
		n += len(api)
	}
	return n
}
