package perturb

import (
	"slices"
	"testing"
)

// planned returns the texts of the schedules with one disturbance of a kind.
func planned(o *outcome, k kind) (texts []string) {
	all, _ := plans(o)
	for _, s := range all {
		if s.first.kind == k {
			texts = append(texts, s.String())
		}
	}
	return texts
}

// changing makes a write that has changed something.
func changing(actor, what string, step, rests int) *write {
	return &write{point: point{actor, what, 1}, resource: "secrets", verb: "create", changed: true, step: step, rests: rests}
}

// What the program does not receive need not be withheld; of holds that withhold the same, there is one.
func TestPruned(t *testing.T) {
	o := &outcome{
		writes: []*write{
			changing(userActor, "create configmaps a", 1, 1),
			changing(programActor, "create secrets a", 2, 1),
			changing(programActor, "create secrets b", 3, 1),
			changing(userActor, "create configmaps b", 4, 2),
			changing(programActor, "create secrets c", 5, 2),
		},
		watched: map[string]bool{"configmaps": true, "secrets": true},
		listed:  map[string]bool{"configmaps": true, "secrets": true},
		received: []delivery{
			{"secrets", 0, 0},                       // the first list
			{"configmaps", 1, 1}, {"secrets", 3, 1}, // of the second secret only: of the first, another namespace's
			{"configmaps", 4, 2},
		},
	}
	got := planned(o, hold)
	want := []string{
		"hold secrets from program create secrets b", // and not from the first one
		"hold configmaps from user create configmaps a",
		"hold configmaps from program create secrets b, until users are done",
		"hold secrets from program create secrets b, until users are done",
		"hold everything from program create secrets b, until users are done",
		"hold everything from user create configmaps a", // of secrets, that is the first one
		"hold configmaps from user create configmaps b",
		"hold configmaps from user create configmaps a, until users are done",
		"hold everything from user create configmaps a, until users are done",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	got = planned(o, crash)
	want = []string{
		"crash after program create secrets a", "crash after program create secrets b", "crash after program create secrets c",
		"crash after program create secrets a, until users are done", "crash after program create secrets b, until users are done",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("without lists of old states: got\n%q\nwant\n%q", got, want)
	}
	o.lenient = map[string]bool{"secrets": true}
	if got := planned(o, crash); !slices.Contains(got, "crash after program create secrets b, restart with the state before program create secrets a") {
		t.Errorf("with lists of old states: got\n%q", got)
	}
}

// The second disturbance is of a write after the first, those that are not made undisturbed come first.
func TestPairs(t *testing.T) {
	first := disturbance{kind: failure, at: point{programActor, "create secrets a", 1}}
	undisturbed := &outcome{writes: []*write{changing(programActor, "create secrets a", 1, 1), changing(programActor, "create secrets b", 2, 1)}}
	o := &outcome{schedule: schedule{first: first}, disturbed: 2, writes: []*write{
		changing(programActor, "create secrets z", 1, 1),
		changing(programActor, "create secrets a", 3, 1),
		changing(programActor, "create events e", 4, 1),
	}}
	var got []string
	for _, p := range ordered(pairs(undisturbed, o)) {
		got = append(got, p.second.String())
	}
	want := []string{"crash after program create events e", "fail program create events e", "crash after program create secrets a"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
