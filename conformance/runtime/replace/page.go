package replace

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/listwatch/listwatch/conformance/internal/peers"
)

//go:embed replace.md.tmpl
var text string

// document is the template of docs/replace.md. Its lines that start with "{{range" are the rows of a table.
var document = template.Must(template.New("").Parse(text))

// Page is docs/replace.md: the rows of its tables, in their order. The first cell of a row is a link.
type Page struct {
	Programs, Differences, Cluster []string
}

// pageName returns the name of the page's file.
func pageName() (string, error) {
	root, err := peers.Root()
	return filepath.Join(root, "docs", "replace.md"), err
}

// ReadPage reads the page, so that the rows of what is not run stay. A page that does not exist has no rows.
func ReadPage() (*Page, error) {
	name, err := pageName()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read page: %w", err)
	}
	return parsePage(string(text)), nil
}

// parsePage returns the rows in the text of a page.
func parsePage(text string) *Page {
	p := &Page{}
	tables := []*[]string{&p.Programs, &p.Differences, &p.Cluster}
	n := -1
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "|---"):
			n++
		case strings.HasPrefix(line, "| [") && n >= 0 && n < len(tables):
			*tables[n] = append(*tables[n], strings.TrimSpace(line))
		}
	}
	return p
}

// text returns the text of the page.
func (p *Page) text() ([]byte, error) {
	var out bytes.Buffer
	err := document.Execute(&out, p)
	return out.Bytes(), err
}

// Write writes the page.
func (p *Page) Write() error {
	name, err := pageName()
	if err != nil {
		return err
	}
	out, err := p.text()
	if err != nil {
		return fmt.Errorf("write page: %w", err)
	}
	return os.WriteFile(name, out, 0o644)
}

// Row returns a row whose first cell links to an address.
func Row(name, address string, cells ...string) string {
	return "| " + strings.Join(append([]string{"[" + name + "](" + address + ")"}, cells...), " | ") + " |"
}

// NameOf returns the name in the first cell of a row.
func NameOf(row string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(row, "| ["), "]")
	return name
}
