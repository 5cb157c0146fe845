// Package growth reports how the cost of two contenders grows with the size of their work: as pictures, and as a
// table of exponents.
//
// A cost that is proportional to the size has exponent 1. Small works have fixed costs, which make a curve
// flatter at its start; so the table also has the exponent of the last decade, in which sizes differ by a factor
// of ten. Whatever exceeds [Limit] in either is listed below the table, and the text of the document must explain
// it.
package growth

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/listwatch/listwatch/bench/internal/chart"
	"github.com/listwatch/listwatch/bench/internal/report"
)

// Limit is the largest exponent that needs no explanation: measurements differ by a few percent.
const Limit = 1.05

// Picture is a chart of the costs of contenders, ours first.
type Picture struct {
	// File is the name of its file, without the extension.
	File string
	chart.Chart
}

// Section returns the section of the document: the conditions of the measurement, the pictures, which are in a
// directory relative to the document, and the exponents.
func Section(conditions, dir string, pictures []Picture) string {
	var b strings.Builder
	b.WriteString(conditions + "\n\n<p>\n")
	for _, p := range pictures {
		fmt.Fprintf(&b, "<img src=%q width=\"49%%\" alt=%q>\n", dir+"/"+p.File+".svg", p.Title+", "+p.Y)
	}
	b.WriteString("</p>\n\n" + table(pictures).Markdown() + "\n" + exceeding(pictures) + "\n")
	return b.String()
}

// table has a row for each curve.
func table(pictures []Picture) report.Table {
	t := report.Table{Head: []string{"work", "of", "from", "cost", "to", "cost", "exponent", "last decade"}}
	for _, p := range pictures {
		for _, c := range p.Curves {
			first, last := c.Points[0], c.Points[len(c.Points)-1]
			t.Rows = append(t.Rows, []string{
				p.name(), c.Name,
				fmt.Sprint(first.X), figure(first.Y), fmt.Sprintf("%.0f", last.X), figure(last.Y),
				exponent(c), exponent(end(c)),
			})
		}
	}
	return t
}

// name is the name of a picture's curves in the table.
func (p Picture) name() string { return p.Title + ", " + p.Y }

// end is the last decade of a curve.
func end(c chart.Curve) chart.Curve { return c.From(c.Points[len(c.Points)-1].X / 10) }

// exceeding lists what of ours has a larger exponent than Limit.
func exceeding(pictures []Picture) string {
	var all []string
	for _, p := range pictures {
		c := p.Curves[0]
		if v := max(c.Exponent(), end(c).Exponent()); v > Limit {
			all = append(all, fmt.Sprintf("*%s* (%s, %.2f)", p.Title, p.Y, v))
		}
	}
	if all == nil {
		return fmt.Sprintf("No exponent of %s is above %.2f.", pictures[0].Curves[0].Name, Limit)
	}
	return fmt.Sprintf("Exponents of %s above %.2f: %s.", pictures[0].Curves[0].Name, Limit, strings.Join(all, "; "))
}

func exponent(c chart.Curve) string {
	v := c.Exponent()
	if math.IsNaN(v) {
		return ""
	}
	return strings.Replace(fmt.Sprintf("%.2f", v), "-0.00", "0.00", 1)
}

func figure(v float64) string { return fmt.Sprintf("%.3g", v) }

// Write writes the pictures into a directory.
func Write(dir string, pictures []Picture) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, p := range pictures {
		if err := os.WriteFile(filepath.Join(dir, p.File+".svg"), []byte(p.SVG()), 0o666); err != nil {
			return err
		}
	}
	return nil
}
