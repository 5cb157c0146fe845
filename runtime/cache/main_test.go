package cache_test

import (
	"flag"
	"testing"

	"github.com/go-logr/logr"
	"go.uber.org/goleak"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	_ "github.com/listwatch/listwatch/internal/golden"
)

// TestMain suppresses logs, which contain mostly deliberate failures, unless the tests are verbose.
// It does so once, because klog's settings must not change while anything runs.
func TestMain(m *testing.M) {
	flag.Parse()
	if !testing.Verbose() {
		klog.SetLogger(logr.Discard())
	}
	// The second handler waits depending on the time since the last error, which may come from
	// another synctest bubble and be decades away.
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1]
	goleak.VerifyTestMain(m)
}
