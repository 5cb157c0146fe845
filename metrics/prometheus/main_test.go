package prometheus_test

import (
	"testing"

	"go.uber.org/goleak"

	_ "github.com/listwatch/listwatch/internal/golden"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
