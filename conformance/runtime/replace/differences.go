package replace

import (
	"maps"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/conformance/internal/gotest"
)

// Difference is a test whose result is not the same on both sides.
type Difference struct {
	// Package is relative to the module. Test is empty if the package itself has another result while its tests agree:
	// it does not compile, or fails outside of its tests.
	Package, Test string
	// Before is the result without the line, and After the one with it.
	Before, After string
}

// Differences returns the differences by package and test. If a test and one of its subtests differ, only the subtest
// is returned. A subtest that only one side has counts only if the test around it does not pass on both sides, since
// some have names with random parts.
func Differences(before, after *Results) []Difference {
	differs := map[string]bool{}
	for _, tests := range []map[string]string{before.Tests, after.Tests} {
		for key := range tests {
			pkg, _, _ := strings.Cut(key, " ")
			if before.Broken[pkg] == "" && after.Broken[pkg] == "" && before.result(key) != after.result(key) {
				differs[key] = true
			}
		}
	}
	explained := map[string]bool{} // tests and packages of which a part differs
	for key := range differs {
		if before.result(key) == Missing || after.result(key) == Missing {
			if outer, ok := around(key); ok {
				if before.Tests[outer] == gotest.Pass && after.Tests[outer] == gotest.Pass || differs[outer] {
					delete(differs, key)
					continue
				}
			}
		}
		explained[strings.SplitN(key, " ", 2)[0]] = true
		for outer, ok := around(key); ok; outer, ok = around(outer) {
			explained[outer] = true
		}
	}
	var all []Difference
	for _, key := range slices.Sorted(maps.Keys(differs)) {
		if explained[key] {
			continue
		}
		pkg, test, _ := strings.Cut(key, " ")
		all = append(all, Difference{pkg, test, before.result(key), after.result(key)})
	}
	packages := append(before.all(), after.all()...)
	slices.Sort(packages)
	for _, pkg := range slices.Compact(packages) {
		was, is := before.packageResult(pkg), after.packageResult(pkg)
		if was != is && !explained[pkg] {
			all = append(all, Difference{Package: pkg, Before: was, After: is})
		}
	}
	slices.SortStableFunc(all, func(a, b Difference) int { return strings.Compare(a.Package, b.Package) })
	return all
}

// packageResult returns the result of a package.
func (r *Results) packageResult(pkg string) string {
	switch {
	case r.Broken[pkg] != "":
		return Unbuilt
	case r.Packages[pkg] == "":
		return Missing
	}
	return r.Packages[pkg]
}

// around returns the test that contains a subtest.
func around(key string) (string, bool) {
	pkg, test, _ := strings.Cut(key, " ")
	i := strings.LastIndexByte(test, '/')
	if i < 0 || !strings.HasPrefix(test, "Test") {
		return "", false
	}
	return pkg + " " + test[:i], true
}
