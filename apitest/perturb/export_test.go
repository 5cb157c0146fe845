package perturb

import "testing"

// Found is what a search has found. Schedule is "" if that is nothing.
type Found struct {
	Schedule, Rule, Report string
	Tried                  int
}

// Search is [Run] without a budget, and without an error for what it finds.
func Search(t *testing.T, c Controller) (Found, error) {
	f, tried, err := search(t, c, false)
	if f == nil {
		return Found{Tried: tried}, err
	}
	return Found{f.outcome.schedule.String(), string(f.verdicts[0].rule), f.outcome.report(t.Name(), f.verdicts), tried}, err
}
