// Package golden_test compares the output of the generators for every case below testdata/apis with
// the expected output, for our own runtime; golden/client-go does the same for client-go.
//
// For each case, models/CASE.txt contains what the generators read (groups, versions, kinds,
// methods, names), which files and packages they print, and their warnings. The trees of the cases
// in kept are checked in here, as few as execute every branch of every template between them; a new
// branch that none of them executes fails the test. The trees of all cases are type-checked in
// memory. "make generate" updates everything.
//
// Hand-written files are next to the trees: files that add methods to them.
package golden_test

import (
	"testing"

	"github.com/listwatch/listwatch/internal/goldentest"
	"github.com/listwatch/listwatch/internal/testcase"
)

// kept are the cases whose trees are in this directory.
var kept = []string{
	"apply",
	"apply-fields/applyconfiguration",
	"apply-shared/applyconfiguration",
	"expansions",
	"internal-custom",
	"internal-version",
	"kubebuilder",
	"methods",
	"methods-elsewhere",
	"methods-list",
	"one-group",
	"pointer-items",
	"prefers-protobuf",
	"single-directory", // conformance/runtime/upstream uses its informers in place of client-go's
	"verbs",
	"verbs-no-list",
}

func TestListwatch(t *testing.T) {
	goldentest.Test(t, testcase.Listwatch, kept...)
}
