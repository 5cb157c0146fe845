package perturb_test

import (
	"testing"
	"time"

	"github.com/listwatch/listwatch/apitest/perturb"
	"github.com/listwatch/listwatch/apitest/perturb/testdata/corpus"
)

// runtimes run the programs of the corpus.
var runtimes = []struct {
	name string
	run  corpus.Runtime
	// synced runtimes read from no cache that has not synced.
	synced bool
}{
	{name: "client-go", run: corpus.ClientGo},
	{name: "listwatch", run: listwatch},
	{name: "controller-runtime", run: managed, synced: true},
}

// Each bug of the corpus is found on each runtime, and nothing is reported of the mended controllers.
func TestCorpus(t *testing.T) {
	limits := perturb.Limits{Schedules: 20, Findings: 1}
	if *update {
		limits.Schedules = 0
	}
	for _, r := range runtimes {
		t.Run(r.name, func(t *testing.T) {
			for _, c := range corpus.All() {
				if c.Wrong.Unsynced && r.synced {
					continue // this bug cannot be written with it
				}
				t.Run(c.Name, func(t *testing.T) {
					row := row{runtime: r.name, name: c.Name}
					begin := time.Now()
					wrong, err := perturb.Search(t, c.Controller(r.run, c.Wrong), perturb.Limits{Findings: 1})
					if err != nil {
						t.Fatal(err)
					}
					if len(wrong.Findings) == 0 {
						t.Fatalf("nothing found with %d schedules", wrong.Tried)
					}
					mended, err := perturb.Search(t, c.Controller(r.run, c.Mended), limits)
					if err != nil {
						t.Fatal(err)
					}
					for _, f := range mended.Findings {
						t.Error(f.Report)
					}
					row.schedule, row.tried, row.mended, row.took = wrong.Findings[0].Schedule, wrong.Tried, mended.Tried, time.Since(begin)
					t.Logf("%+v", row)
				})
			}
		})
	}
}

// row is what came out for a case on a runtime.
type row struct {
	runtime, name, schedule string
	tried, mended           int
	took                    time.Duration
}
