package compatibility_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/conformance/docs/compatibility"
	"github.com/listwatch/listwatch/conformance/generators/identity/goapi"
	"github.com/listwatch/listwatch/internal/migration"
)

func TestCompare(t *testing.T) {
	const theirs, ours = "k8s.io/client-go/", "github.com/listwatch/listwatch/runtime/"
	pairs := []migration.Pair{
		{Theirs: "a", Ours: []string{"runtime/x", "runtime/x/fake"}},
		{Theirs: "a/b", Ours: []string{"runtime/b"}},
		{Theirs: "c", Ours: []string{"runtime/c"}},
	}
	got := compatibility.Compare(pairs, map[string]goapi.API{
		theirs + "a": {
			"package": "a",
			"Same":    "func()",
			"Renamed": "func(*" + theirs + "a/b.T, " + theirs + "a.Moved, " + theirs + "a.Same, " + theirs + "other.T)",
			"Moved":   "type int",
			"Longer":  "func()",
			"Gone":    "type struct{}",
			"Gone.F":  "field int",
			"Less":    "type struct{}",
			"Less.M":  "method (T) ()",
			"I":       "type interface{}",
			"Hides":   "func() (*" + theirs + "a.hidden)",
		},
		ours + "x": {
			"package": "x",
			"Same":    "func()",
			"Renamed": "func(*" + ours + "b.T, " + ours + "x/fake.Moved, " + ours + "x.Same, " + theirs + "other.T)",
			"Longer":  "func(int)",
			"Less":    "type struct{}",
			"Less.N":  "method (T) ()",
			"More":    "type interface{}",
			"More.M":  "interface method ()",
			"I":       "type interface{}",
			"I.M":     "interface method ()",
		},
		ours + "x/fake": {
			"package": "fake",
			"Moved":   "type int",
			"Hides":   "func() (*" + ours + "x/fake.hidden)",
		},
		theirs + "a/b": {"package": "b", "T": "alias = " + theirs + "c.T"},
		ours + "b":     {"package": "b", "T": "alias = " + ours + "c.T"},
		theirs + "c": {
			"package": "c",
		},
		ours + "c": {
			"package": "c",
		},
	})
	type fates struct{ Kept, Changed, LeftOut, With, Added []string }
	want := map[string]fates{
		"a": {
			Kept:    []string{"Hides", "I", "Less", "Moved", "Renamed", "Same"},
			Changed: []string{"I.M", "Longer", "package"},
			LeftOut: []string{"Gone", "Less.M"},
			With:    []string{"Gone.F"},
			Added:   []string{"Less.N", "More", "More.M"},
		},
		"a/b": {Kept: []string{"T", "package"}},
		"c":   {Kept: []string{"package"}},
	}
	gotFates := map[string]fates{}
	for _, c := range got {
		gotFates[c.Theirs] = fates{names(c.Kept), names(c.Changed), names(c.LeftOut), names(c.With), names(c.Added)}
	}
	if d := cmp.Diff(want, gotFates); d != "" {
		t.Errorf("symbols (-want +got):\n%s", d)
	}
	if total := got[0].Total(); total != 11 {
		t.Errorf("%d symbols, want 9", total)
	}
}

func names(symbols []compatibility.Symbol) []string {
	var all []string
	for _, s := range symbols {
		all = append(all, s.Name)
	}
	return all
}
