// Package slow finds the fields of types that the decoder of runtime/codec does not decode by its tables.
//
// # Terms
//
// A slow [Field] is decoded by apimachinery's decoder, or by a method of its type; the rest of the object stays fast.
//
// # Operations
//
// [Explain] returns the slow fields of a type, as codec.Explain does for the compiled type: the rules are those of
// runtime/codec/internal/table, applied to syntax. [Check] warns about those that their authors can change.
//
// # Limits
//
// Types that cannot be read, such as those of modules that are not downloaded, count as fast.
package slow

import (
	"go/token"

	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/resolve"
)

// Field is a field that is decoded slowly.
type Field struct {
	// Path is the path of the field by the names of members in JSON; [] are elements and values of maps.
	Path string
	// Name is the field in Go, such as Shoe.Sizes; empty if it is the whole type.
	Name string
	// Type is the type of the field or, if the method of its elements is the reason, theirs.
	Type *resolve.Type
	// Why is the reason: what the fast decoder does not know, as a plural, or a clause about the type.
	Why string
	// Package declares the field, at Pos. It is nil if the field is the whole type.
	Package *load.Package
	Pos     token.Position
}

// Explain returns the slow fields of t. What t contains in several places is listed once. Of structs in packages for
// which within returns false, no fields are listed; nil stands for all packages.
func Explain(t *resolve.Type, within func(*load.Package) bool) []Field {
	e := &explainer{within: within, seen: map[*resolve.Type]bool{}, counted: map[*resolve.Type]bool{}}
	switch end := value(t, nil); {
	case end.exact != "":
		return []Field{{Type: t, Why: end.exact}}
	case end.itself != nil:
		return []Field{{Type: t, Why: itself}}
	case end.structure != nil:
		e.walk("", end.structure.Name()+".", end.structure)
	}
	return e.slow
}

// Count returns the number of fields of all structs that the types consist of, those of slow fields excepted. Fields
// of a struct that is embedded count once.
func Count(types []*resolve.Type) int {
	e := &explainer{seen: map[*resolve.Type]bool{}, counted: map[*resolve.Type]bool{}}
	for _, t := range types {
		if end := value(t, nil); end.structure != nil {
			e.walk("", "", end.structure)
		}
	}
	return e.fields
}

// explainer walks through structs.
type explainer struct {
	within        func(*load.Package) bool
	seen, counted map[*resolve.Type]bool
	slow          []Field
	fields        int
}

// mostFields is the number of fields up to which a struct has a table.
const mostFields = 128

// tooMany is the reason for the fields after these.
const tooMany = "structs of more than 128 fields"

// walk adds the fields of the struct t, whose names in Go begin with the prefix.
func (e *explainer) walk(path, prefix string, t *resolve.Type) {
	if e.seen[t] || e.within != nil && len(t.Args()) == 0 && !e.within(t.File().Package) {
		return
	}
	e.seen[t] = true
	fast := 0
	for _, m := range e.collect(t, prefix) {
		found := Field{Path: path + m.name, Name: m.prefix + m.Name, Type: m.Type, Why: m.why, Package: m.File.Package, Pos: m.Pos}
		if found.Why == "" {
			if fast++; fast > mostFields {
				found.Why = tooMany
			}
		}
		var end ending
		if found.Why == "" {
			end = value(m.Type, nil)
			found.Why = end.exact
		}
		if end.itself != nil {
			found.Path, found.Type, found.Why = found.Path+end.suffix, end.itself, itself
		}
		switch {
		case found.Why != "":
			e.slow = append(e.slow, found)
		case end.structure == nil:
		case end.structure.Name() != "":
			e.walk(found.Path+end.suffix+".", end.structure.Name()+".", end.structure)
		default:
			e.walk(found.Path+end.suffix+".", found.Name+".", end.structure)
		}
	}
}
