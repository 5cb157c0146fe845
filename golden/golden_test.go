// Package golden_test compares the output of the generators for every case below testdata/apis with
// the expected output, for our own runtime; golden/client-go does the same for client-go.
//
// For each case, models/CASE.txt contains what the generators read (groups, versions, kinds,
// methods, names), which files and packages they print, and their warnings. The trees of the cases
// in kept are checked in here; tests and examples elsewhere use some of them. A template is a function
// of its data, so of the other cases, rare/CASE.txt contains only the files that execute a branch of
// a template which neither a kept tree nor a case before it executes, whole, in the format of txtar.
// A branch that no case executes fails the test. The trees of all cases are type-checked in memory.
// "make generate" updates everything.
//
// Hand-written files, which add methods to what is generated, are where they would be in the trees,
// also those of cases whose trees are not kept.
package golden_test

import (
	"testing"

	"github.com/listwatch/listwatch/internal/goldentest"
	"github.com/listwatch/listwatch/internal/testcase"
)

// kept are the cases whose trees are in this directory.
var kept = []string{
	"apply",
	"expansions",
	"kubebuilder",
	"one-group",
	"single-directory", // conformance/runtime/upstream uses its informers in place of client-go's
	"view",
}

func TestListwatch(t *testing.T) {
	goldentest.Test(t, testcase.Listwatch, kept...)
}
