//go:build programs

package programs_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/conformance/internal/gotest"
	"github.com/listwatch/listwatch/conformance/internal/modules"
)

// The results of a test.
const (
	passes     = gotest.Pass
	fails      = gotest.Fail
	skipped    = gotest.Skip
	unbuilt    = "does not compile"
	disappears = "missing"
)

// results are what the build and the tests of a module report.
type results struct {
	// packages are those of the module, as paths below it.
	packages []string
	// broken are the compiler's messages, by the package that does not compile, which may be
	// one of another module.
	broken map[string]string
	// tests are the results of top-level tests, by "package test".
	tests map[string]string
	// output is what tests print.
	output map[string][]byte
}

// build compiles all packages of the module in dir, with their tests, and runs these.
func (m module) build(t *testing.T, dir string) *results {
	t.Helper()
	list, err := modules.Go(t.Context(), dir, "list", "-e", "./...")
	if err != nil {
		t.Fatal(err)
	}
	r := &results{
		broken: map[string]string{}, tests: map[string]string{}, output: map[string][]byte{},
	}
	for pkg := range strings.Lines(string(list)) {
		r.packages = append(r.packages, m.relative(strings.TrimSpace(pkg)))
	}
	out, buildErr := modules.Go(t.Context(), dir, "build", "-json", "./...")
	for _, e := range decode(t, out) {
		if e.Action == "build-output" && e.IsMessage() {
			r.broken[m.relative(e.ImportPath)] += e.Output
		}
	}
	if buildErr != nil && len(r.broken) == 0 {
		t.Errorf("%s: %v", m.path, buildErr)
	}
	r.run(t, m, dir, "./...")
	// A test may depend on the speed of the machine, and end the process of all others: packages
	// where one fails get two more chances.
	for range 2 {
		again := map[string]bool{}
		for _, test := range r.failed() {
			pkg, _, _ := strings.Cut(test, " ")
			again["./"+pkg] = true
		}
		if len(again) > 0 {
			r.run(t, m, dir, append(slices.Collect(maps.Keys(again)), "-count=1")...)
		}
	}
	return r
}

// run runs tests and adds their results. One that has passed before stays passed.
func (r *results) run(t *testing.T, m module, dir string, args ...string) {
	t.Helper()
	// A failed test is in the output.
	out, _ := modules.Go(t.Context(), dir, append([]string{"test", "-json", "-vet=off", "-ldflags=-s -w", "-timeout=10m"}, args...)...)
	build := map[string]string{}
	for _, e := range decode(t, out) {
		pkg := m.relative(e.Package)
		switch {
		case e.Action == "build-output" && e.IsMessage():
			build[e.ImportPath] += e.Output
		case e.Test == "" && e.Action == fails && e.FailedBuild != "":
			r.broken[pkg] = build[e.FailedBuild]
		case e.Test == "" || strings.Contains(e.Test, "/") || r.tests[pkg+" "+e.Test] == passes:
		case e.Action == "output":
			r.output[pkg+" "+e.Test] = append(r.output[pkg+" "+e.Test], e.Output...)
		case e.Action == passes || e.Action == fails || e.Action == skipped:
			r.tests[pkg+" "+e.Test] = e.Action
		case e.Action == "run":
			// A panic ends the program without results of the tests that it was running.
			r.tests[pkg+" "+e.Test] = fails
		}
	}
}

// relative returns the path of a package below the module's root; "." is that root.
func (m module) relative(pkg string) string {
	pkg, _, _ = strings.Cut(pkg, " ") // tests: "package [package.test]"
	if rel, ok := strings.CutPrefix(pkg, m.path+"/"); ok {
		return rel
	}
	if pkg == m.path {
		return "."
	}
	return pkg
}

// failed are the tests that fail.
func (r *results) failed() []string {
	var all []string
	for _, test := range slices.Sorted(maps.Keys(r.tests)) {
		if r.tests[test] == fails {
			all = append(all, test)
		}
	}
	return all
}

// count returns the number of tests with a result.
func (r *results) count(result string) (n int) {
	for _, got := range r.tests {
		if got == result {
			n++
		}
	}
	return n
}

// result returns the result of a test that another build of the module has.
func (r *results) result(test string) string {
	if got, ok := r.tests[test]; ok {
		return got
	}
	if pkg, _, _ := strings.Cut(test, " "); r.broken[pkg] != "" {
		return unbuilt
	}
	return disappears
}

func decode(t *testing.T, out []byte) []gotest.Event {
	t.Helper()
	var all []gotest.Event
	for e, err := range gotest.Events(bytes.NewReader(out)) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}
