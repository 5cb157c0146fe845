package suite_test

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

var record = flag.Bool("record", false, "write answers into the cases instead of comparing them")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
