package perturb_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/listwatch/listwatch/apitest/perturb/testdata/corpus"
)

const (
	// page is where the report is.
	page = "../../../docs/perturb.md"
	// kept has the results of which it is made, so that a part of them can be renewed.
	kept = ".work/results.json"
)

// results is what tests have found. They run one after the other.
type results struct {
	Rows      map[string]map[string]row // of the corpus, by runtime and case
	PerSecond float64                   // schedules
	Mended    string                    // how many schedules of mended controllers were run
	Programs  []disturbed               // controllers of Kubernetes
	Operators []disturbed
}

var report results

func TestMain(m *testing.M) {
	code := m.Run()
	if *update {
		if err := renew(); err != nil {
			log.Fatal(err)
		}
		if code == 0 {
			if err := report.write(); err != nil {
				log.Fatal(err)
			}
		}
	}
	os.Exit(code)
}

// renew adds what was kept to the results, and keeps all.
func renew() error {
	var before results
	text, err := os.ReadFile(kept)
	if err == nil {
		err = json.Unmarshal(text, &before)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if report.Rows == nil {
		report.Rows, report.PerSecond, report.Mended = before.Rows, before.PerSecond, before.Mended
	}
	report.Programs, report.Operators = merged(before.Programs, report.Programs), merged(before.Operators, report.Operators)
	if text, err = json.MarshalIndent(report, "", "\t"); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(kept), 0o755); err != nil {
		return err
	}
	return os.WriteFile(kept, text, 0o644)
}

// merged replaces programs by those that have run again.
func merged(before, now []disturbed) []disturbed {
	for _, d := range now {
		if i := slices.IndexFunc(before, func(other disturbed) bool { return other.Name == d.Name }); i >= 0 {
			before[i] = d
		} else {
			before = append(before, d)
		}
	}
	return before
}

// write writes the report from its template.
func (r results) write() (err error) {
	text, err := template.ParseFiles("testdata/perturb.md.tmpl")
	if err != nil {
		return err
	}
	var cases, sieve strings.Builder
	for _, c := range corpus.All() {
		fmt.Fprintf(&cases, "| %s |", c.Name)
		for _, m := range runtimes {
			got := r.Rows[m.name][c.Name]
			if got.Tried > 0 {
				fmt.Fprintf(&cases, " %s (%d) |", got.Schedule, got.Tried)
			} else {
				fmt.Fprintf(&cases, " %s |", got.Schedule)
			}
		}
		cases.WriteString("\n")
		if c.Sieve != "" {
			fmt.Fprintf(&sieve, "| %s | %s |\n", c.Sieve, c.Name)
		}
	}
	all := slices.Concat(r.Programs, r.Operators)
	reports, err := judged(all)
	if err != nil {
		return err
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
		"Cases": cases.String(), "Sieve": sieve.String(), "Programs": table(r.Programs), "Operators": table(r.Operators),
		"Reports": reports, "Count": len(corpus.All()), "PerSecond": fmt.Sprintf("%.0f", r.PerSecond),
		"MendedShare": r.Mended,
	})
}

// table returns the rows of programs.
func table(programs []disturbed) string {
	var b strings.Builder
	for _, p := range programs {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", p.Name, p.Tried, p.Planned, p.Pruned, p.Pairs, len(p.Findings))
	}
	return b.String()
}

// judged returns a row for each judgement of reports: the first schedule that it covers.
func judged(programs []disturbed) (string, error) {
	var b strings.Builder
	for _, p := range programs {
		first, n := map[string]int{}, map[string]int{}
		for i, f := range p.Findings {
			j := judge(p.Name, f)
			if j == nil {
				return "", fmt.Errorf("%s: nobody has judged the report of %q", p.Name, f.Schedule)
			}
			if n[j.report]++; n[j.report] == 1 {
				first[j.report] = i
			}
		}
		for _, j := range judgements[p.Name] {
			if n[j.report] == 0 {
				continue
			}
			verdict := "no"
			if j.bug {
				verdict = "yes"
			}
			f := p.Findings[first[j.report]]
			fmt.Fprintf(&b, "| %s | %d | %s | %s | %s: %s |\n", p.Name, n[j.report], f.Schedule, f.Rule, verdict, j.why)
		}
	}
	if b.Len() == 0 {
		b.WriteString("| none | | | | |\n")
	}
	return b.String(), nil
}
