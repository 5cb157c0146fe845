package contest

import (
	"fmt"

	"github.com/listwatch/listwatch/bench/internal/measure"
)

// Row is one figure of the runs of a work.
type Row struct {
	measured string
	// of returns the figure of a run on n objects.
	of func(o outcome, n float64) float64
	// more reports whether a higher figure is better.
	more bool
	// target is our target, or "".
	target string
	// main is set if the row is also measured with a newer Go.
	main bool
}

// better returns how many times better ours is than theirs.
func (r Row) better(theirs, ours float64) float64 {
	if r.more {
		return ours / theirs
	}
	return theirs / ours
}

// The figures that every run has. Each is for one object, event or call.
var (
	CPUEach    = cost("CPU µs each", func(c measure.Cost, n float64) float64 { return float64(c.CPU.Nanoseconds()) / 1e3 / n })
	WallEach   = cost("wall µs each", func(c measure.Cost, n float64) float64 { return float64(c.Wall.Nanoseconds()) / 1e3 / n })
	BytesEach  = cost("bytes allocated each", func(c measure.Cost, n float64) float64 { return float64(c.Bytes) / n })
	AllocsEach = cost("allocations each", func(c measure.Cost, n float64) float64 { return float64(c.Allocs) / n })
	LiveEach   = cost("live heap, bytes each", func(c measure.Cost, n float64) float64 { return float64(c.LiveHeap) / n })
	Rate       = Row{measured: "per second", more: true, of: func(o outcome, n float64) float64 { return n / o.Cost.Wall.Seconds() }}

	CPU        = cost("CPU s", func(c measure.Cost, _ float64) float64 { return c.CPU.Seconds() })
	Wall       = cost("wall s", func(c measure.Cost, _ float64) float64 { return c.Wall.Seconds() })
	Bytes      = cost("MiB allocated", func(c measure.Cost, _ float64) float64 { return mib(c.Bytes) })
	PeakHeap   = cost("peak heap, MiB", func(c measure.Cost, _ float64) float64 { return mib(c.PeakHeap) })
	LiveHeap   = cost("live heap, MiB", func(c measure.Cost, _ float64) float64 { return mib(c.LiveHeap) })
	PeakToLive = cost("peak / live heap", func(c measure.Cost, _ float64) float64 { return float64(c.PeakHeap) / float64(c.LiveHeap) })
	PeakRSS    = cost("peak resident, MiB", func(c measure.Cost, _ float64) float64 { return mib(c.PeakRSS) })
)

func cost(measured string, of func(c measure.Cost, n float64) float64) Row {
	return Row{measured: measured, of: func(o outcome, n float64) float64 { return of(o.Cost, n) }}
}

// Less returns a row with a figure that runs measure themselves, of which less is better; see
// [Observer.Figure].
func Less(measured string) Row {
	return Row{measured: measured, of: func(o outcome, _ float64) float64 { return o.Figures[measured] }}
}

// More is [Less], but more is better.
func More(measured string) Row {
	r := Less(measured)
	r.more = true
	return r
}

// Named returns the row with another name.
func (r Row) Named(measured string) Row {
	r.measured = measured
	return r
}

// With returns the row with a target.
func (r Row) With(target string) Row {
	r.target = target
	return r
}

// Main returns the row as one that is also measured with a newer Go.
func (r Row) Main() Row {
	r.main = true
	return r
}

func mib(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// figure formats a number with three significant digits, or all digits before the point.
func figure(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.2f", v)
	}
}

// times formats a ratio for the table.
func times(v float64) string { return fmt.Sprintf("%.1fx", v) }
