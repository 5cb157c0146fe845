package measure

import (
	"slices"
	"time"
)

// Summary is the cost of several runs of the same commands.
type Summary struct {
	// Median contains the median of each figure separately, so it need not equal a single
	// run.
	Median Usage
	// MinCPU and MaxCPU are the extremes, to show the variance.
	MinCPU, MaxCPU time.Duration
}

// Summarize returns the summary of one or more runs.
func Summarize(runs []Usage) Summary {
	cpu := column(runs, func(u Usage) time.Duration { return u.CPU })
	wall := column(runs, func(u Usage) time.Duration { return u.Wall })
	peak := column(runs, func(u Usage) int64 { return u.Peak })
	return Summary{
		Median: Usage{CPU: Median(cpu), Wall: Median(wall), Peak: Median(peak)},
		MinCPU: slices.Min(cpu),
		MaxCPU: slices.Max(cpu),
	}
}

// Median returns the median of one or more values: the middle value, or the mean of the two middle
// values. It does not modify the slice.
func Median[T ~int64 | ~float64](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

func column[T any](runs []Usage, of func(Usage) T) []T {
	values := make([]T, len(runs))
	for i, u := range runs {
		values[i] = of(u)
	}
	return values
}
