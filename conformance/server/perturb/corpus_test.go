package perturb_test

import (
	"testing"
	"time"

	"github.com/listwatch/listwatch/apitest/perturb"
	"github.com/listwatch/listwatch/apitest/perturb/testdata/corpus"
)

// machinery is a runtime, and which bugs it does not let programs have.
type machinery struct {
	name string
	run  corpus.Runtime
	// fresh runtimes list the newest state first.
	fresh bool
	// managed programs read from no cache that has not synced, and end when they lose their lease.
	managed bool
}

var runtimes = []machinery{
	{name: "client-go", run: corpus.ClientGo},
	{name: "listwatch", run: listwatch, fresh: true},
	{name: "controller-runtime", run: managed, managed: true},
}

// prevents returns why a program of a case cannot be written with a runtime, or "".
func (m machinery) prevents(c corpus.Case) string {
	switch {
	case m.managed && c.Wrong.Unsynced:
		return "a cache that has not synced is not read"
	case m.managed && c.Waits:
		return "the manager ends with its lease"
	}
	return ""
}

// row is what came out for a case on a runtime.
type row struct {
	schedule      string // that shows the bug, or why there is none
	tried, mended int    // schedules
}

// Each bug of the corpus is found on each runtime, and nothing is reported of the mended controllers.
func TestCorpus(t *testing.T) {
	rows := map[string]map[string]row{}
	total, began := 0, time.Now()
	for _, r := range runtimes {
		rows[r.name] = map[string]row{}
		t.Run(r.name, func(t *testing.T) {
			for _, c := range corpus.All() {
				if why := r.prevents(c); why != "" {
					rows[r.name][c.Name] = row{schedule: "none: " + why}
					continue
				}
				t.Run(c.Name, func(t *testing.T) {
					got := try(t, r, c)
					rows[r.name][c.Name] = got
					total += got.tried + got.mended
				})
			}
		})
	}
	took := time.Since(began)
	t.Logf("%d schedules in %s", total, took.Round(time.Second))
	report.rows, report.perSecond = rows, float64(total)/took.Seconds()
}

// try searches the bug of a case, and its mended controller.
func try(t *testing.T, r machinery, c corpus.Case) row {
	limits := perturb.Limits{Findings: 1}
	if r.fresh && c.StaleStart {
		limits.Schedules = *schedules // there may be nothing to find
	}
	wrong, err := perturb.Search(t, c.Controller(r.run, c.Wrong), limits)
	if err != nil {
		t.Fatal(err)
	}
	got := row{schedule: "none: the first list is the newest", tried: wrong.Tried}
	switch {
	case len(wrong.Findings) > 0:
		got.schedule = wrong.Findings[0].Schedule
	case !r.fresh || !c.StaleStart:
		t.Errorf("nothing found with %d schedules", wrong.Tried)
	}
	mended, err := perturb.Search(t, c.Controller(r.run, c.Mended), perturb.Limits{Schedules: *schedules, Findings: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range mended.Findings {
		t.Error(f.Report)
	}
	got.mended = mended.Tried
	t.Logf("%d | %s | mended %d", got.tried, got.schedule, got.mended)
	return got
}
