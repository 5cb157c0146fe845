package main

import (
	"fmt"
	"slices"

	"github.com/listwatch/listwatch/bench/internal/measure"
	"github.com/listwatch/listwatch/bench/internal/report"
)

// section returns what stands in the document: where and how the figures were
// taken, and the figures.
func section(machine, version string, rounds int, results []*result) string {
	return fmt.Sprintf("%s; client-go %s; medians of %d alternating rounds.\n\n%s",
		machine, version, rounds, table(results).Markdown())
}

// table compares the contenders, row by row.
func table(results []*result) report.Table {
	t := report.Table{Head: []string{"work", "measured", contenders[0].name, contenders[1].name, "better", "from", "to", "target"}}
	for _, r := range results {
		for _, row := range r.work.rows {
			theirs, ours := row.figures(r.work, r.cost[0]), row.figures(r.work, r.cost[1])
			ratios := make([]float64, len(theirs))
			for i := range ratios {
				ratios[i] = row.better(theirs[i], ours[i])
			}
			t.Rows = append(t.Rows, []string{
				r.work.name, row.measured,
				figure(measure.Median(theirs)), figure(measure.Median(ours)),
				times(row.better(measure.Median(theirs), measure.Median(ours))),
				times(slices.Min(ratios)), times(slices.Max(ratios)),
				row.target,
			})
		}
	}
	return t
}

// figures returns the figure of every run.
func (r row) figures(w work, costs []measure.Cost) []float64 {
	figures := make([]float64, len(costs))
	for i, c := range costs {
		figures[i] = r.of(c, float64(w.objects))
	}
	return figures
}
