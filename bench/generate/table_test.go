package main

import (
	"strings"
	"testing"
	"time"

	"github.com/listwatch/listwatch/bench/internal/measure"
)

func TestSectionComparesWithTheFirstOfTheSameInput(t *testing.T) {
	cost := func(tenths ...int) []measure.Usage {
		var runs []measure.Usage
		for _, n := range tenths {
			d := time.Duration(n) * time.Second / 10
			runs = append(runs, measure.Usage{CPU: d, Wall: d / 2, Peak: int64(n) << 20})
		}
		return runs
	}
	got := section("go1, os/arch, 2 cores", "v0.1.0", 3, []*result{
		{input: "big", contender: "theirs", runs: cost(100, 90, 120), files: 7, bytes: 9 << 10},
		{input: "big", contender: "ours", runs: cost(5, 4, 10), files: 7, bytes: 8 << 10},
		{input: "small", contender: "theirs", runs: cost(20, 20, 20), files: 1, bytes: 1 << 10},
		{input: "small", contender: "ours", runs: cost(10, 10, 10), files: 1, bytes: 1 << 10},
	})
	want := strings.Join([]string{
		"go1, os/arch, 2 cores; code-generator v0.1.0; medians of 3 alternating rounds.",
		"",
		"| input | tools  |  CPU s |  from |     to | wall s | peak MiB | files | KiB | less CPU | less wall | less peak |",
		"|-------|--------|-------:|------:|-------:|-------:|---------:|------:|----:|---------:|----------:|----------:|",
		"| big   | theirs | 10.000 | 9.000 | 12.000 |  5.000 |      100 |     7 |   9 |     1.0x |      1.0x |      1.0x |",
		"| big   | ours   |  0.500 | 0.400 |  1.000 |  0.250 |        5 |     7 |   8 |    20.0x |     20.0x |     20.0x |",
		"| small | theirs |  2.000 | 2.000 |  2.000 |  1.000 |       20 |     1 |   1 |     1.0x |      1.0x |      1.0x |",
		"| small | ours   |  1.000 | 1.000 |  1.000 |  0.500 |       10 |     1 |   1 |     2.0x |      2.0x |      2.0x |",
		"",
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
