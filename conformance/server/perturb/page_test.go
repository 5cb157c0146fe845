package perturb_test

import (
	"fmt"
	"log"
	"os"
	"strings"
	"testing"
	"text/template"

	"github.com/listwatch/listwatch/apitest/perturb/testdata/corpus"
)

// page is where the report is.
const page = "../../../docs/perturb.md"

// report is what tests have found. They run one after the other.
var report struct {
	rows      map[string]map[string]row // by runtime and case
	perSecond float64                   // schedules
	programs  []disturbed               // controllers of Kubernetes
	operators []disturbed
}

func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 && *update {
		if err := writePage(); err != nil {
			log.Fatal(err)
		}
	}
	os.Exit(code)
}

// writePage writes the report from its template.
func writePage() (err error) {
	text, err := template.ParseFiles("testdata/perturb.md.tmpl")
	if err != nil {
		return err
	}
	var cases, sieve strings.Builder
	for _, c := range corpus.All() {
		fmt.Fprintf(&cases, "| %s |", c.Name)
		for _, r := range runtimes {
			got := report.rows[r.name][c.Name]
			if got.tried > 0 {
				fmt.Fprintf(&cases, " %s (%d) |", got.schedule, got.tried)
			} else {
				fmt.Fprintf(&cases, " %s |", got.schedule)
			}
		}
		cases.WriteString("\n")
		if c.Sieve != "" {
			fmt.Fprintf(&sieve, "| %s | %s |\n", c.Sieve, c.Name)
		}
	}
	out, err := os.Create(page)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := out.Close(); err == nil {
			err = closeErr
		}
	}()
	return text.Execute(out, map[string]any{
		"Cases": cases.String(), "Sieve": sieve.String(), "Programs": "",
		"Count": len(corpus.All()), "PerSecond": fmt.Sprintf("%.0f", report.perSecond),
	})
}
