package contest

import (
	"strings"
	"testing"
	"time"

	"github.com/listwatch/listwatch/bench/internal/measure"
)

func TestSectionComparesRoundByRound(t *testing.T) {
	outcomes := func(seconds ...int) []outcome {
		var all []outcome
		for _, s := range seconds {
			d := time.Duration(s) * time.Second
			all = append(all, outcome{
				Cost:    measure.Cost{CPU: d, Wall: d, Bytes: int64(s) << 20, PeakHeap: int64(s) * 3, LiveHeap: int64(s)},
				Figures: map[string]float64{"reads": float64(s)},
			})
		}
		return all
	}
	got := Contest{Contenders: [2]string{"client-go", "listwatch"}}.section("go1, os/arch, 2 cores", "v0.1.0", 3, []*result{{
		work:     Work{Name: "list", Objects: 100, Rows: []Row{CPU.With("6x"), Rate, Bytes, PeakToLive.With("at most 1"), More("reads"), Less("reads")}},
		outcomes: [2][]outcome{outcomes(12, 10, 200), outcomes(2, 5, 10)},
	}})
	want := strings.Join([]string{
		"go1, os/arch, 2 cores; client-go v0.1.0; medians of 3 alternating rounds.",
		"",
		"| work | measured         | client-go | listwatch | better | from |    to |    target |",
		"|------|------------------|----------:|----------:|-------:|-----:|------:|----------:|",
		"| list | CPU s            |      12.0 |      5.00 |   2.4x | 2.0x | 20.0x |        6x |",
		"| list | per second       |      8.33 |      20.0 |   2.4x | 2.0x | 20.0x |           |",
		"| list | MiB allocated    |      12.0 |      5.00 |   2.4x | 2.0x | 20.0x |           |",
		"| list | peak / live heap |      3.00 |      3.00 |   1.0x | 1.0x |  1.0x | at most 1 |",
		"| list | reads            |      12.0 |      5.00 |   0.4x | 0.1x |  0.5x |           |",
		"| list | reads            |      12.0 |      5.00 |   2.4x | 2.0x | 20.0x |           |",
		"",
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFigure(t *testing.T) {
	for v, want := range map[float64]string{0: "0.00", 1.149: "1.15", 12.34: "12.3", 123.4: "123", 1234567: "1234567"} {
		if got := figure(v); got != want {
			t.Errorf("figure(%v) = %s, want %s", v, got, want)
		}
	}
}
