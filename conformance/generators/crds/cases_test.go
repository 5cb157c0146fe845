package crds_test

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/listwatch/listwatch/conformance/generators/crds"
	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/testcase"
)

// input is a run of both generators.
type input struct {
	name string
	// dir is the module's directory below the root, and packages the directory of the packages
	// below it; their import paths follow from module.
	dir, module, packages string
	options               crds.Options
}

// pkg returns the import path that those of all packages start with.
func (in input) pkg() string { return in.module + "/" + in.packages }

const own = "generators/crds/testdata/apis"

var onlyOwn = flag.Bool("own", false, "compare only the types of this package, and those whose output is recorded")

// inputs are the types of this package, with the options that matter to them, those whose output is recorded, the cases
// of the generators' tests, and the examples.
func inputs(t *testing.T) []input {
	t.Helper()
	length := func(n int) crds.Options { return crds.Options{MaxDescLen: &n} }
	options := map[string]map[string]crds.Options{
		"embedded":  {"metadata": {GenerateEmbeddedObjectMeta: true}},
		"structure": {"metadata": {GenerateEmbeddedObjectMeta: true, AllowDangerousTypes: true}},
		"templates": {"0": length(0), "10": length(10), "60": length(60), "200": length(200), "1000": length(1000)},
	}
	all := recorded(t)
	for _, name := range directories(t, "conformance", own) {
		in := input{name, "conformance", testcase.Module + "/conformance", own + "/" + name, crds.Options{}}
		all = append(all, in)
		for suffix, o := range options[name] {
			all = append(all, input{name + "-" + suffix, in.dir, in.module, in.packages, o})
		}
	}
	if *onlyOwn {
		return all
	}
	for _, name := range directories(t, ".", "testdata/apis") {
		all = append(all, input{"case-" + name, ".", testcase.Module, "testdata/apis/" + name, crds.Options{}})
	}
	for _, name := range []string{"shop", "sites"} {
		all = append(all, input{"example-" + name, "examples", testcase.Module + "/examples", name, crds.Options{}})
	}
	all = append(all, input{"suite", "conformance", testcase.Module + "/conformance", "server/suite/clients/apis", crds.Options{}})
	slices.SortFunc(all, func(a, b input) int { return strings.Compare(a.name, b.name) })
	return all
}

func root(t testing.TB) string {
	t.Helper()
	dir, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// directories returns the names of the directories in a directory of the module in dir.
func directories(t *testing.T, dir, in string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(root(t), dir, in))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

// pair is the output of both generators for one input.
type pair struct {
	input
	their, ours crds.Output
}

// pairs runs both generators on all inputs, once.
func pairs(t *testing.T) []pair {
	t.Helper()
	once.Do(func() {
		all := inputs(t)
		byDir := map[string][]int{}
		for i, in := range all {
			byDir[in.dir] = append(byDir[in.dir], i)
		}
		results := make([]pair, len(all))
		for dir, indexes := range byDir {
			var jobs []crds.Job
			var patterns []string
			for _, i := range indexes {
				jobs = append(jobs, crds.Job{Package: all[i].pkg(), Options: all[i].options})
				patterns = append(patterns, "./"+all[i].packages+"/...")
			}
			slices.Sort(patterns)
			for n, out := range crds.Theirs(t, filepath.Join(root(t), dir), slices.Compact(patterns), jobs) {
				in := all[indexes[n]]
				ours, err := crds.Ours(t.Context(), filepath.Join(root(t), dir), []string{"./" + in.packages + "/..."}, in.options)
				if err != nil {
					t.Fatalf("%s: %v", in.name, err)
				}
				results[indexes[n]] = pair{in, out, ours}
			}
		}
		done = results
	})
	if done == nil {
		t.Fatal("the generators failed before")
	}
	return done
}

var (
	once sync.Once
	done []pair
)

func TestCases(t *testing.T) {
	used := map[int]bool{}
	manifests, ran := 0, 0
	for _, p := range pairs(t) {
		t.Run(p.name, func(t *testing.T) {
			ran++
			diffs, n := differences(t, p.their, p.ours)
			manifests += n
			for _, d := range diffs {
				if i := exceptionFor(exceptions, p.name, d); i >= 0 {
					used[i] = true
				} else {
					t.Error(d)
				}
			}
		})
	}
	for i, e := range exceptions {
		if !used[i] && ran == len(pairs(t)) && !*onlyOwn { // not with -run
			t.Errorf("%s: %s: an exception without a difference: %s", e.input, e.path, e.reason)
		}
	}
	t.Logf("%d inputs, %d manifests, %d exceptions", len(pairs(t)), manifests, len(exceptions))
}

// differences compares two outputs, and returns the number of manifests that were compared. If both
// generators refuse the input, the lines that their errors name are compared.
func differences(t *testing.T, their, ours crds.Output) ([]crds.Difference, int) {
	t.Helper()
	if len(their.Errors) > 0 || len(ours.Errors) > 0 {
		return refusals(their, ours), 0
	}
	a, err := their.Manifests()
	if err != nil {
		t.Fatal(err)
	}
	b, err := ours.Manifests()
	if err != nil {
		t.Fatal(err)
	}
	var diffs []crds.Difference
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if b[name] == nil {
			diffs = append(diffs, crds.Difference{Path: name, Their: "a manifest"})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if a[name] == nil {
			diffs = append(diffs, crds.Difference{Path: name, Ours: "a manifest"})
			continue
		}
		for _, d := range crds.Compare(a[name], b[name]) {
			d.Path = name + d.Path
			diffs = append(diffs, d)
		}
	}
	if x, y := slices.Sorted(maps.Keys(their.Files)), slices.Sorted(maps.Keys(ours.Files)); !slices.Equal(x, y) && len(a) == len(b) {
		diffs = append(diffs, crds.Difference{Path: "files", Their: x, Ours: y})
	}
	return diffs, len(a)
}

var position = regexp.MustCompile(`^(.*\.go:\d+):\d+: (.*)$`)

// refusals compares the lines to which the errors belong. An error without a position, for which
// controller-gen prints a dash, belongs to any line of ours that has no other.
func refusals(their, ours crds.Output) []crds.Difference {
	a, b := lines(their.Errors), lines(ours.Errors)
	if _, ok := a["-"]; ok {
		more := 0
		for at := range b {
			if _, ok := a[at]; !ok {
				delete(b, at)
				more++
			}
		}
		if more > 0 {
			delete(a, "-")
		}
	}
	var diffs []crds.Difference
	for _, at := range slices.Sorted(maps.Keys(a)) {
		if _, ok := b[at]; !ok {
			diffs = append(diffs, crds.Difference{Path: at, Their: a[at]})
		}
	}
	for _, at := range slices.Sorted(maps.Keys(b)) {
		if _, ok := a[at]; !ok {
			diffs = append(diffs, crds.Difference{Path: at, Ours: b[at]})
		}
	}
	return diffs
}

// lines returns errors by the base names of their files and their lines.
func lines(errs []string) map[string]string {
	byLine := map[string]string{}
	for _, e := range errs {
		at, text := "-", e
		if m := position.FindStringSubmatch(e); m != nil {
			at, text = filepath.Base(m[1]), m[2]
		}
		byLine[at] = text
	}
	return byLine
}
