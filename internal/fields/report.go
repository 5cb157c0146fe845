package fields

import (
	"context"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// Report is what a program does with the objects of its caches.
type Report struct {
	// Kinds are the kinds that the program gets from caches, sorted by type.
	Kinds []*Kind
}

// Kind is what a program does with the objects of one kind.
type Kind struct {
	// Type is the Go type with its package path, as in k8s.io/api/core/v1.Pod.
	Type string
	// Got are the places where the program gets objects of the kind.
	Got []token.Position
	// Reads are the fields that it reads, sorted by path.
	Reads []Field
	// Escapes are the places through which whole objects leave the analysis.
	Escapes []Place

	named *types.Named
	reads map[string]*Field
}

// Field is a field that the program reads, with all below it.
type Field struct {
	// Path has JSON names with dots, also through lists and maps.
	Path string
	// Presence is set if it matters only whether the field is set, or how many elements it has.
	Presence bool
	Places   []Place
}

// Place is a position in the source.
type Place struct {
	token.Position
	// Reason says why everything below the field, or the whole object, counts as read; empty for plain reads.
	Reason string
}

// Analyze reports which fields the packages that match the patterns read. Patterns are those of the go command, in a directory.
// Packages that do not compile are an error.
func Analyze(ctx context.Context, dir string, patterns []string) (*Report, error) {
	p, err := load(ctx, dir, patterns)
	if err != nil {
		return nil, err
	}
	return analyze(p).report(), nil
}

// Paths returns the fields that have to be kept: those that are read, without those that are always kept, and those
// below others.
func (k *Kind) Paths() []string {
	var paths []string
	for _, f := range k.Reads {
		if isKept(f.Path) || f.Presence && k.readsBelow(f.Path) {
			continue
		}
		covered := slices.ContainsFunc(paths, func(p string) bool { _, ok := below(f.Path, p); return ok })
		if !covered {
			paths = append(paths, f.Path)
		}
	}
	slices.Sort(paths)
	return paths
}

// readsBelow reports whether fields below a path are read. Then elements and structs stay.
func (k *Kind) readsBelow(path string) bool {
	for _, f := range k.Reads {
		if rest, ok := below(f.Path, path); ok && rest != "" && !f.Presence {
			return true
		}
	}
	return false
}

// isKept reports whether a field is kept without being asked.
func isKept(path string) bool {
	if path == "kind" || path == "apiVersion" {
		return true
	}
	rest, ok := below(path, "metadata")
	return ok && slices.ContainsFunc(always, func(name string) bool { _, ok := below(rest, name); return ok && rest != "" })
}

// Unread returns metadata that can be large and is not read, which Keep leaves out on request. It is empty if whole objects
// are used.
func (k *Kind) Unread() []string {
	const annotations = "metadata.annotations"
	if len(k.Escapes) > 0 || k.readsAround(annotations) {
		return nil
	}
	return []string{"-" + annotations}
}

// Keep returns the call of cache.Keep with the fields.
func (k *Kind) Keep() string {
	var quoted []string
	for _, p := range k.Paths() {
		quoted = append(quoted, strconv.Quote(p))
	}
	return "cache.Keep(" + strings.Join(quoted, ", ") + ")"
}
