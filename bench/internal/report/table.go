// Package report formats the results of the benchmarks as Markdown.
//
// A [Table] is a list of rows. A section is the part of a document between two markers, which a
// benchmark owns and [ReplaceSection] rewrites; text outside the markers is hand-written and never
// changed. [Machine] describes the machine of the measurement.
package report

import (
	"strings"
	"unicode/utf8"
)

// Table is a header and rows with the same number of cells. Its first two columns are text, the
// others are figures.
type Table struct {
	Head []string
	Rows [][]string
}

const words = 2

// Markdown returns the table with aligned columns, so that it is readable as text.
func (t Table) Markdown() string {
	widths := make([]int, len(t.Head))
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	writeRow(&b, widths, t.Head)
	for i, width := range widths {
		if i < words {
			b.WriteString("|" + strings.Repeat("-", width+2))
		} else {
			b.WriteString("|" + strings.Repeat("-", width+1) + ":")
		}
	}
	b.WriteString("|\n")
	for _, row := range t.Rows {
		writeRow(&b, widths, row)
	}
	return b.String()
}

func writeRow(b *strings.Builder, widths []int, row []string) {
	for i, cell := range row {
		padding := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		if i < words {
			b.WriteString("| " + cell + padding + " ")
		} else {
			b.WriteString("| " + padding + cell + " ")
		}
	}
	b.WriteString("|\n")
}
