package compatibility

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/conformance/generators/identity/goapi"
	"github.com/listwatch/listwatch/internal/migration"
)

// Symbol is a symbol with its descriptions on both sides, theirs in our import
// paths; empty where it does not exist.
type Symbol struct {
	Name         string
	Theirs, Ours string
}

// Comparison contains the symbols of a pair, each in one of the lists, which are sorted.
type Comparison struct {
	migration.Pair

	Kept, Changed, LeftOut, Added []Symbol
	// With are the methods and fields of types that are left out.
	With []Symbol
}

// Compare compares the pairs. Apis describes the packages of both sides by import path.
func Compare(pairs []migration.Pair, apis map[string]goapi.API) []Comparison {
	rename := renamer(pairs, apis)
	var all []Comparison
	for _, p := range pairs {
		c := Comparison{Pair: p}
		ours := goapi.API{}
		// The package with the same name comes last, so that its symbols win.
		for _, path := range slices.Backward(p.OurPaths()) {
			for name, description := range apis[path] {
				ours[name] = unify(p, description)
			}
		}
		c.compare(apis[p.TheirPath()], ours, rename)
		all = append(all, c)
	}
	return all
}

// compare sorts the symbols into the lists.
func (c *Comparison) compare(theirs, ours goapi.API, rename func(string) string) {
	names := slices.AppendSeq(slices.Collect(maps.Keys(theirs)), maps.Keys(ours))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		s := Symbol{name, rename(theirs[name]), ours[name]}
		list := &c.Changed
		switch owner, _, isMember := strings.Cut(name, "."); {
		case s.Theirs == s.Ours:
			list = &c.Kept
		case s.Theirs == "" && theirs[owner] != "" && strings.HasPrefix(s.Ours, "interface method"):
			list = &c.Changed // others implement the interface
		case s.Theirs == "":
			list = &c.Added
		case s.Ours == "" && isMember && ours[owner] == "":
			list = &c.With
		case s.Ours == "":
			list = &c.LeftOut
		}
		*list = append(*list, s)
	}
}

// Total counts the symbols of client-go.
func (c *Comparison) Total() int {
	total := len(c.Kept) + len(c.LeftOut) + len(c.With)
	for _, s := range c.Changed {
		if s.Theirs != "" {
			total++
		}
	}
	return total
}

// unify describes unexported types of our packages as if they were in the first package:
// their package does not matter, because others cannot name them.
func unify(p migration.Pair, description string) string {
	for _, path := range p.OurPaths()[1:] {
		unexported := regexp.MustCompile(regexp.QuoteMeta(path) + `\.([^A-Z])`)
		description = unexported.ReplaceAllString(description, p.OurPaths()[0]+".$1")
	}
	return description
}

var qualified = regexp.MustCompile(`(k8s\.io/client-go/[\w/-]+)\.(\w+)`)

// renamer returns a function that replaces names of client-go in a description by ours, if
// they exist.
func renamer(pairs []migration.Pair, apis map[string]goapi.API) func(string) string {
	byPath := map[string]migration.Pair{}
	for _, t := range migration.Trees {
		for _, p := range t.Pairs() {
			byPath[p.TheirPath()] = p
		}
	}
	for _, p := range pairs {
		byPath[p.TheirPath()] = p
	}
	return func(description string) string {
		return qualified.ReplaceAllStringFunc(description, func(text string) string {
			parts := qualified.FindStringSubmatch(text)
			path, name := parts[1], parts[2]
			pair, ok := byPath[path]
			if !ok {
				return text
			}
			at := pair.OurPaths()[0]
			for _, path := range pair.OurPaths() {
				if apis[path][name] != "" {
					at = path
					break
				}
			}
			return at + "." + name
		})
	}
}
