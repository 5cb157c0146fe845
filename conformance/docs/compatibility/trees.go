package compatibility

import (
	"regexp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/conformance/generators/identity/goapi"
	"github.com/listwatch/listwatch/internal/migration"
	"github.com/listwatch/listwatch/internal/source"
)

// LoadTrees describes both sides of the trees by import path, from their sources: nothing is
// compiled, because there are hundreds of packages.
func LoadTrees(dir string, trees []migration.Tree) (map[string]goapi.API, error) {
	var paths []string
	for _, t := range trees {
		for _, p := range t.Pairs() {
			paths = append(paths, p.TheirPath(), p.OurPaths()[0])
		}
	}
	loaded, err := source.Outside(dir, paths)
	if err != nil {
		return nil, err
	}
	apis := map[string]goapi.API{}
	for path, pkg := range loaded {
		apis[path] = goapi.Of(pkg)
	}
	return apis, nil
}

// CompareTrees compares the packages of each tree. A comparison is about a whole tree, so that a
// name in its lists can be in several packages. Apis also describes the packages of the pairs, which
// the trees import.
func CompareTrees(trees []migration.Tree, pairs []migration.Pair, apis map[string]goapi.API) []Comparison {
	rename := renamer(pairs, apis)
	var all []Comparison
	for _, t := range trees {
		whole := Comparison{Pair: migration.Pair{Theirs: t.Name(), Ours: []string{t.Ours + "/..."}}}
		for _, p := range t.Pairs() {
			var c Comparison
			c.compare(apis[p.TheirPath()], apis[p.OurPaths()[0]], func(description string) string { return aliased(rename(description)) })
			c.keepInterfaces()
			whole.add(c)
		}
		all = append(all, whole)
	}
	return all
}

// keepInterfaces moves interfaces from those that are changed to those that are kept: ours embed
// interfaces of the runtime, whose methods are compared one by one.
func (c *Comparison) keepInterfaces() {
	isInterface := func(s Symbol) bool {
		return strings.HasPrefix(s.Theirs, "type interface{") && strings.HasPrefix(s.Ours, "type interface{")
	}
	for _, s := range c.Changed {
		if isInterface(s) {
			c.Kept = append(c.Kept, s)
		}
	}
	c.Changed = slices.DeleteFunc(c.Changed, isInterface)
}

// add appends the lists of another comparison.
func (c *Comparison) add(other Comparison) {
	c.Kept = append(c.Kept, other.Kept...)
	c.Changed = append(c.Changed, other.Changed...)
	c.LeftOut = append(c.LeftOut, other.LeftOut...)
	c.Added = append(c.Added, other.Added...)
	c.With = append(c.With, other.With...)
}

// aliases are types of client-go's informers, and what ours are aliases of.
var aliases = []struct {
	theirs *regexp.Regexp
	ours   string
}{
	{regexp.MustCompile(`[\w-][\w./-]*/internalinterfaces\.InformerOptions\b`), migration.Module + "runtime/informers.Options"},
	{regexp.MustCompile(`[\w-][\w./-]*/informers\.SharedInformerOption\b`), migration.Module + "runtime/informers.FactoryOption"},
}

// aliased replaces the names of aliases.
func aliased(description string) string {
	for _, a := range aliases {
		description = a.theirs.ReplaceAllLiteralString(description, a.ours)
	}
	return description
}
