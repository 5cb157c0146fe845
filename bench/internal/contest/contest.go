// Package contest compares the cost of two implementations, the contenders, for the same work.
//
// A [Contest] is a program: its main function is [Contest.Main]. In each round, each contender runs
// every [Work] in its own process; they alternate in running first. Another process is the HTTP
// server. A process measures itself, as documented in package measure, without its start and, for
// repeated work, without the first repetitions.
// With the flag -newer, only the rows marked by [Row.Main] are measured; with -growth, each [Growth] is instead.
//
// A run reports the objects that it has seen to its [Observer], and it is an error if the contenders
// did not see the same objects. A [Row] of the table is a cost of the runs, or a figure that they
// measured themselves.
package contest

import (
	"errors"
	"flag"
	"fmt"
	"hash"
	"hash/fnv"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"

	"github.com/listwatch/listwatch/bench/internal/measure"
	"github.com/listwatch/listwatch/bench/internal/report"
)

// Contest is a comparison.
type Contest struct {
	// Name is the name of the program, and of its section in docs/benchmarks.md.
	Name string
	// Module is set if the program is a module of its own and runs in its directory, one below the directory bench.
	Module bool
	// Contenders are the names in the table's header, the peer first.
	Contenders [2]string
	Works      []Work
	// Growths are measured and drawn instead of Works with the flag -growth.
	Growths []Growth
	// Serve, if set, returns the HTTP handler for works on a number of objects.
	Serve func(objects int) (http.Handler, error)
	// Build, if set, builds the program of a contender in a directory. Otherwise it is this program.
	Build func(contender int, dir string) (program string, err error)
	// Verify, if set, is called before all works. It returns an error if the contenders have
	// different results.
	Verify func(works []Work, env Env) error
}

// Work is the work behind one or more rows of the table.
type Work struct {
	// Name is its name in the table.
	Name string
	// Objects is the number of objects in a measured run, WarmUp the number before it.
	Objects, WarmUp int
	// Rows are the reported figures of a run.
	Rows []Row
	// SeesOthers is set if a run sees another number of objects than Objects.
	SeesOthers bool
	// Start prepares the contender with this index.
	Start func(contender int, env Env) (Run, error)
}

// Run processes n objects and reports each to the observer. Its result counts as live
// memory.
type Run func(n int, o *Observer) (kept any, err error)

// Env is the environment of works.
type Env struct {
	// URL is the address of the server, if there is one.
	URL string
}

// Observer records the results of a run. It is not safe for concurrent use.
type Observer struct {
	seen    int
	digest  uint64 // a sum over objects, whose order does not count
	figures map[string]float64

	hash hash.Hash64
	text []byte // reused, so that seeing an object allocates nothing
}

func newObserver() *Observer { return &Observer{hash: fnv.New64a(), figures: map[string]float64{}} }

// See records an object. Contenders can see objects in different orders.
func (o *Observer) See(object interface {
	GetName() string
	GetResourceVersion() string
}) {
	o.seen++
	o.text = append(append(o.text[:0], object.GetName()...), object.GetResourceVersion()...)
	o.hash.Reset()
	o.hash.Write(o.text)
	o.digest += o.hash.Sum64()
}

// CPU calls f some times, and records the CPU time of one call in seconds as a figure.
func (o *Observer) CPU(measured string, times int, f func() error) error {
	start := measure.CPU()
	for range times {
		if err := f(); err != nil {
			return err
		}
	}
	o.Figure(measured, (measure.CPU()-start).Seconds()/float64(times))
	return nil
}

// Figure records a figure for the row of that name; see [Less] and [More].
func (o *Observer) Figure(measured string, value float64) { o.figures[measured] = value }

// document is the page with the results, relative to the directory bench.
var document = filepath.Join("..", "docs", "benchmarks.md")

// document returns the page with the results, relative to where the program runs.
func (c Contest) document() string {
	if c.Module {
		return filepath.Join("..", document)
	}
	return document
}

// pictureDir is the directory of the pictures in it, relative to the directory bench.
var pictureDir = filepath.Join(filepath.Dir(document), pictures)

// Try runs all work in two rounds on a few objects, and all growths, and returns an error unless every row gets a
// figure, and every curve an exponent. It is for tests, whose main function must call [Contest.Child].
func (c Contest) Try(objects, warmUp int, profiles string) error {
	c.Works, c.Growths = slices.Clone(c.Works), slices.Clone(c.Growths)
	for i := range c.Works {
		c.Works[i].Objects, c.Works[i].WarmUp = objects, warmUp
	}
	const rounds = 2
	results, err := competition{Contest: c, rounds: rounds, profiles: profiles, progress: io.Discard}.run()
	if err != nil {
		return err
	}
	for _, r := range results {
		for i, outcomes := range r.outcomes {
			if len(outcomes) != rounds {
				return fmt.Errorf("%s, %s: %d outcomes, want %d", r.work.Name, c.Contenders[i], len(outcomes), rounds)
			}
			for _, row := range r.work.Rows {
				for _, figure := range row.figures(r.work, outcomes) {
					if math.IsNaN(figure) || math.IsInf(figure, 0) {
						return fmt.Errorf("%s, %s: %s is %v", r.work.Name, c.Contenders[i], row.measured, figure)
					}
				}
			}
		}
	}
	for i := range c.Growths {
		c.Growths[i].Sizes = []int{objects, 2 * objects}
	}
	drawn, err := competition{Contest: c, rounds: rounds, profiles: profiles, progress: io.Discard}.grow()
	for _, p := range drawn {
		for _, curve := range p.Curves {
			if e := curve.Exponent(); math.IsNaN(e) || math.IsInf(e, 0) {
				return fmt.Errorf("%s, %s of %s: the exponent is %v", p.Title, p.Y, curve.Name, e)
			}
		}
	}
	return err
}

// HasSections returns an error unless the document has all sections for the contest. The document is
// found relative to the directory of the contest's program.
func (c Contest) HasSections() error {
	names := []string{c.Name}
	if newer := c.newer(); len(newer.Works) > 0 {
		names = append(names, newer.Name)
	}
	if c.Growths != nil {
		names = append(names, c.growthSection())
	}
	for _, name := range names {
		if _, err := report.FillSection(filepath.Join("..", document), name, "figures"); err != nil {
			return err
		}
	}
	return nil
}

// Main is the main function of the contest's program, which runs in the directory bench.
func (c Contest) Main() {
	if asked, err := c.Child(); asked {
		c.exit(err)
	}
	rounds := flag.Int("rounds", 5, "how often each does every work")
	pattern := flag.String("works", "", "do only the work whose name matches this regular `expression`")
	profiles := flag.String("profiles", "", "write CPU and allocation profiles to this `directory`; figures are then less reliable")
	newer := flag.Bool("newer", false, "measure the main rows only; for another Go than the one of the table")
	growth := flag.Bool("growth", false, "measure how costs grow, instead of the table")
	largest := flag.Int("largest", math.MaxInt, "with -growth, measure no larger size")
	write := flag.Bool("write", false, "put the result into docs/benchmarks.md")
	flag.Parse()
	match, err := regexp.Compile(*pattern)
	if err != nil || flag.NArg() > 0 || *rounds < 1 {
		flag.Usage()
		os.Exit(2)
	}
	c.Works = slices.DeleteFunc(slices.Clone(c.Works), func(w Work) bool { return !match.MatchString(w.Name) })
	c.Growths = slices.DeleteFunc(slices.Clone(c.Growths), func(g Growth) bool { return !match.MatchString(g.Name) })
	for i := range c.Growths {
		g := &c.Growths[i]
		g.Sizes = slices.DeleteFunc(slices.Clone(g.Sizes), func(size int) bool { return size > *largest })
	}
	run := competition{Contest: c, rounds: *rounds, profiles: *profiles, progress: os.Stderr}
	if *newer {
		run.Contest = c.newer()
	}
	if *growth {
		c.exit(run.reportGrowth(*write, os.Stdout))
	}
	c.exit(run.report(*write, os.Stdout))
}

// newer returns the contest of the main rows, which has its own section.
func (c Contest) newer() Contest {
	c.Name += "-newer"
	var works []Work
	for _, w := range c.Works {
		w.Rows = slices.DeleteFunc(slices.Clone(w.Rows), func(r Row) bool { return !r.main })
		if len(w.Rows) > 0 {
			works = append(works, w)
		}
	}
	c.Works = works
	return c
}

func (c Contest) exit(err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", c.Name, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// report runs all and prints the table.
func (c competition) report(write bool, out io.Writer) error {
	return c.intoSection(c.Name, write, out, func(version string) (string, error) {
		results, err := c.run()
		if err != nil {
			return "", err
		}
		return c.section(report.Machine(), version, c.rounds, results), nil
	})
}

// intoSection prints the text that do returns, and puts it into a section of the document if requested. A
// document without the section is an error before do is called with the version of client-go.
func (c competition) intoSection(section string, write bool, out io.Writer, do func(version string) (string, error)) error {
	if write {
		if _, err := report.FillSection(c.document(), section, ""); err != nil {
			return err
		}
	}
	version, err := clientGoVersion()
	if err != nil {
		return err
	}
	text, err := do(version)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(out, text); err != nil || !write {
		return err
	}
	changed, err := report.FillSection(c.document(), section, text)
	if err != nil {
		return err
	}
	return os.WriteFile(c.document(), []byte(changed), 0o666)
}

// clientGoVersion returns the version of client-go that this program is built with.
func clientGoVersion() (string, error) {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "k8s.io/client-go" {
				return m.Version, nil
			}
		}
	}
	return "", errors.New("this program does not know what it was built with")
}
