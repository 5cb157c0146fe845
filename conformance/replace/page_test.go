//go:build programs

package replace_test

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/listwatch/listwatch/conformance/internal/peers"
	"github.com/listwatch/listwatch/conformance/replace"
)

//go:embed replace.md.tmpl
var text string

// document is the template of docs/replace.md. Its lines that start with "{{range" are the rows of a table.
var document = template.Must(template.New("").Parse(text))

// page is docs/replace.md: the rows of its tables.
type page struct {
	name string

	Programs, Differences []string
}

// readPage reads the page, so that the rows of programs that are not run stay.
func readPage(t *testing.T) *page {
	t.Helper()
	root, err := peers.Root()
	if err != nil {
		t.Fatal(err)
	}
	p := &page{name: filepath.Join(root, "docs", "replace.md")}
	old, err := os.ReadFile(p.name)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	tables := []*[]string{&p.Programs, &p.Differences}
	n := -1
	for line := range strings.Lines(string(old)) {
		switch {
		case strings.HasPrefix(line, "|---"):
			n++
		case strings.HasPrefix(line, "| [") && n >= 0 && n < len(tables):
			*tables[n] = append(*tables[n], strings.TrimSpace(line))
		}
	}
	return p
}

// set replaces the rows of a program.
func (all *page) set(p program, before, after *replace.Results) {
	for _, rows := range []*[]string{&all.Programs, &all.Differences} {
		*rows = slices.DeleteFunc(*rows, func(row string) bool { return nameOf(row) == p.Name })
	}
	row := func(cells ...string) string {
		name := fmt.Sprintf("[%s](https://pkg.go.dev/%s@%s)", p.Name, p.Path, p.Version)
		return "| " + strings.Join(append([]string{name}, cells...), " | ") + " |"
	}
	differences := replace.Differences(before, after)
	packages := cmp.Or(strings.Join(p.Packages, ", "), "all")
	all.Programs = append(all.Programs, row(p.Version, fmt.Sprintf("%s (%d)", packages, len(before.Packages)+len(before.Broken)),
		summary(before), summary(after), fmt.Sprint(len(differences)), p.Notes))
	byReason := map[string][]string{}
	var order []string
	for _, d := range differences {
		cells := fmt.Sprintf("`%s` | %%s | %s | %s | %s", d.Package, d.Before, d.After, cmp.Or(p.reason(d), "not explained yet"))
		if byReason[cells] == nil {
			order = append(order, cells)
		}
		byReason[cells] = append(byReason[cells], strings.ReplaceAll(cmp.Or(d.Test, "the package"), "|", "\\|"))
	}
	for _, cells := range order {
		all.Differences = append(all.Differences, row(strings.Replace(cells, "%s", strings.Join(byReason[cells], ", "), 1)))
	}
	position := map[string]int{}
	for i, p := range programs {
		position[p.Name] = i
	}
	for _, rows := range []*[]string{&all.Programs, &all.Differences} {
		slices.SortStableFunc(*rows, func(a, b string) int { return position[nameOf(a)] - position[nameOf(b)] })
	}
}

// nameOf returns the program of a row.
func nameOf(row string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(row, "| ["), "]")
	return name
}

// write writes the page.
func (all *page) write(t *testing.T) {
	t.Helper()
	var out bytes.Buffer
	if err := document.Execute(&out, all); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(all.name, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
