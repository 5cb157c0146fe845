package portforward_test

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain ignores only what wait cannot wait for.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/moby/spdystream.(*Stream).waitWriteReply"),
		goleak.IgnoreAnyFunction("github.com/moby/spdystream.(*Connection).handleResetFrame"),
		goleak.IgnoreTopFunction("sync.runtime_SemacquireWaitGroup"), // for other goroutines, which are checked
	)
}
