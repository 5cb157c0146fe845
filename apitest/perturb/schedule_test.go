package perturb

import "testing"

// The text of a schedule is the schedule.
func TestScheduleText(t *testing.T) {
	create := point{programActor, "create secrets default/a-*", 2}
	ask := point{userActor, "patch sites.web.example.com/status default/hello", 1}
	all := []schedule{{}}
	for _, d := range []disturbance{
		{kind: crash, at: create},
		{kind: crash, at: create, stale: ask},
		{kind: crash, at: create, long: true},
		{kind: stop, at: ask, long: true},
		{kind: hold, at: ask, of: "deployments.apps"},
		{kind: miss, at: create, of: everything, long: true},
		{kind: conflict, at: create},
		{kind: failure, at: create},
		{kind: throttle, at: create},
		{kind: timeout, at: create},
		{kind: loseLease, at: create},
		{kind: delay, at: ask, of: "sites.example.com"},
		{kind: silence, at: create, of: "sites.example.com"},
	} {
		all = append(all, schedule{first: d}, schedule{d, disturbance{kind: crash, at: create}})
	}
	for _, s := range all {
		got, err := parseSchedule(s.String())
		if err != nil || got != s {
			t.Errorf("%q: got %+v, error %v", s, got, err)
		}
	}
	for _, text := range []string{"", "crash", "wait for program create a b", "crash after somebody create a b", "crash after program create a b #0", "hold secrets", "delay webhook a.b", "fail program create a b; then nothing"} {
		if s, err := parseSchedule(text); err == nil {
			t.Errorf("%q: got %q, want an error", text, s)
		}
	}
}
