package streaming_test

import (
	"testing"

	"github.com/go-logr/logr"
	"go.uber.org/goleak"
	"k8s.io/klog/v2"
)

// TestMain ignores only goroutines of client-go's calls, which end without them, and of the server's connections, which
// wait for a second for somebody to ask for an error, or for a reply; see wait.
func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard())
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("k8s.io/client-go/tools/remotecommand.(*heartbeat).start"),
		goleak.IgnoreAnyFunction("k8s.io/client-go/tools/remotecommand.(*spdyStreamExecutor).StreamWithContext.func1"),
		goleak.IgnoreTopFunction("github.com/moby/spdystream.(*Connection).shutdown"),
		goleak.IgnoreAnyFunction("github.com/moby/spdystream.(*Stream).waitWriteReply"),
		goleak.IgnoreAnyFunction("github.com/moby/spdystream.(*Connection).handleResetFrame"),
		goleak.IgnoreTopFunction("sync.runtime_SemacquireWaitGroup"), // for other goroutines, which are checked
	)
}
