//go:build programs

package operators_test

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/listwatch/listwatch/conformance/server/operators"
)

//go:embed operators.md.tmpl
var text string

var document = template.Must(template.New("").Parse(text))

// page is docs/operators.md: the rows of its tables.
type page struct {
	name string

	Servers, Caches, Envtest, Managers, Suites []string
}

// readPage reads the page, so that the rows of operators that do not run stay.
func readPage(t *testing.T, name string) *page {
	t.Helper()
	p := &page{name: name}
	old, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	tables := []*[]string{&p.Servers, &p.Caches, &p.Envtest, &p.Managers, &p.Suites}
	n := -1
	for _, line := range strings.Split(string(old), "\n") {
		switch {
		case strings.HasPrefix(line, "|---"):
			n++
		case strings.HasPrefix(line, "| [") && n >= 0 && n < len(tables):
			*tables[n] = append(*tables[n], line)
		}
	}
	return p
}

// set replaces the rows of an operator.
func (p *page) set(o outcome) {
	cell := o.cell()
	var notes []string
	for _, name := range slices.Sorted(reasons(o)) {
		notes = append(notes, fmt.Sprintf("%s: %s", name, o.reason(name)))
	}
	if o.notes != "" {
		notes = append(notes, o.notes)
	}
	if !*caches {
		put(&p.Servers, o.operator, fmt.Sprintf("%s %s %s %s %d | %s |", cell, counts(o.real), counts(o.assets), counts(o.existing),
			o.assets.Skipped, strings.Join(notes, "; ")))
	}
	if o.theirs.Wall > 0 {
		put(&p.Caches, o.operator, fmt.Sprintf("%s %s %s %s %s", cell, counts(o.theirs), costs(o.theirs), counts(o.ours), costs(o.ours)))
		put(&p.Envtest, o.operator, fmt.Sprintf("%s %s %s %s |", cell, counts(o.envtest), costs(o.envtest), strings.Join(o.moved(), ", ")))
	}
	p.setSuites(o.operator)
}

// setManaged replaces the rows of an operator whose manager ran with both caches.
func (p *page) setManaged(m managed) {
	put(&p.Managers, m.operator, fmt.Sprintf("%s %s %s %s %s %s |", m.cell(), counts(m.real), counts(m.theirs), counts(m.cache), counts(m.client),
		strings.ReplaceAll(m.notesOf(), "|", "\\|")))
	p.setSuites(m.operator)
}

// setSuites replaces the row with the packages and arguments of an operator.
func (p *page) setSuites(o operator) {
	args := ""
	for _, arg := range o.args {
		args += " `" + strings.ReplaceAll(arg, "|", "\\|") + "`"
	}
	put(&p.Suites, o, fmt.Sprintf("%s %s |%s |", o.cell(), strings.Join(o.packages, ", "), args))
}

// cell returns the first cell of an operator's rows.
func (o operator) cell() string {
	return fmt.Sprintf("| [%s](https://pkg.go.dev/%s@%s) %s |", o.name(), o.path, o.version, o.version)
}

// put replaces the row of an operator, or adds it in order.
func put(rows *[]string, o operator, row string) {
	*rows = slices.DeleteFunc(*rows, func(old string) bool { return strings.HasPrefix(old, "| ["+o.name()+"]") })
	*rows = append(*rows, row)
	slices.Sort(*rows)
}

// counts returns two cells of a table: passed and failed, and seconds.
func counts(r operators.Results) string {
	if r.Wall == 0 {
		return "– | – |"
	}
	again := ""
	if r.Flaked > 0 {
		again = fmt.Sprintf(" +%d", r.Flaked)
	}
	return fmt.Sprintf("%d/%d%s | %.0f |", r.Passed, r.Failed, again, r.Wall.Seconds())
}

// costs returns two cells of a table: CPU seconds and memory.
func costs(r operators.Results) string {
	return fmt.Sprintf("%.1f | %d |", r.CPU.Seconds(), r.Peak>>20)
}

// write writes the page.
func (p *page) write(t *testing.T) {
	t.Helper()
	var out bytes.Buffer
	if err := document.Execute(&out, p); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.name, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
