package perturb_test

import (
	"flag"
	"math"
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
			f, err := perturb.Search(t, c.Controller(corpus.ClientGo, c.Wrong), math.MaxInt)
			if err != nil {
				t.Fatal(err)
			}
			if f.Schedule == "" {
				t.Fatalf("nothing found with %d schedules", f.Tried)
			}
			t.Logf("%d | %s | %s", f.Tried, f.Schedule, f.Rule)
		})
	}
}

// Nothing is reported of the mended controllers.
func TestMended(t *testing.T) {
	for _, c := range corpus.All() {
		t.Run(c.Name, func(t *testing.T) {
			for range *repetitions {
				f, err := perturb.Search(t, c.Controller(corpus.ClientGo, c.Mended), *schedules)
				if err != nil {
					t.Fatal(err)
				}
				if f.Schedule != "" {
					t.Fatal(f.Report)
				}
				t.Logf("%d schedules", f.Tried)
			}
		})
	}
}
