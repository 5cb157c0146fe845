package perturb_test

import (
	"flag"
	"testing"

	"github.com/listwatch/listwatch/apitest/perturb"
	"github.com/listwatch/listwatch/apitest/perturb/testdata/corpus"
)

var (
	repetitions = flag.Int("corpus.repetitions", 1, "how often TestMended runs each mended controller")
	schedules   = flag.Int("corpus.schedules", 20, "how many schedules TestMended runs each time")
)

// Each bug is found.
func TestFound(t *testing.T) {
	for _, c := range corpus.All() {
		t.Run(c.Name, func(t *testing.T) {
			r, err := perturb.Search(t, c.Controller(corpus.ClientGo, c.Wrong), perturb.Limits{Findings: 1})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Findings) == 0 {
				t.Fatalf("nothing found with %d schedules", r.Tried)
			}
			t.Logf("%d | %s | %s", r.Tried, r.Findings[0].Schedule, r.Findings[0].Rule)
		})
	}
}

// Nothing is reported of the mended controllers.
func TestMended(t *testing.T) {
	for _, c := range corpus.All() {
		t.Run(c.Name, func(t *testing.T) {
			for range *repetitions {
				r, err := perturb.Search(t, c.Controller(corpus.ClientGo, c.Mended), perturb.Limits{Schedules: *schedules, Findings: 1})
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range r.Findings {
					t.Fatal(f.Report)
				}
				t.Logf("%d of %d schedules", r.Tried, r.Planned)
			}
		})
	}
}
