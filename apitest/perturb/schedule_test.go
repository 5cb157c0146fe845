package perturb

import "testing"

// The text of a schedule is the schedule.
func TestScheduleText(t *testing.T) {
	create := point{programActor, "create secrets default/a-*", 2}
	ask := point{userActor, "patch sites.web.example.com/status default/hello", 1}
	for _, s := range []schedule{
		{},
		{kind: crash, at: create},
		{kind: crash, at: create, stale: ask},
		{kind: crash, at: create, long: true},
		{kind: stop, at: ask, long: true},
		{kind: hold, at: ask, resource: "deployments.apps"},
		{kind: miss, at: create, resource: everything, long: true},
		{kind: conflict, at: create},
		{kind: failure, at: create},
		{kind: throttle, at: create},
		{kind: timeout, at: create},
		{kind: loseLease, at: create},
	} {
		got, err := parseSchedule(s.String())
		if err != nil || got != s {
			t.Errorf("%q: got %+v, error %v", s, got, err)
		}
	}
	for _, text := range []string{"", "crash", "wait for program create a b", "crash after somebody create a b", "crash after program create a b #0", "hold secrets"} {
		if s, err := parseSchedule(text); err == nil {
			t.Errorf("%q: got %q, want an error", text, s)
		}
	}
}
