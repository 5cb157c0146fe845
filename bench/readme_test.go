// Package bench_test checks that README's figures equal those in docs/benchmarks.md.
package bench_test

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// measured maps the rows of README's table to the source of their figures in docs/benchmarks.md.
// The generators' table has a row for each set of tools.
var measured = map[string]origin{
	"generate everything for a CRD project":                     {row{"a CRD project", "code-generator's six, controller-gen"}, row{"a CRD project", "gen-all"}},
	"generate clients for one CRD group":                        generated("one CRD group"),
	"generate clients for `k8s.io/api`":                         generated("all of k8s.io/api"),
	"informer: sync of 50,000 objects over HTTP":                both("sync of 50,000 over HTTP", "wall s"),
	"informer: watch events over HTTP to a handler, per second": both("50,000 watch events over HTTP, to a handler", "per second"),
	"lister: one namespace, 2,000 of 100,000 objects":           both("lister, namespace of 2,000", "CPU µs each"),
	"memory for a cached object":                                both("sync of 50,000 over HTTP", "live heap, bytes each"),
	"decode a Pod from protobuf":                                both("decode a Pod, protobuf", "CPU µs each"),
}

// elsewhere contains the rows whose figures another test prints.
var elsewhere = map[string]bool{"binary of a controller for one custom resource, stripped": true} // conformance/linking

// missed are README's texts about a missed target, with the row they refer to.
var missed = map[string]row{
	`cached object ([\d.]+)x \(target ([\d.]+)x\)`:          {"sync of 50,000 over HTTP", "live heap, bytes each"},
	`through a lister ([\d.]+)x\s+\(([\d.]+)x\)`:            {"lister, all of 100,000", "CPU µs each"},
	`through its indexer ([\d.]+)x\s+\(([\d.]+)x\)`:         {"indexer, list of 100,000", "CPU µs each"},
	`through the indexer ([\d.]+)x\s+\(([\d.]+)x\)`:         {"indexer, 2,000 by namespace", "CPU µs each"},
	`sync of 50,000 objects ([\d.]+)x\s+\(([\d.]+)x\)`:      {"sync of 50,000 over HTTP", "CPU s"},
	`work queue with 4\s+workers ([\d.]+)x\s+\(([\d.]+)x\)`: {"work queue, 4 workers", "per second"},
}

// row is the first two cells of a row.
type row [2]string

// origin names the rows with the figures of the peer and with ours, which may be the same.
type origin struct{ peer, ours row }

func generated(input string) origin {
	return origin{row{input, "client-gen, lister-gen, informer-gen"}, row{input, "gen-all"}}
}

func both(work, figure string) origin { return origin{row{work, figure}, row{work, figure}} }

func TestReadmeFigures(t *testing.T) {
	readme, tables := read(t, "../README.md"), rows(read(t, "../docs/benchmarks.md"))
	found := map[string]bool{}
	for head, cells := range rows(readme) {
		name := head[0]
		if len(cells) != 4 || !strings.HasSuffix(cells[3], "x") || elsewhere[name] {
			continue
		}
		from, ok := measured[name]
		if !ok {
			t.Errorf("README has figures for %q, and this test does not know where they come from", name)
			continue
		}
		found[name] = true
		peer, ours := tables[from.peer], tables[from.ours]
		if peer == nil || ours == nil {
			t.Errorf("docs/benchmarks.md has no row %q or %q", from.peer, from.ours)
			continue
		}
		want := []string{peer[2], ours[3], ours[4]}
		if from.peer != from.ours { // the generators: wall time, and by how much less it is
			want = []string{peer[5], ours[5], ours[10]}
		}
		for i, w := range want {
			if got := cells[1+i]; !near(number(t, got), number(t, w)) {
				t.Errorf("%s: README says %s, docs/benchmarks.md %s", name, got, w)
			}
		}
	}
	for name := range measured {
		if !found[name] {
			t.Errorf("README has no row %q", name)
		}
	}
}

func TestReadmeMissedTargets(t *testing.T) {
	readme, tables := read(t, "../README.md"), rows(read(t, "../docs/benchmarks.md"))
	for pattern, from := range missed {
		words := regexp.MustCompile(pattern).FindStringSubmatch(strings.Join(strings.Fields(readme), " "))
		cells := tables[from]
		if words == nil || cells == nil {
			t.Errorf("README has no %q, or docs/benchmarks.md no row %q", pattern, from)
			continue
		}
		if got, want := words[1]+"x "+words[2]+"x", cells[4]+" "+cells[7]; got != want {
			t.Errorf("%q: README says %s, docs/benchmarks.md %s", from, got, want)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// rows returns the rows of the tables in a document, by their first two cells.
func rows(document string) map[row][]string {
	all := map[row][]string{}
	for line := range strings.Lines(document) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "|") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(cells) > 2 {
			all[row{cells[0], cells[1]}] = cells
		}
	}
	return all
}

// number returns the number at the start of a cell.
func number(t *testing.T, cell string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(strings.TrimRight(strings.ReplaceAll(cell, ",", ""), " abcdefghijklmnopqrstuvwxyzMBµ"), 64)
	if err != nil {
		t.Error(err)
	}
	return n
}

// near reports whether two figures are equal when rounded to two digits.
func near(a, b float64) bool { return math.Abs(a-b) <= 0.025*math.Max(a, b) }
