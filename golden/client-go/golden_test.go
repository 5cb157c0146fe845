// Package golden_test holds the generators to the expected output of every case under
// testdata/apis, in the client-go flavour.
package golden_test

import (
	"testing"

	"github.com/listwatch/listwatch/internal/goldentest"
	"github.com/listwatch/listwatch/internal/testcase"
)

// kept are the cases whose trees are in this folder.
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
	"verbs-no-list",
}

func TestClientGo(t *testing.T) {
	goldentest.Test(t, testcase.ClientGo, kept...)
}
