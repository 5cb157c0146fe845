package compatibility

import (
	"fmt"
	"path"
	"strings"

	"github.com/listwatch/listwatch/internal/migration"
)

// Judged is a comparison with its decisions.
type Judged struct {
	Comparison
	// Decisions have Symbols without stars, except where one stands for many.
	Decisions []migration.Decision
	// Used is the number of symbols of the package that are in use; Missed are those that
	// are not kept.
	Used   int
	Missed []string
}

// Judge finds the decision for each symbol that is not kept. It complains about symbols
// without a decision, decisions without a symbol, and symbols in use that do not exist, or
// are not kept and not named in a decision.
func Judge(comparisons []Comparison, decisions []migration.Decision, used Used) (judged []Judged, complaints []string) {
	known := map[string]bool{}
	for _, c := range comparisons {
		known[c.Theirs] = true
		j, found := judge(c, decisions, used[c.Theirs])
		judged = append(judged, j)
		complaints = append(complaints, found...)
	}
	for _, d := range decisions {
		if !known[d.Package] {
			complaints = append(complaints, fmt.Sprintf("%s: a decision about a package without a pair", d.Package))
		}
	}
	return judged, complaints
}

// many is the number of symbols that the document lists for a star.
const many = 8

func judge(c Comparison, decisions []migration.Decision, used []string) (Judged, []string) {
	j := Judged{Comparison: c, Used: len(used)}
	var complaints []string
	complain := func(format string, args ...any) {
		complaints = append(complaints, c.Theirs+": "+fmt.Sprintf(format, args...))
	}
	open := map[migration.Fate]map[string]bool{migration.Changed: set(c.Changed), migration.LeftOut: set(c.LeftOut)}
	explicit := map[string]bool{}
	for _, d := range decisions {
		if d.Package != c.Theirs {
			continue
		}
		var written []string
		for _, pattern := range strings.Fields(d.Symbols) {
			explicit[pattern] = true
			matched := take(open[d.Fate], pattern, all(c, d.Fate))
			if len(matched) == 0 {
				complain("a decision that nothing needs: %s %s: %s", d.Fate, pattern, d.Why)
			}
			if len(matched) > many {
				matched = []string{pattern}
			}
			written = append(written, matched...)
		}
		d.Symbols = strings.Join(written, " ")
		j.Decisions = append(j.Decisions, d)
	}
	for _, fate := range []migration.Fate{migration.Changed, migration.LeftOut} {
		for _, s := range all(c, fate) {
			if open[fate][s.Name] {
				complain("no reason why %s is %s:\n\ttheirs %s\n\tours   %s", s.Name, fate, s.Theirs, s.Ours)
				j.Decisions = append(j.Decisions, migration.Decision{
					Package: c.Theirs, Fate: fate, Symbols: s.Name, Why: "no reason yet",
				})
			}
		}
	}
	kept, with := set(c.Kept), set(c.With)
	theirs := set(c.Kept, c.Changed, c.LeftOut, c.With)
	for _, name := range used {
		owner, _, _ := strings.Cut(name, ".")
		switch {
		case !theirs[name]:
			complain("in use, but client-go has no %s", name)
		case kept[name]:
		case explicit[name] || with[name] && explicit[owner]:
			j.Missed = append(j.Missed, name)
		default:
			complain("in use, but not kept, nor is there a decision that names it: %s", name)
		}
	}
	return j, complaints
}

// all returns the symbols of a fate.
func all(c Comparison, fate migration.Fate) []Symbol {
	if fate == migration.Changed {
		return c.Changed
	}
	return c.LeftOut
}

// take removes from open the symbols that match a pattern, and returns them in
// their order.
func take(open map[string]bool, pattern string, symbols []Symbol) []string {
	var taken []string
	for _, s := range symbols {
		// A malformed pattern matches nothing, which is reported.
		if ok, _ := path.Match(pattern, s.Name); ok && open[s.Name] {
			delete(open, s.Name)
			taken = append(taken, s.Name)
		}
	}
	return taken
}

func set(lists ...[]Symbol) map[string]bool {
	names := map[string]bool{}
	for _, list := range lists {
		for _, s := range list {
			names[s.Name] = true
		}
	}
	return names
}
