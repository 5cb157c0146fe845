//go:build unix

package codec_test

import (
	"syscall"
	"testing"
	"time"
)

// onCPU reports the CPU time, garbage collection included, which does not depend on what else the
// machine does.
func onCPU(b *testing.B) (stop func()) {
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	start := used()
	return func() { b.ReportMetric(float64(used()-start)/float64(b.N), "cpu-ns/op") }
}
