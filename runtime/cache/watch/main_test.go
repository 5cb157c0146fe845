package watch_test

import (
	"testing"

	"go.uber.org/goleak"

	_ "github.com/listwatch/listwatch/internal/golden" // for the flag -update
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
