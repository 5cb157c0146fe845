//go:build programs

package programs_test

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/template"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/internal/golden"
)

//go:embed programs.md.tmpl
var text string

// document is the template of docs/programs.md. Its lines that start with "{{range" are the rows
// of a table.
var document = template.Must(template.New("").Parse(text))

// table is docs/programs.md: the rows of each of its tables by the program, which is their
// first cell.
type table struct {
	name string
	old  []byte

	Results, Differences []string
}

// readTable reads the document. What it says about programs that are not run stays.
func readTable(t *testing.T) *table {
	t.Helper()
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	all := &table{name: filepath.Join(root, "docs", "programs.md")}
	if all.old, err = os.ReadFile(all.name); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	tables := []*[]string{&all.Results, &all.Differences}
	n := -1
	for line := range strings.Lines(string(all.old)) {
		switch {
		case strings.HasPrefix(line, "|---"):
			n++
		case strings.HasPrefix(line, "| [") && n >= 0 && n < len(tables):
			*tables[n] = append(*tables[n], strings.TrimSpace(line))
		}
	}
	return all
}

// row returns the line of a table about the program.
func (p program) row(cells ...string) string {
	return "| " + strings.Join(append([]string{fmt.Sprintf("[%s](https://pkg.go.dev/%s@%s)", p.name, p.path, p.version)}, cells...), " | ") + " |"
}

// set replaces the rows of a program, and fails the test if a difference has no reason.
func (all *table) set(t *testing.T, p program, theirs, ours *results) {
	t.Helper()
	for _, rows := range []*[]string{&all.Results, &all.Differences} {
		*rows = slices.DeleteFunc(*rows, func(row string) bool { return strings.HasPrefix(row, "| ["+p.name+"]") })
	}
	with := make([]string, len(p.with))
	for i, m := range p.with {
		with[i] = strings.TrimPrefix(m.path, "github.com/") + " " + m.version
	}
	all.Results = append(all.Results, p.row(strings.Join(with, ", "),
		theirs.compiled(), ours.compiled(), theirs.summary(), ours.summary()))
	all.Differences = append(all.Differences, p.differences(t, theirs, ours)...)
}

// compiled is the number of packages that compile, of all.
func (r *results) compiled() string {
	n := 0
	for _, pkg := range r.packages {
		if r.broken[pkg] == "" {
			n++
		}
	}
	return fmt.Sprintf("%d of %d", n, len(r.packages))
}

func (r *results) summary() string {
	var counts []string
	for _, c := range []struct{ result, word string }{{passes, "passed"}, {fails, "failed"}, {skipped, "skipped"}} {
		if n := r.count(c.result); n > 0 || c.result == passes {
			counts = append(counts, fmt.Sprintf("%d %s", n, c.word))
		}
	}
	return strings.Join(counts, ", ")
}

// differences returns the rows of tests with another result than on client-go.
func (p program) differences(t *testing.T, theirs, ours *results) []string {
	t.Helper()
	byPackage := map[string]map[string][]string{} // tests by package and "before | after"
	for test, before := range theirs.tests {
		after := ours.result(test)
		if after == before {
			continue
		}
		pkg, name, _ := strings.Cut(test, " ")
		if byPackage[pkg] == nil {
			byPackage[pkg] = map[string][]string{}
		}
		key := before + " | " + after
		byPackage[pkg][key] = append(byPackage[pkg][key], name)
	}
	var rows []string
	for _, pkg := range slices.Sorted(maps.Keys(byPackage)) {
		for _, key := range slices.Sorted(maps.Keys(byPackage[pkg])) {
			reasons := map[string][]string{}
			for _, name := range byPackage[pkg][key] {
				found := pkg + " " + name
				if p.differs[found] == "" {
					found = pkg + " *"
				}
				reasons[p.differs[found]] = append(reasons[p.differs[found]], name)
			}
			for _, reason := range slices.Sorted(maps.Keys(reasons)) {
				names := reasons[reason]
				slices.Sort(names)
				if reason == "" {
					t.Errorf("%s: %s %s: %s, without a reason", p.name, pkg, strings.Join(names, " "), key)
				}
				rows = append(rows, p.row("`"+pkg+"`", strings.Join(names, ", "), key, cmp.Or(reason, "unknown")))
			}
		}
	}
	return rows
}

// finish compares the document with the results, or writes it.
func (all *table) finish(t *testing.T) {
	t.Helper()
	position := map[string]int{}
	for i, p := range programs {
		position[p.name] = i
	}
	for _, rows := range []*[]string{&all.Results, &all.Differences} {
		slices.SortStableFunc(*rows, func(a, b string) int {
			return cmp.Compare(position[nameOf(a)], position[nameOf(b)])
		})
	}
	var out bytes.Buffer
	if err := document.Execute(&out, all); err != nil {
		t.Fatal(err)
	}
	if golden.Update {
		if err := os.WriteFile(all.name, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := gocmp.Diff(string(all.old), out.String()); diff != "" {
		t.Errorf("docs/programs.md differs from the results; write it with LISTWATCH_UPDATE=1:\n%s", diff)
	}
}

// nameOf returns the program of a row.
func nameOf(row string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(row, "| ["), "]")
	return name
}
