package upstream

import (
	"cmp"
	"errors"
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/internal/golden"
)

// whole are the packages of client-go that are taken whole: they use packages with counterparts in
// the runtime, and compare their behaviour with their own tests.
var whole = []string{
	"features/testing",
	"tools/pager",
	"util/consistencydetector",
}

// emitted are the replacements of client-go's generated packages. Of these, tests mostly use what
// does not depend on the types.
var emitted = map[string]string{
	"informers":       "golden/single-directory/informers",
	"kubernetes/fake": "kubernetes/fake",
}

// keep is for investigating failures.
var keep = flag.String("keep", "", "keep the rewritten source and the tests' programs in this directory")

// withClientGo is for finding what differs with client-go's behavior.
var withClientGo = flag.Bool("clientgo", false, "run the tests with client-go's behavior, and log those that differ, instead of comparing them with the table")

var table = filepath.Join("testdata", "tests.txt")

func TestUpstream(t *testing.T) {
	committed, err := os.ReadFile(table)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	expected, err := Parse(string(committed))
	if err != nil {
		t.Fatalf("%s: %v", table, err)
	}
	dir := cmp.Or(*keep, t.TempDir())
	w, err := open(filepath.Join(golden.Root(t), "conformance"), filepath.Join("testdata", "standins"), dir)
	if err != nil {
		t.Fatal(err)
	}
	w.compat = *withClientGo
	all, err := w.rewriteAll(whole, emitted)
	if err != nil {
		t.Fatal(err)
	}
	if err = w.build(all); err != nil {
		t.Fatal(err)
	}
	outputs, err := w.run(t, all, expected)
	if err != nil {
		t.Fatal(err)
	}
	got := Table{}
	for _, r := range all {
		if len(r.tests.Same)+len(r.tests.Differs)+len(r.tests.Internal) > 0 {
			got[r.path] = r.tests
		}
	}
	if *withClientGo {
		unexplained := got.Explain(expected)
		for _, path := range slices.Sorted(maps.Keys(got)) {
			for _, name := range slices.Sorted(maps.Keys(got[path].Differs)) {
				t.Logf("differs: %s %s (new: %v)", path, name, slices.Contains(unexplained, path+" "+name))
			}
			for _, name := range slices.Sorted(maps.Keys(expected[path].Differs)) {
				if _, ok := got[path].Differs[name]; !ok {
					t.Logf("the same: %s %s", path, name)
				}
			}
		}
		return
	}
	for _, name := range got.Explain(expected) {
		path, test, _ := strings.Cut(name, " ")
		test, _, _ = strings.Cut(test, "/")
		t.Errorf("%s fails without a reason in the table:\n%s", name, outputs[path+" "+test])
	}
	golden.File(t, table, got.String())
	for _, path := range slices.Sorted(maps.Keys(got)) {
		t.Logf("%s: %d same, %d differ, %d internal", path, len(got[path].Same), len(got[path].Differs), len(got[path].Internal))
	}
}
