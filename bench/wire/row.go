package main

import (
	"fmt"

	"github.com/listwatch/listwatch/bench/internal/measure"
)

// row is one figure of the runs of a work.
type row struct {
	// measured names the figure in the table.
	measured string
	// of returns the figure of a run that decoded n objects.
	of func(c measure.Cost, n float64) float64
	// more says that more of it is better, not less.
	more bool
	// target is what ours should reach, or "".
	target string
}

// better returns how many times better ours is than theirs.
func (r row) better(theirs, ours float64) float64 {
	if r.more {
		return ours / theirs
	}
	return theirs / ours
}

var (
	cpuEach    = row{measured: "CPU µs each", of: func(c measure.Cost, n float64) float64 { return float64(c.CPU.Nanoseconds()) / 1e3 / n }}
	bytesEach  = row{measured: "bytes allocated each", of: func(c measure.Cost, n float64) float64 { return float64(c.Bytes) / n }}
	allocsEach = row{measured: "allocations each", of: func(c measure.Cost, n float64) float64 { return float64(c.Allocs) / n }}
	rate       = row{measured: "per second", more: true, of: func(c measure.Cost, n float64) float64 { return n / c.Wall.Seconds() }}

	cpu        = row{measured: "CPU s", of: func(c measure.Cost, _ float64) float64 { return c.CPU.Seconds() }}
	wall       = row{measured: "wall s", of: func(c measure.Cost, _ float64) float64 { return c.Wall.Seconds() }}
	bytes      = row{measured: "MiB allocated", of: func(c measure.Cost, _ float64) float64 { return mib(c.Bytes) }}
	peakHeap   = row{measured: "peak heap, MiB", of: func(c measure.Cost, _ float64) float64 { return mib(c.PeakHeap) }}
	liveHeap   = row{measured: "live heap, MiB", of: func(c measure.Cost, _ float64) float64 { return mib(c.LiveHeap) }}
	peakToLive = row{measured: "peak / live heap", of: func(c measure.Cost, _ float64) float64 { return float64(c.PeakHeap) / float64(c.LiveHeap) }}
	peakRSS    = row{measured: "peak resident, MiB", of: func(c measure.Cost, _ float64) float64 { return mib(c.PeakRSS) }}
)

// with returns the row with a target.
func (r row) with(target string) row {
	r.target = target
	return r
}

func mib(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// figure returns a number with three digits that say something, or all it has before
// the point.
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

// times returns a ratio as the table has it.
func times(v float64) string { return fmt.Sprintf("%.1fx", v) }
