package contest

import (
	"fmt"
	"slices"

	"github.com/listwatch/listwatch/bench/internal/measure"
	"github.com/listwatch/listwatch/bench/internal/report"
)

// section returns the section of the document: the conditions of the measurement, and the results.
func (c Contest) section(machine, version string, rounds int, results []*result) string {
	return fmt.Sprintf("%s; client-go %s; medians of %d alternating rounds.\n\n%s",
		machine, version, rounds, c.table(results).Markdown())
}

// table compares the contenders, row by row.
func (c Contest) table(results []*result) report.Table {
	t := report.Table{Head: []string{"work", "measured", c.Contenders[0], c.Contenders[1], "better", "from", "to", "target"}}
	for _, r := range results {
		for _, row := range r.work.Rows {
			theirs, ours := row.figures(r.work, r.outcomes[0]), row.figures(r.work, r.outcomes[1])
			ratios := make([]float64, len(theirs))
			for i := range ratios {
				ratios[i] = row.better(theirs[i], ours[i])
			}
			t.Rows = append(t.Rows, []string{
				r.work.Name, row.measured,
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
func (r Row) figures(w Work, outcomes []outcome) []float64 {
	figures := make([]float64, len(outcomes))
	for i, o := range outcomes {
		figures[i] = r.of(o, float64(w.Objects))
	}
	return figures
}
