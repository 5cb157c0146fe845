// Package report writes docs/conformance.md: the suite's cases, and the results of servers and
// clients.
//
// It is generated from the cases, with the differences that they list, and from the tables of
// package column; a test checks that it is up to date, and writes it with
//
//	LISTWATCH_UPDATE=1 go test ./server/suite/report
package report

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/listwatch/listwatch/conformance/server/suite"
	"github.com/listwatch/listwatch/conformance/server/suite/column"
)

//go:embed conformance.md.tmpl
var text string

var document = template.Must(template.New("conformance.md").Option("missingkey=error").Parse(text))

// Columns are the tables of clients.
type Columns struct{ Clientset, Fake column.Table }

// Clause contains the cases of a clause.
type Clause struct {
	Name  string
	Cases []Case
}

// Case is a row.
type Case struct {
	Name, Title                        string
	Apitest, Clientset, Fake, Informer column.Word
	Differences                        []Difference
}

// Difference is a known difference.
type Difference struct{ Who, Reason string }

// Write returns the document about cases, which are ordered by clause.
func Write(cases []*suite.Case, columns Columns) (string, error) {
	var data struct {
		Clauses []Clause
		Total   Clause
		Answers Answers
	}
	for _, c := range cases {
		row := newRow(c, columns)
		if n := len(data.Clauses); n == 0 || data.Clauses[n-1].Name != c.Clause {
			data.Clauses = append(data.Clauses, Clause{Name: c.Clause})
		}
		last := &data.Clauses[len(data.Clauses)-1]
		last.Cases = append(last.Cases, row)
		data.Total.Cases = append(data.Total.Cases, row)
		data.Answers.add(c)
	}
	var out strings.Builder
	err := document.Execute(&out, data)
	return out.String(), err
}

func newRow(c *suite.Case, columns Columns) Case {
	row := Case{Name: c.Name, Title: c.Title, Apitest: column.Same, Informer: column.NotApplicable}
	if c.Draft() {
		row.Apitest = column.NotApplicable
	}
	for _, s := range c.Steps {
		for _, d := range s.Differs {
			row.Apitest = column.Differs
			row.note(d.Target, d.Reason)
		}
	}
	row.Clientset = row.verdict("clientset", columns.Clientset[c.ID()])
	row.Fake = row.verdict("fake", columns.Fake[c.ID()])
	if c.Observed() != nil {
		row.Informer = column.Same
	}
	return row
}

// verdict adds a table's verdict about the case.
func (c *Case) verdict(who string, v column.Verdict) column.Word {
	if v.Word == column.Differs {
		c.note(who, v.Reason)
	}
	return v.Word
}

func (c *Case) note(who, reason string) {
	if d := (Difference{who, reason}); !slices.Contains(c.Differences, d) {
		c.Differences = append(c.Differences, d)
	}
}

// Anchor is the clause's anchor in the document.
func (c Clause) Anchor() string { return strings.ToLower(c.Name) }

// Score returns how many of the cases to which a column applies are the same in it.
func (c Clause) Score(name string) string {
	same, applies := 0, 0
	for _, row := range c.Cases {
		switch row.Word(name) {
		case column.Same:
			same++
			applies++
		case column.Differs:
			applies++
		}
	}
	if applies == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d", same, applies)
}

// Word is the result in a column.
func (c Case) Word(name string) column.Word {
	switch name {
	case "apitest":
		return c.Apitest
	case "clientset":
		return c.Clientset
	case "fake":
		return c.Fake
	}
	return c.Informer
}

// Mark is the result in a column, as a character.
func (c Case) Mark(name string) string {
	switch c.Word(name) {
	case column.Same:
		return "✓"
	case column.Differs:
		return "✗"
	}
	return "–"
}
