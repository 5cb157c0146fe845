package cache_test

import (
	"testing"

	"go.uber.org/goleak"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	_ "github.com/listwatch/listwatch/internal/golden"
)

func TestMain(m *testing.M) {
	// The second handler waits by the time since the last error, which may be that of
	// another synctest bubble, or none: decades.
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1]
	goleak.VerifyTestMain(m)
}
