package goapi

import (
	"fmt"
	"maps"
	"slices"
)

// Side is one of two compared sides: its name, and its API by package. The keys of Packages are
// import paths.
type Side struct {
	Name     string
	Packages map[string]API
}

// Difference is a symbol that two sides describe differently. An empty description means that the
// symbol is missing.
type Difference struct {
	Package, Symbol string
	Text            string
}

// Name returns the symbol with its package's import path.
func (d Difference) Name() string { return d.Package + "." + d.Symbol }

func (d Difference) String() string { return d.Name() + ": " + d.Text }

// Diff returns all symbols in which two sides differ, sorted. A package that
// one side lacks is one difference, in the symbol "package".
func Diff(a, b Side) []Difference {
	var diffs []Difference
	for _, path := range keys(a.Packages, b.Packages) {
		one, other := a.Packages[path], b.Packages[path]
		symbols := keys(one, other)
		if one == nil || other == nil {
			symbols = []string{"package"}
		}
		for _, symbol := range symbols {
			if one[symbol] == other[symbol] {
				continue
			}
			diffs = append(diffs, Difference{path, symbol, fmt.Sprintf("%s %s / %s %s",
				a.Name, orAbsent(one[symbol]), b.Name, orAbsent(other[symbol]))})
		}
	}
	return diffs
}

func orAbsent(description string) string {
	if description == "" {
		return "absent"
	}
	return description
}

// keys returns the keys of both maps, each once, sorted.
func keys[V any](a, b map[string]V) []string {
	all := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(all)
	return slices.Compact(all)
}
