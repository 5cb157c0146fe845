package contest

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/listwatch/listwatch/bench/internal/chart"
	"github.com/listwatch/listwatch/bench/internal/growth"
	"github.com/listwatch/listwatch/bench/internal/measure"
	"github.com/listwatch/listwatch/bench/internal/report"
)

// Growth is a work of growing size, whose costs are drawn as curves.
type Growth struct {
	// Name is the name of the work, X that of its size.
	Name, X string
	// Sizes are the sizes, in increasing order. The peer stops at PeerUpTo, unless that is 0. Sizes of Once and more
	// are measured in the first round only, unless that is 0.
	Sizes          []int
	PeerUpTo, Once int
	// Alone, if set, is the name of our curve. The peer is not measured, and the curve is added to the picture of the same file
	// that a growth before has.
	Alone string
	// WarmUp is the size of a run before the measured one, or 0.
	WarmUp int
	// Drawings have a picture each.
	Drawings []Drawing
	// Start prepares the contender with this index. The run gets the size.
	Start func(contender int, env Env) (Run, error)
}

// Drawing is one figure of the runs of a [Growth].
type Drawing struct {
	// File is the name of the picture's file, Title its title.
	File, Title string
	// Row is the figure; its name is the quantity of the vertical axis.
	Row Row
}

// work returns the growth as a work of one size.
func (g Growth) work(size int) Work {
	return Work{Name: g.Name, Objects: size, WarmUp: g.WarmUp, SeesOthers: true, Start: g.Start}
}

// rounds returns the number of rounds of a size.
func (g Growth) rounds(size, rounds int) int {
	if g.Once > 0 && size >= g.Once {
		return 1
	}
	return rounds
}

// contenders returns the contenders for a size.
func (g Growth) contenders(size int) []int {
	if g.Alone != "" || g.PeerUpTo > 0 && size > g.PeerUpTo {
		return []int{ours}
	}
	return []int{peer, ours}
}

// peer and ours are the indexes of the contenders.
const (
	peer = iota
	ours
)

// grow measures all sizes and returns the pictures.
func (c competition) grow() ([]growth.Picture, error) {
	env, stop, err := c.startServer(1)
	if err != nil {
		return nil, err
	}
	pictures, err := c.draw(env)
	return pictures, cmp.Or(stop(), err)
}

func (c competition) draw(env Env) ([]growth.Picture, error) {
	var pictures []growth.Picture
	for _, g := range c.Growths {
		results, err := c.measure(g, env)
		if err != nil {
			return nil, err
		}
		for _, d := range g.Drawings {
			at := slices.IndexFunc(pictures, func(p growth.Picture) bool { return p.File == d.File })
			if at < 0 {
				at = len(pictures)
				pictures = append(pictures, growth.Picture{File: d.File, Chart: chart.Chart{Title: d.Title, X: g.X, Y: d.Row.measured}})
			}
			for _, contender := range []int{ours, peer} {
				if curve := c.curve(d, results, contender); len(curve.Points) > 0 {
					if g.Alone != "" {
						curve.Name = g.Alone
					}
					pictures[at].Curves = append(pictures[at].Curves, curve)
				}
			}
		}
	}
	return pictures, nil
}

// curve returns the curve of a contender, without points if it was not measured.
func (c competition) curve(d Drawing, results []*result, contender int) chart.Curve {
	curve := chart.Curve{Name: c.Contenders[contender]}
	for _, r := range results {
		if figures := d.Row.figures(r.work, r.outcomes[contender]); len(figures) > 0 {
			curve.Points = append(curve.Points, chart.Point{X: float64(r.work.Objects), Y: measure.Median(figures)})
		}
	}
	return curve
}

// measure returns the results of all sizes.
func (c competition) measure(g Growth, env Env) (results []*result, err error) {
	for _, size := range g.Sizes {
		r := &result{work: g.work(size)}
		for round := 1; round <= g.rounds(size, c.rounds); round++ {
			if err := c.compare(r, round, env, g.contenders(size)); err != nil {
				return nil, err
			}
		}
		results = append(results, r)
	}
	return results, nil
}

// pictures is the directory of the pictures, relative to the document's.
const pictures = "growth"

// growthSection is the section of the document for growths.
func (c Contest) growthSection() string { return c.Name + "-growth" }

// reportGrowth measures how costs grow and prints the section.
func (c competition) reportGrowth(write bool, out io.Writer) error {
	return c.intoSection(c.growthSection(), write, out, func(version string) (string, error) {
		drawn, err := c.grow()
		if err != nil {
			return "", err
		}
		if write {
			if err := growth.Write(pictureDir, drawn); err != nil {
				return "", err
			}
		}
		conditions := fmt.Sprintf("%s; client-go %s; medians of %d rounds, one for the largest.", report.Machine(), version, c.rounds)
		return growth.Section(conditions, pictures, drawn), nil
	})
}

// works returns all works, by which children find theirs.
func (c Contest) works() []Work {
	all := slices.Clone(c.Works)
	for _, g := range c.Growths {
		all = append(all, g.work(0))
	}
	return all
}
