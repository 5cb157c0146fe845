package compatibility_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/conformance/docs/compatibility"
	"github.com/listwatch/listwatch/internal/migration"
)

// pkg has something of each fate.
var pkg = compatibility.Comparison{
	Pair:    migration.Pair{Theirs: "p", Ours: []string{"runtime/p"}},
	Kept:    []compatibility.Symbol{{"K", "func()", "func()"}},
	Changed: []compatibility.Symbol{{"C", "func()", "func(int)"}, {"Cx", "func()", "func(int)"}},
	LeftOut: []compatibility.Symbol{{"L", "type int", ""}, {"Lx", "func()", ""}},
	With:    []compatibility.Symbol{{"L.M", "method (T) ()", ""}},
	Added:   []compatibility.Symbol{{"A", "", "func()"}},
}

func TestJudge(t *testing.T) {
	const changed, leftOut = migration.Changed, migration.LeftOut
	decide := func(fate migration.Fate, symbols string) migration.Decision {
		return migration.Decision{Package: "p", Fate: fate, Symbols: symbols, Why: "why"}
	}
	for _, tt := range []struct {
		name      string
		decisions []migration.Decision
		used      string
		want      []string
		missed    []string
	}{
		{
			name:      "everything decided",
			decisions: []migration.Decision{decide(changed, "C Cx"), decide(leftOut, "L Lx")},
			used:      "K C L L.M",
			missed:    []string{"C", "L", "L.M"},
		},
		{
			name:      "patterns",
			decisions: []migration.Decision{decide(changed, "C*"), decide(leftOut, "L*")},
			used:      "K",
		},
		{
			name:      "symbols in use match a pattern only",
			decisions: []migration.Decision{decide(changed, "C*"), decide(leftOut, "L*")},
			used:      "C L.M",
			want: []string{
				"p: in use, but not kept, nor is there a decision that names it: C",
				"p: in use, but not kept, nor is there a decision that names it: L.M",
			},
		},
		{
			name: "nothing decided",
			want: []string{
				"p: no reason why C is changed:\n\ttheirs func()\n\tours   func(int)",
				"p: no reason why Cx is changed:\n\ttheirs func()\n\tours   func(int)",
				"p: no reason why L is left out:\n\ttheirs type int\n\tours   ",
				"p: no reason why Lx is left out:\n\ttheirs func()\n\tours   ",
			},
		},
		{
			name:      "decided twice",
			decisions: []migration.Decision{decide(changed, "C*"), decide(leftOut, "L*"), decide(changed, "Cx")},
			want:      []string{"p: a decision that nothing needs: changed Cx: why"},
		},
		{
			name:      "needless",
			decisions: []migration.Decision{decide(changed, "C* K A"), decide(leftOut, "L* [ X* L.M")},
			want: []string{
				"p: a decision that nothing needs: changed K: why",
				"p: a decision that nothing needs: changed A: why",
				"p: a decision that nothing needs: left out [: why",
				"p: a decision that nothing needs: left out X*: why",
				"p: a decision that nothing needs: left out L.M: why",
			},
		},
		{
			name:      "the other fate",
			decisions: []migration.Decision{decide(leftOut, "C* L*"), decide(changed, "Cx C")},
			want:      []string{"p: a decision that nothing needs: left out C*: why"},
		},
		{
			name: "unknown package",
			decisions: []migration.Decision{
				decide(changed, "C*"), decide(leftOut, "L*"), {Package: "q", Fate: changed, Symbols: "X", Why: "why"},
			},
			want: []string{"q: a decision about a package without a pair"},
		},
		{
			name:      "in use, but unknown",
			decisions: []migration.Decision{decide(changed, "C*"), decide(leftOut, "L*")},
			used:      "Typo",
			want:      []string{"p: in use, but client-go has no Typo"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			used := compatibility.ParseUsed("# comment\n\np\n\t" + tt.used + "\n")
			judged, complaints := compatibility.Judge([]compatibility.Comparison{pkg}, tt.decisions, used)
			if d := cmp.Diff(tt.want, complaints); d != "" {
				t.Errorf("complaints (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tt.missed, judged[0].Missed); d != "" {
				t.Errorf("missed (-want +got):\n%s", d)
			}
		})
	}
}
