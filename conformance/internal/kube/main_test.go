package kube

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain runs one of the children if its name is the only argument.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 {
		if child, ok := children[os.Args[1]]; ok {
			child()
			return
		}
	}
	goleak.VerifyTestMain(m)
}
