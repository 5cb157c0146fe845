package migration

import (
	"cmp"
	"fmt"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/internal/migration/source"
)

// Kept are the packages of client-go whose imports stay, because the program exchanges their types with code that is not
// rewritten. The zero value keeps none.
type Kept struct {
	// reasons are why a package stays, by the path below k8s.io/client-go.
	reasons map[string]reason
	// linked are the packages of client-go in the program after the rewriting.
	linked map[string]bool
}

// reason is why a package stays.
type reason struct {
	// text is a clause without a subject.
	text string
	// at is the place in the program that makes it stay, if there is one.
	at token.Position
}

// Has reports whether a package of client-go stays, given by its path below k8s.io/client-go.
func (k *Kept) Has(theirs string) bool {
	if k == nil {
		return false
	}
	_, ok := k.reasons[theirs]
	return ok
}

// links reports whether a package of client-go is in the program after the rewriting.
func (k *Kept) links(theirs string) bool { return k != nil && k.linked[theirs] }

// keeper determines what stays. Its graph has a node for each package of client-go that has a replacement, and an edge
// between two if the program uses a declaration of one with a type of the other: either both stay or none.
type keeper struct {
	line bool
	// program are the packages that are rewritten.
	program map[string]bool
	fset    *token.FileSet
	seeds   map[string]reason
	edges   map[string]map[string]string // the declaration that connects both
	// linked are the packages of client-go that the rest of the program needs.
	linked map[string]bool
	// candidates are named types that may have the methods of interfaces.
	candidates candidates
}

// keep returns what stays of a program whose files are at paths. Files that build constraints exclude are in extra. With
// the line in go.mod, client-go's types are ours, so that only what we leave out stays.
func keep(program *source.Program, extra []*source.Package, paths []string, line bool) *Kept {
	k := &keeper{
		line:    line,
		program: map[string]bool{}, fset: program.Fset, seeds: map[string]reason{},
		edges: map[string]map[string]string{}, candidates: candidates{},
	}
	selected := map[string]bool{}
	for _, path := range paths {
		selected[path] = true
	}
	var rewritten []*source.Package
	for _, pkg := range slices.Concat(program.Initial(), extra) {
		if isRewritten(pkg, selected, program.Fset) {
			rewritten = append(rewritten, pkg)
			k.program[pkg.PkgPath] = true
		}
	}
	if !line {
		k.linked = k.links(program)
	}
	for _, pkg := range rewritten {
		for id, object := range pkg.Info.Uses {
			k.leftOut(id.Pos(), object)
			if !line {
				k.use(id.Pos(), object)
			}
		}
		if !line {
			k.collect(pkg)
		}
	}
	if !line {
		k.group(rewritten)
		k.compareMethods()
	}
	return k.close(rewritten, program)
}

// isRewritten reports whether a file of the package is selected.
func isRewritten(pkg *source.Package, selected map[string]bool, fset *token.FileSet) bool {
	return slices.ContainsFunc(pkg.GoFiles, func(name string) bool { return selected[resolved(name)] }) ||
		len(pkg.Syntax) > 0 && selected[resolved(fset.File(pkg.Syntax[len(pkg.Syntax)-1].FileStart).Name())]
}

// resolved is the name of a file without symbolic links, as plans have it.
func resolved(name string) string {
	if found, err := filepath.EvalSymlinks(name); err == nil {
		return found
	}
	return name
}

// kind is what a package is to the rewriting.
type kind int

const (
	foreign kind = iota // a library, or a package of client-go without a replacement
	own                 // rewritten
	theirs              // replaced by one of ours
)

// kindOf returns the kind of a package, and its path below k8s.io/client-go if it is theirs.
func (k *keeper) kindOf(path string) (kind, string) {
	if below, ok := strings.CutPrefix(path, ClientGo); ok {
		if _, ok = FindPair(below); ok {
			return theirs, below
		}
	}
	if k.program[path] {
		return own, ""
	}
	return foreign, ""
}

// links returns the packages of client-go that foreign packages need.
func (k *keeper) links(program *source.Program) map[string]bool {
	linked := map[string]bool{}
	seen := map[string]bool{}
	var visit func(pkg *source.Package)
	visit = func(pkg *source.Package) {
		if seen[pkg.ID] {
			return
		}
		seen[pkg.ID] = true
		if below, ok := strings.CutPrefix(pkg.PkgPath, ClientGo); ok {
			linked[below] = true
		}
		for _, dependency := range pkg.Imports {
			visit(program.Packages[dependency.ID])
		}
	}
	for _, pkg := range program.Packages {
		if found, _ := k.kindOf(pkg.PkgPath); found == foreign && !strings.HasPrefix(pkg.PkgPath, ClientGo) {
			visit(pkg)
		}
	}
	return linked
}

// connect adds an edge.
func (k *keeper) connect(a, b, declaration string) {
	if a == b {
		return
	}
	for _, pair := range [][2]string{{a, b}, {b, a}} {
		if k.edges[pair[0]] == nil {
			k.edges[pair[0]] = map[string]string{}
		}
		// The first in alphabetical order, so that messages are always the same.
		if old := k.edges[pair[0]][pair[1]]; old == "" || declaration < old {
			k.edges[pair[0]][pair[1]] = declaration
		}
	}
}

// seed makes a package stay.
func (k *keeper) seed(path, text string, at token.Pos) {
	r := reason{text: text}
	if at.IsValid() {
		r.at = k.fset.PositionFor(at, false)
	}
	old, ok := k.seeds[path]
	if !ok || comparePositions(r.at, old.at) < 0 || comparePositions(r.at, old.at) == 0 && r.text < old.text {
		k.seeds[path] = r
	}
}

func comparePositions(a, b token.Position) int {
	return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

// close returns everything that is connected with the seeds, as far as the program imports it.
func (k *keeper) close(rewritten []*source.Package, program *source.Program) *Kept {
	imported := map[string]bool{}
	for _, pkg := range rewritten {
		for _, file := range pkg.Syntax {
			for _, spec := range file.Imports {
				if _, below, ok := pathOf(spec); ok {
					imported[below] = true
				}
			}
		}
	}
	kept := &Kept{reasons: map[string]reason{}, linked: maps.Clone(k.linked)}
	queue := slices.Sorted(maps.Keys(k.seeds))
	all := maps.Clone(k.seeds)
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		if imported[path] {
			kept.reasons[path] = all[path]
		}
		for _, next := range slices.Sorted(maps.Keys(k.edges[path])) {
			if _, ok := all[next]; !ok {
				all[next] = reason{text: fmt.Sprintf("%s has types of it and of %s", k.edges[path][next], ClientGo+path)}
				queue = append(queue, next)
			}
		}
	}
	if k.line {
		return kept
	}
	for path := range kept.reasons {
		linkAll(program.Packages[ClientGo+path], program, kept.linked)
	}
	return kept
}

// linkAll adds a package of client-go with those that it needs.
func linkAll(pkg *source.Package, program *source.Program, linked map[string]bool) {
	if pkg == nil {
		return
	}
	below, ok := strings.CutPrefix(pkg.PkgPath, ClientGo)
	if ok && linked[below] {
		return
	}
	if ok {
		linked[below] = true
	}
	for path, dependency := range pkg.Imports {
		if strings.HasPrefix(path, ClientGo) {
			linkAll(program.Packages[dependency.ID], program, linked)
		}
	}
}
