package measure

import (
	"slices"
	"testing"
	"time"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{7}, 7},
		{[]float64{3, 1}, 2},
		{[]float64{9, 1, 5}, 5},
		{[]float64{4, 1, 100, 2}, 3},
	} {
		before := slices.Clone(c.values)
		if got := Median(c.values); got != c.want {
			t.Errorf("Median(%v) = %v, want %v", c.values, got, c.want)
		}
		if !slices.Equal(c.values, before) {
			t.Errorf("Median changed %v to %v", before, c.values)
		}
	}
}

func TestSummarizeTakesEachFigureOnItsOwn(t *testing.T) {
	got := Summarize([]Usage{
		{CPU: 1 * time.Second, Wall: 6 * time.Second, Peak: 20},
		{CPU: 3 * time.Second, Wall: 4 * time.Second, Peak: 30},
		{CPU: 2 * time.Second, Wall: 5 * time.Second, Peak: 10},
	})
	want := Summary{
		Median: Usage{CPU: 2 * time.Second, Wall: 5 * time.Second, Peak: 20},
		MinCPU: 1 * time.Second,
		MaxCPU: 3 * time.Second,
	}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
