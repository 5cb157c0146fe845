package migration

import (
	"path"
	"strings"
	"sync"
)

// Move lists symbols of a pair that are in another of our packages than the first.
type Move struct {
	// Package is a path below k8s.io/client-go.
	Package string
	// To is one of the pair's Ours.
	To string
	// Symbols are separated by spaces. A star stands for any part of a name.
	Symbols string
}

// Moves are all symbols that are not in the first package of their pair.
var Moves = []Move{
	{
		"discovery", "runtime/openapi/models",
		"OpenAPISchemaInterface OpenAPISchemaInterfaceWithContext ToOpenAPISchemaInterfaceWithContext",
	},
	{"openapi", "runtime/openapi/models", "NewTypeConverter"},
	{
		"gentype", "runtime/gentype/fake",
		"FakeClient FakeClientWith* NewFakeClient* FromPointerSlice ToPointerSlice",
	},
}

// packageNames are the names of packages that differ from the last element of their path.
var packageNames = map[string]string{
	"k8s.io/client-go/discovery/cached":                    "memory",
	"k8s.io/client-go/tools/cache/testing":                 "framework",
	"github.com/listwatch/listwatch/runtime/cache/testing": "framework",
}

// PackageName returns the name of a package of a pair, by its import path.
func PackageName(importPath string) string {
	if name, ok := packageNames[importPath]; ok {
		return name
	}
	return path.Base(importPath)
}

// Home returns our import path of a symbol of client-go's package.
func (p Pair) Home(symbol string) string {
	for _, m := range Moves {
		if m.Package == p.Theirs && matches(m.Symbols, symbol) {
			return Module + m.To
		}
	}
	return p.OurPaths()[0]
}

// matches reports whether one of the patterns, which are separated by spaces, is about a
// symbol.
func matches(patterns, symbol string) bool {
	for _, pattern := range strings.Fields(patterns) {
		// A malformed pattern matches nothing; the tests reject it.
		if ok, _ := path.Match(pattern, symbol); ok {
			return true
		}
	}
	return false
}

// FindPair returns the pair of a package, given by its path below k8s.io/client-go. It is in [Pairs],
// or in one of [Trees].
func FindPair(theirs string) (Pair, bool) {
	p, ok := pairs()[theirs]
	return p, ok
}

// pairs are all pairs by client-go's path.
var pairs = sync.OnceValue(func() map[string]Pair {
	all := map[string]Pair{}
	for _, t := range Trees {
		for _, p := range t.Pairs() {
			all[p.Theirs] = p
		}
	}
	for _, p := range Pairs {
		all[p.Theirs] = p
	}
	return all
})

// FindDecision returns the decision about a symbol, if it is not kept. A symbol that is named
// in full is found before one that a star stands for.
func FindDecision(theirs, symbol string) (Decision, bool) {
	var found *Decision
	for i, d := range Decisions {
		if !d.covers(theirs) || !matches(d.Symbols, symbol) {
			continue
		}
		for _, name := range d.Names() {
			if name == symbol {
				return d, true
			}
		}
		if found == nil {
			found = &Decisions[i]
		}
	}
	if found == nil {
		return Decision{}, false
	}
	return *found, true
}
