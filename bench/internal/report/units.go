package report

import (
	"fmt"
	"runtime"
	"time"
)

// Machine describes the machine that the figures depend on.
func Machine() string {
	return fmt.Sprintf("%s, %s/%s, %d cores", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
}

// Seconds returns a duration in seconds, to the millisecond.
func Seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// MiB returns a number of bytes in MiB.
func MiB(bytes int64) string { return fmt.Sprintf("%.0f", float64(bytes)/(1<<20)) }

// KiB returns a number of bytes in KiB.
func KiB(bytes int64) string { return fmt.Sprintf("%.0f", float64(bytes)/(1<<10)) }

// Ratio returns a divided by b, or a dash if b is zero.
func Ratio[T ~int64](a, b T) string {
	if b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1fx", float64(a)/float64(b))
}
