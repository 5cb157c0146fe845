// Package bench_test checks that the figures of README and of a guide equal those in docs/benchmarks.md.
package bench_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/listwatch/listwatch/internal/golden"
)

// measured maps the rows of tables in documents to the source of their figures in docs/benchmarks.md.
// The generators' table has a row for each set of tools.
var measured = map[string]origin{
	"generate everything for a CRD project":                     {peer: row{"a CRD project", "code-generator's six, controller-gen"}, ours: row{"a CRD project", "gen-all"}},
	"generate clients for one CRD group":                        generated("one CRD group"),
	"generate clients for `k8s.io/api`":                         generated("all of k8s.io/api"),
	"informer: sync of 50,000 objects over HTTP":                both("sync of 50,000 over HTTP", "wall s"),
	"informer: watch events over HTTP to a handler, per second": both("50,000 watch events over HTTP, to a handler", "per second"),
	"lister: one namespace, 2,000 of 100,000 objects":           both("lister, namespace of 2,000", "CPU µs each"),
	"memory for a cached object":                                both("sync of 50,000 over HTTP", "live heap, bytes each"),

	"informer of client-gen: sync of 50,000 objects over HTTP":                replaced("sync of 50,000 over HTTP", "wall s"),
	"informer of client-gen: watch events over HTTP to a handler, per second": replaced("50,000 watch events over HTTP, to a handler", "per second"),
	"informer of client-gen: memory for a cached object":                      replaced("sync of 50,000 over HTTP", "live heap, bytes each"),
	"clientset of client-gen: list of 50,000 objects, CPU":                    replaced("list of 50,000 over HTTP", "CPU s"),
	"dynamic informer: sync of 50,000 objects over HTTP":                      replaced("untyped sync of 50,000 over HTTP", "wall s"),
}

// elsewhere contains the rows whose figures another test prints.
var elsewhere = map[string]bool{ // conformance/size/linking
	"binary of a controller for one custom resource, stripped": true,
	"binary of a controller on client-go, stripped":            true,
	// conformance/runtime/replace
	"kube-controller-manager with 20,000 pods: CPU in its first minute": true,
}

// row is the first two cells of a row.
type row [2]string

// origin names the rows with the figures of the peer and with ours, which may be the same, below a heading, or
// anywhere.
type origin struct {
	peer, ours row
	below      string
}

func generated(input string) origin {
	return origin{peer: row{input, "client-gen, lister-gen, informer-gen"}, ours: row{input, "gen-all"}}
}

func both(work, figure string) origin {
	return origin{peer: row{work, figure}, ours: row{work, figure}}
}

// replaced is the figures of a program of client-go's, without and with the line in go.mod.
func replaced(work, figure string) origin {
	return origin{peer: row{work, figure}, ours: row{work, figure}, below: "\n## One line in go.mod\n"}
}

const documentFile = "../docs/benchmarks.md"

// quoting are the documents whose tables have figures of docs/benchmarks.md.
var quoting = []string{"../README.md", "../docs/guides/replace.md"}

func TestReadmeFigures(t *testing.T) {
	document, found := read(t, documentFile), map[string]bool{}
	for _, file := range quoting {
		before := read(t, file)
		after := before
		for line := range strings.Lines(before) {
			name := cells(line)[0]
			from, ok := measured[name]
			if !ok {
				if c := cells(line); len(c) == 4 && strings.HasSuffix(c[3], "x") && !elsewhere[name] {
					t.Errorf("%s has figures for %q, and this test does not know where they come from", file, name)
				}
				continue
			}
			found[name] = true
			want, err := from.line(name, line, document)
			if err != nil {
				t.Error(err)
				continue
			}
			if want != line && golden.Update {
				after = strings.Replace(after, line, want, 1)
			} else if want != line {
				t.Errorf("%s says\n%sdocs/benchmarks.md\n%sLISTWATCH_UPDATE=1 go test . -run Readme in the directory bench changes it", file, line, want)
			}
		}
		if after != before {
			write(t, file, after)
		}
	}
	for name := range measured {
		if !found[name] {
			t.Errorf("no document has a row %q", name)
		}
	}
}

// TestGrowthIsExplained checks that the text names everything of ours that grows faster than linearly.
func TestGrowthIsExplained(t *testing.T) {
	document := read(t, documentFile)
	for _, line := range regexp.MustCompile(`(?m)^Exponents of .*`).FindAllString(document, -1) {
		for _, title := range regexp.MustCompile(`(\*[^*]+\*) \(`).FindAllStringSubmatch(line, -1) {
			if strings.Count(document, title[1]) < 1+strings.Count(line, title[1]) {
				t.Errorf("the text does not explain the growth of %s", title[1])
			}
		}
	}
}

// line returns a row of a table with the figures of the tables of a document.
func (o origin) line(name, line, document string) (string, error) {
	_, text, _ := strings.Cut(document, o.below)
	tables := rows(text)
	peer, ours := tables[o.peer], tables[o.ours]
	if peer == nil || ours == nil {
		return "", fmt.Errorf("docs/benchmarks.md has no row %q or %q", o.peer, o.ours)
	}
	figures := []string{peer[2], ours[3], ours[4]}
	if o.peer != o.ours { // the generators: wall time, and by how much less it is
		figures = []string{peer[5], ours[5], ours[10]}
	}
	text = "| " + name + " "
	for i, cell := range cells(line)[1:] {
		unit := strings.TrimLeft(cell, "0123456789.,")
		text += "| " + rounded(figures[i]) + unit + " "
	}
	return text + "|\n", nil
}

// rounded returns a figure with three digits, ratios and what is below 1 with two, but all before the point: 5.86,
// 0.069, 115, 8,487.
func rounded(figure string) string {
	number, ratio := strings.CutSuffix(figure, "x")
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return figure
	}
	digits := 3
	if ratio || v < 1 {
		digits = 2
	}
	point := max(0, digits-1-int(math.Floor(math.Log10(max(v, 0.001)))))
	text := strconv.FormatFloat(v, 'f', point, 64)
	for i := len(text) - 3; point == 0 && i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

func TestRounded(t *testing.T) {
	for figure, want := range map[string]string{"5.862": "5.86", "0.0712": "0.071", "114.8x": "115", "8487": "8,487", "1234567": "1,234,567", "5.8x": "5.8", "0.8x": "0.80", "0.397": "0.40", "21.34": "21.3", "31.0x": "31"} {
		if got := rounded(figure); got != want {
			t.Errorf("%s: got %s, want %s", figure, got, want)
		}
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
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
		if c := cells(line); len(c) > 2 && all[row{c[0], c[1]}] == nil { // the others are with another Go
			all[row{c[0], c[1]}] = c
		}
	}
	return all
}

// cells returns the cells of a row of a table; of other lines one that is empty.
func cells(line string) []string {
	if line = strings.TrimSpace(line); !strings.HasPrefix(line, "|") {
		return []string{""}
	}
	all := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all
}
