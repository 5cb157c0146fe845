// Package contest has two contenders do the same work and compares what it costs them.
//
// A [Contest] is a program of its own: its main function is [Contest.Main]. Round after round, each
// contender does every [Work] in a process of its own; they take turns in being first. What goes over
// HTTP comes from a server in yet another process. A process measures itself, as package measure says,
// without its start and, for work that is done many times over, without the first times.
//
// A run tells its [Observer] which objects it has seen, and it is an error if the contenders did not see the
// same; a [Row] of the table is a figure of what runs cost, or one that they found out by themselves.
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

	"github.com/listwatch/listwatch/bench/internal/report"
)

// Contest is what is compared.
type Contest struct {
	// Name is that of the program, and of its section in docs/benchmarks.md.
	Name string
	// Contenders are the names in the table's head, the peer first.
	Contenders [2]string
	Works      []Work
	// Serve, if set, returns what answers over HTTP, for works on so many objects.
	Serve func(objects int) (http.Handler, error)
	// Verify, if set, is called before all works, and returns an error if the contenders do not do the
	// same.
	Verify func(works []Work, env Env) error
}

// Work is what a contender does in one row, or several, of the table.
type Work struct {
	// Name stands in the table.
	Name string
	// Objects is how many a measured run is about, WarmUp how many come before.
	Objects, WarmUp int
	// Rows are what is reported of a run.
	Rows []Row
	// SeesOthers says that a run does not see as many objects as it is about.
	SeesOthers bool
	// Start makes a contender ready, by its index.
	Start func(contender int, env Env) (Run, error)
}

// Run works on n objects and tells of each that it has seen. What it returns counts as live.
type Run func(n int, o *Observer) (kept any, err error)

// Env is what works are done in.
type Env struct {
	// URL is where the server is, if there is one.
	URL string
}

// Observer takes down what a run finds. It is not safe for concurrent use.
type Observer struct {
	seen    int
	digest  uint64 // a sum over objects, whose order does not count
	figures map[string]float64

	hash hash.Hash64
	text []byte // used again, so that looking at an object allocates nothing
}

func newObserver() *Observer { return &Observer{hash: fnv.New64a(), figures: map[string]float64{}} }

// See takes down an object. Contenders may see objects in different orders.
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

// Figure takes down a figure for the row of that name; see [Less] and [More].
func (o *Observer) Figure(measured string, value float64) { o.figures[measured] = value }

// document is the page that holds the results, seen from the folder bench.
var document = filepath.Join("..", "docs", "benchmarks.md")

// Try has the contenders do all work in two rounds on a few objects and returns an error unless
// every row gets a figure. It is for tests, whose main function must call [Contest.Child].
func (c Contest) Try(objects, warmUp int, profiles string) error {
	c.Works = slices.Clone(c.Works)
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
	return nil
}

// HasSection returns an error unless the document, seen from the folder of the contest's program, has
// a section for the contest.
func (c Contest) HasSection() error {
	_, err := report.FillSection(filepath.Join("..", document), c.Name, "figures")
	return err
}

// Main is the main function of the contest's program, which runs in the folder bench.
func (c Contest) Main() {
	if asked, err := c.Child(); asked {
		c.exit(err)
	}
	rounds := flag.Int("rounds", 5, "how often each does every work")
	pattern := flag.String("works", "", "do only the work whose name matches this regular `expression`")
	profiles := flag.String("profiles", "", "leave profiles of CPU time and allocations in this `folder`; figures are of less worth then")
	write := flag.Bool("write", false, "put the table into docs/benchmarks.md")
	flag.Parse()
	match, err := regexp.Compile(*pattern)
	if err != nil || flag.NArg() > 0 || *rounds < 1 {
		flag.Usage()
		os.Exit(2)
	}
	c.Works = slices.DeleteFunc(slices.Clone(c.Works), func(w Work) bool { return !match.MatchString(w.Name) })
	c.exit(competition{Contest: c, rounds: *rounds, profiles: *profiles, progress: os.Stderr}.report(*write, os.Stdout))
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
	if write {
		if _, err := report.FillSection(document, c.Name, ""); err != nil {
			return err
		}
	}
	version, err := clientGoVersion()
	if err != nil {
		return err
	}
	results, err := c.run()
	if err != nil {
		return err
	}
	text := c.section(report.Machine(), version, c.rounds, results)
	if _, err := io.WriteString(out, text); err != nil || !write {
		return err
	}
	changed, err := report.FillSection(document, c.Name, text)
	if err != nil {
		return err
	}
	return os.WriteFile(document, []byte(changed), 0o666)
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
