package suite_test

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

var record = flag.Bool("record", false, "write answers into the cases instead of comparing them")

func TestMain(m *testing.M) {
	// Cases wait for servers more than they compute.
	if err := flag.Set("test.parallel", "32"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}
