// Package report writes what the benchmarks measured as Markdown.
//
// A [Table] is a list of rows. A section is the part of a document between two
// markers, which a benchmark owns and [ReplaceSection] rewrites; what stands
// outside the markers is written by hand and is never touched. [Machine] says
// where the figures were taken.
package report

import (
	"strings"
	"unicode/utf8"
)

// Table is a head and rows of as many cells. Its first two columns are words,
// the others are figures.
type Table struct {
	Head []string
	Rows [][]string
}

const words = 2

// Markdown returns the table with its columns aligned, for people who read it
// as text.
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
