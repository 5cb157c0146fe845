package replace

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/conformance/internal/gotest"
)

// Unbuilt and Missing are results of tests besides those of go test: of a package that does not compile, and of a test
// that has no result.
const (
	Unbuilt = "does not compile"
	Missing = "missing"
)

// Results are the outcome of the tests of packages. They are kept as JSON.
type Results struct {
	// Tests are the results of tests with their subtests, and of specs of Ginkgo, by "package test".
	Tests map[string]string
	// Packages are the results of packages.
	Packages map[string]string
	// Broken are the messages of the compiler by the package whose tests do not compile.
	Broken map[string]string
	// Output is the end of what failed tests and packages print, by "package test" or package.
	Output map[string]string
	// Again are the tests that failed first and passed when their package was tested again, sorted.
	Again []string
}

// outputLimit is the number of bytes of the output of a test that are kept.
const outputLimit = 16 << 10

// NewResults returns results without a test.
func NewResults() *Results {
	return &Results{Tests: map[string]string{}, Packages: map[string]string{}, Broken: map[string]string{}, Output: map[string]string{}}
}

// Read adds what go test -json prints. The function relative returns the name of a package here.
func (r *Results) Read(output io.Reader, relative func(string) string) error {
	build := map[string]string{}
	printed := map[string]string{}
	for e, err := range gotest.Events(output) {
		if err != nil {
			return err
		}
		pkg := relative(e.Package)
		key := strings.TrimSuffix(pkg+" "+localPort.ReplaceAllString(e.Test, "$1:port"), " ")
		switch {
		case e.Action == "build-output":
			if e.IsMessage() {
				build[e.ImportPath] += e.Output
			}
		case e.Action == "output":
			text := printed[key] + e.Output
			if len(text) > 2*outputLimit {
				text = text[len(text)-outputLimit:]
			}
			printed[key] = text
		case e.Test == "" && e.FailedBuild != "":
			r.Broken[pkg] = cmp.Or(build[e.FailedBuild], "no message")
		case e.Test == "" && isResult(e.Action):
			r.Packages[pkg] = e.Action
			if e.Action == gotest.Fail {
				r.Output[pkg] = printed[key]
			}
		case e.Action == "run":
			// A panic ends the program without results of the tests that it was running.
			r.Tests[key] = gotest.Fail
		case isResult(e.Action):
			r.Tests[key] = e.Action
			if e.Action == gotest.Fail {
				r.Output[key] = printed[key]
			}
			delete(printed, key)
		}
	}
	for key := range r.Tests {
		if r.Tests[key] == gotest.Fail && r.Output[key] == "" {
			r.Output[key] = printed[key]
		}
	}
	return nil
}

// localPort matches the address of a server of a test in a test's name, which has another port in each run.
var localPort = regexp.MustCompile(`(127\.0\.0\.1):[0-9]+`)

// isResult reports whether an action ends a test.
func isResult(action string) bool {
	return action == gotest.Pass || action == gotest.Fail || action == gotest.Skip
}

// suite is a suite in a report of Ginkgo.
type suite struct {
	SpecReports []struct {
		ContainerHierarchyTexts    []string
		LeafNodeType, LeafNodeText string
		State                      string
		Failure                    struct{ Message string }
	}
}

// ReadSpecs adds the specs of a package from its report of Ginkgo.
func (r *Results) ReadSpecs(pkg string, report io.Reader) error {
	var suites []suite
	if err := json.NewDecoder(report).Decode(&suites); err != nil {
		return fmt.Errorf("read report of Ginkgo of %s: %w", pkg, err)
	}
	for _, s := range suites {
		for _, spec := range s.SpecReports {
			name := strings.Join(append(slices.Clone(spec.ContainerHierarchyTexts), spec.LeafNodeText), " ")
			if spec.LeafNodeType != "It" {
				name = strings.TrimSpace("[" + spec.LeafNodeType + "] " + name)
			}
			key := pkg + " " + name
			switch spec.State {
			case "passed":
				if spec.LeafNodeType == "It" && r.Tests[key] != gotest.Fail { // specs may share a name
					r.Tests[key] = gotest.Pass
				}
			case "skipped", "pending":
				if spec.LeafNodeType == "It" {
					r.Tests[key] = gotest.Skip
				}
			default:
				r.Tests[key] = gotest.Fail
				r.Output[key] = spec.Failure.Message
			}
		}
	}
	return nil
}

// Merge adds results of packages that were tested again: a test that passes at last counts as passed.
func (r *Results) Merge(again *Results) {
	for key, result := range again.Tests {
		old, ok := r.Tests[key]
		switch {
		case old == gotest.Fail && result == gotest.Pass:
			r.Again = append(r.Again, key)
			delete(r.Output, key)
		case ok:
			continue
		}
		r.Tests[key] = result
	}
	for pkg, result := range again.Packages {
		if r.Packages[pkg] != gotest.Pass {
			r.Packages[pkg] = result
		}
	}
	slices.Sort(r.Again)
}

// Replace replaces the results of the packages that others has.
func (r *Results) Replace(others *Results) {
	packages := others.all()
	replaced := func(key string) bool {
		pkg, _, _ := strings.Cut(key, " ")
		return slices.Contains(packages, pkg)
	}
	for _, c := range []struct{ old, others map[string]string }{
		{r.Tests, others.Tests}, {r.Packages, others.Packages}, {r.Broken, others.Broken}, {r.Output, others.Output},
	} {
		maps.DeleteFunc(c.old, func(key, _ string) bool { return replaced(key) })
		maps.Copy(c.old, c.others)
	}
	r.Again = slices.DeleteFunc(r.Again, replaced)
}

// Count returns the number of tests with a result.
func (r *Results) Count(result string) (n int) {
	for _, got := range r.Tests {
		if got == result {
			n++
		}
	}
	return n
}

// result returns the result of a test that the other side has.
func (r *Results) result(key string) string {
	return cmp.Or(r.Tests[key], Missing)
}

// all are the names of the packages with a result, sorted.
func (r *Results) all() []string {
	names := map[string]bool{}
	for pkg := range r.Packages {
		names[pkg] = true
	}
	for pkg := range r.Broken {
		names[pkg] = true
	}
	return slices.Sorted(maps.Keys(names))
}
