package main

import (
	"fmt"

	"github.com/listwatch/listwatch/bench/internal/measure"
	"github.com/listwatch/listwatch/bench/internal/report"
)

// section returns the section of the document: the conditions of the measurement, and the results.
func section(machine, version string, rounds int, results []*result) string {
	return fmt.Sprintf("%s; code-generator %s; medians of %d alternating rounds.\n\n%s",
		machine, version, rounds, table(results).Markdown())
}

// table compares each result with the first one of the same input.
func table(results []*result) report.Table {
	t := report.Table{Head: []string{
		"input", "tools", "CPU s", "from", "to", "wall s", "peak MiB", "files", "KiB",
		"less CPU", "less wall", "less peak",
	}}
	var input string
	var base measure.Usage
	for _, r := range results {
		s := measure.Summarize(r.runs)
		if r.input != input {
			input, base = r.input, s.Median
		}
		t.Rows = append(t.Rows, []string{
			r.input, r.contender,
			report.Seconds(s.Median.CPU), report.Seconds(s.MinCPU), report.Seconds(s.MaxCPU),
			report.Seconds(s.Median.Wall), report.MiB(s.Median.Peak),
			fmt.Sprint(r.files), report.KiB(r.bytes),
			report.Ratio(base.CPU, s.Median.CPU),
			report.Ratio(base.Wall, s.Median.Wall),
			report.Ratio(base.Peak, s.Median.Peak),
		})
	}
	return t
}
