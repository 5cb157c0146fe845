package perturb_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/listwatch/listwatch/apitest/perturb"
	"github.com/listwatch/listwatch/apitest/perturb/testdata/corpus"
	"github.com/listwatch/listwatch/runtime/informers"
)

// machinery is a runtime, and which bugs it does not let programs have.
type machinery struct {
	name     string
	run      corpus.Runtime
	prevents func(corpus.Case) *prevention // nil if it does not
	// lenient is the runtime with an option with which it does not prevent such bugs any more; nil without any.
	lenient corpus.Runtime
	option  string
}

var runtimes = []machinery{
	{name: "client-go", run: corpus.ClientGo, prevents: func(corpus.Case) *prevention { return nil }},
	{
		name: "listwatch", run: listwatch(informers.Options{}),
		prevents: func(c corpus.Case) *prevention {
			if c.StaleStart {
				return newestFirst
			}
			return nil
		},
		lenient: listwatch(informers.Options{AllowStaleFirstList: true}), option: "AllowStaleFirstList",
	},
	{
		name: "controller-runtime", run: managed,
		prevents: func(c corpus.Case) *prevention {
			if c.Waits {
				return endsWithLease
			}
			return nil
		},
	},
}

// row is what came out for a case on a runtime.
type row struct {
	Schedule      string // that shows the bug, or why there is none
	Tried, Mended int    // schedules
}

// Each bug of the corpus is found on each runtime, and nothing is reported of the mended controllers.
func TestCorpus(t *testing.T) {
	rows := map[string]map[string]row{}
	total, began := 0, time.Now()
	for _, r := range runtimes {
		rows[r.name] = map[string]row{}
		t.Run(r.name, func(t *testing.T) {
			for _, c := range corpus.All() {
				run, note := r.run, ""
				if p := r.prevents(c); p != nil {
					rows[r.name][c.Name] = row{Schedule: "none: " + p.why}
					if run = r.lenient; run == nil {
						continue
					}
					note = "none: " + p.why + "; with " + r.option + ": "
				}
				t.Run(c.Name, func(t *testing.T) {
					got := try(t, run, c)
					got.Schedule = note + got.Schedule
					rows[r.name][c.Name] = got
					total += got.Tried + got.Mended
				})
			}
		})
	}
	took := time.Since(began)
	t.Logf("%d schedules in %s", total, took.Round(time.Second))
	report.Rows, report.PerSecond, report.Mended = rows, float64(total)/took.Seconds(), fmt.Sprint(*schedules)
	if *schedules == 0 {
		report.Mended = "and all other"
	}
}

// try searches the bug of a case, and its mended controller.
func try(t *testing.T, run corpus.Runtime, c corpus.Case) row {
	wrong, err := perturb.Search(t, c.Controller(run, c.Wrong), perturb.Limits{Findings: 1})
	if err != nil {
		t.Fatal(err)
	}
	got := row{Tried: wrong.Tried}
	if len(wrong.Findings) > 0 {
		got.Schedule = wrong.Findings[0].Schedule
	} else {
		t.Errorf("nothing found with %d schedules", wrong.Tried)
	}
	mended, err := perturb.Search(t, c.Controller(run, c.Mended), perturb.Limits{Schedules: *schedules, Findings: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range mended.Findings {
		t.Error(f.Report)
	}
	got.Mended = mended.Tried
	t.Logf("%d | %s | mended %d", got.Tried, got.Schedule, got.Mended)
	return got
}
