package perturb

import (
	"testing"
	"time"
)

// Found is what a search has found. Schedule is "" if that is nothing.
type Found struct {
	Schedule, Rule, Report string
	Tried                  int
}

// Search is [Run] with a number of schedules in place of a budget, and without an error for what it finds.
func Search(t *testing.T, c Controller, limit int) (Found, error) {
	f, tried, err := search(t, c, time.Time{}, limit)
	if f == nil {
		return Found{Tried: tried}, err
	}
	return Found{f.outcome.schedule.String(), string(f.verdicts[0].rule), f.outcome.report(t.Name(), f.verdicts), tried}, err
}
