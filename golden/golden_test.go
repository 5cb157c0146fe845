// Package golden_test holds the generators to the expected output of every case under
// testdata/apis, in the flavour of our own runtime; golden/client-go does so in the other.
//
// Of each case, models/CASE.txt says what the generators read (groups, versions, kinds,
// methods, names), which files and packages they print, and what they warn of. The cases in kept
// have their trees here, as few as execute every branch of every template between them; a
// new branch that none of them executes fails the test. The trees of all cases are
// type-checked, in memory. "make generate" brings everything up to date.
//
// What others wrote stands beside the trees: files that add methods to them, and the apply
// configurations that the case "apply" takes.
package golden_test

import (
	"testing"

	"github.com/listwatch/listwatch/internal/goldentest"
	"github.com/listwatch/listwatch/internal/testcase"
)

// kept are the cases whose trees are in this folder.
var kept = []string{
	"apply",
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
	"single-directory", // conformance/upstream takes its informers for those of client-go
	"verbs",
	"verbs-no-list",
}

func TestListwatch(t *testing.T) {
	goldentest.Test(t, testcase.Listwatch, kept...)
}
