// Package golden_test holds the generators to the expected output of every case under
// testdata/apis, in the client-go flavour.
package golden_test

import (
	"testing"

	"github.com/listwatch/listwatch/internal/goldentest"
	"github.com/listwatch/listwatch/internal/testcase"
)

// kept are the cases whose trees are in this folder.
var kept = []string{"apply", "expansions", "one-group"}

func TestClientGo(t *testing.T) {
	goldentest.Test(t, testcase.ClientGo, kept...)
}
