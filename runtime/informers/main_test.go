package informers_test

import (
	"flag"
	"testing"

	"github.com/go-logr/logr"
	"go.uber.org/goleak"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	_ "github.com/listwatch/listwatch/internal/golden"
)

// TestMain leaves out logs, which are full of what is made to go wrong, unless the tests
// are verbose.
func TestMain(m *testing.M) {
	flag.Parse()
	if !testing.Verbose() {
		klog.SetLogger(logr.Discard())
	}
	// The second handler waits by the time since the last error, which may be that of
	// another synctest bubble, or none: decades.
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1]
	goleak.VerifyTestMain(m)
}
