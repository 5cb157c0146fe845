// Package breaking compares two states of API packages and finds the changes that break clients,
// stored objects, or Go code.
//
// # Terms
//
// A [Change] is one difference, at a [Path] of a schema or at a declaration. Its [Effect] is the set of
// those it breaks; a change without an effect is compatible. A change breaks clients if requests that
// succeeded can fail or do something else, or if responses can contain what an earlier client does not
// understand. It breaks stored objects if one that was valid can become invalid or lose data. It breaks
// Go code that uses the packages, or what is generated from them, if that may not compile.
//
// # Operations
//
// [Schemas] compares two OpenAPI schemas as CustomResourceDefinitions contain them, [CRDs] two of these
// definitions, [Models] the kinds of two models, and [Packages] the exported declarations.
//
// # Limits
//
// The verdict is about what can happen, not about the objects that a cluster has. It errs on one side: what
// is called compatible with stored objects is, but a change that breaks none can be reported, as when a
// pattern is replaced by an equivalent one. Rules in CEL are not evaluated.
//
// API servers from Kubernetes 1.30 on accept in an update what is invalid but not changed by it (KEP-4008,
// ratcheting). That softens changes that are marked Ratcheted: objects remain readable and can be changed
// elsewhere. It never applies to values with fields that no schema declares.
package breaking

import (
	"go/token"
	"strings"
)

// Effect is a set of those that a change breaks.
type Effect uint8

// The elements of effects.
const (
	Clients Effect = 1 << iota
	Objects
	Go
)

// Each returns those of the elements that are in the set.
func (e Effect) Each() []Effect {
	var list []Effect
	for _, element := range []Effect{Clients, Objects, Go} {
		if e&element != 0 {
			list = append(list, element)
		}
	}
	return list
}

// String returns "breaks clients and stored objects" or the like, or "compatible".
func (e Effect) String() string {
	var names []string
	for _, element := range e.Each() {
		names = append(names, map[Effect]string{Clients: "clients", Objects: "stored objects", Go: "Go users"}[element])
	}
	switch len(names) {
	case 0:
		return "compatible"
	case 3:
		names = []string{names[0] + ", " + names[1], names[2]}
	}
	return "breaks " + strings.Join(names, " and ")
}

// Change is one difference between two states.
type Change struct {
	// Effect is the set of those that the change breaks.
	Effect Effect
	// Group, Kind and Version are the names in the API of what changed: Group is empty for the core group, Version for
	// changes that concern all versions, and all three for changes of Go packages.
	Group, Kind, Version string
	// Package and Declaration are the import path and the declaration that changed, such as ShoeSpec or
	// ShoeSpec.Size, of changes of Go packages. Declaration is empty for the package itself.
	Package, Declaration string
	// Text describes the change and, if it breaks something, why and what to do.
	Text string
	// Ratcheted reports whether servers with KEP-4008 accept updates of stored objects that leave
	// the value unchanged.
	Ratcheted bool
	// Path is the place in a schema, if the change is in one.
	Path Path
	// Removed reports whether the place is in the old state, because the new one does not have it.
	Removed bool
	// Pos is the position in the source; set by whoever knows it.
	Pos token.Position
}

// Subject returns what changed, as in "v1 Shoe, spec.size", "Shoe.Size" or "package example.com/apis/v1".
func (c Change) Subject() string {
	switch {
	case c.Kind != "":
		subject := strings.TrimSpace(c.Version + " " + c.Kind)
		if len(c.Path) > 0 {
			subject += ", " + c.Path.String()
		}
		return subject
	case c.Package != "" && c.Declaration == "":
		return "package " + c.Package
	case c.Package != "":
		return c.Declaration
	}
	return c.Path.String()
}

// String returns the change without its position.
func (c Change) String() string {
	text := c.Effect.String() + ": " + c.Subject() + ": " + c.Text
	if c.Ratcheted && c.Effect&Objects != 0 {
		text += " (from Kubernetes 1.30 on, updates of such objects that leave the value unchanged are accepted)"
	}
	return text
}

// Path leads to a part of a schema: names of properties, [Items], or [Values].
type Path []string

// Elements of paths that are not names of properties.
const (
	// Items stands for the items of an array.
	Items = "[]"
	// Values stands for the values of a map.
	Values = "[*]"
)

// String returns the path as in spec.ports[].name; "object" if it is empty.
func (p Path) String() string {
	if len(p) == 0 {
		return "object"
	}
	var b strings.Builder
	for _, e := range p {
		if e != Items && e != Values && b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(e)
	}
	return b.String()
}

// to returns the path with one more element. It shares nothing with p.
func (p Path) to(element string) Path {
	return append(append(Path(nil), p...), element)
}
