// Package schema derives CustomResourceDefinitions from Go types and their markers, as controller-gen
// v0.23 does.
//
// # Terms
//
// A kind is a struct with metav1.TypeMeta and metav1.ObjectMeta embedded, in a package with +groupName.
// Kinds of the same name and group are the versions of one CRD. The schema of a type describes its
// JSON; markers refine it, and comments are its descriptions. A use of a type, in a field or in another
// type, can refine it further.
//
// # Operations
//
// [Read] finds the kinds of packages and returns their CRDs. It derives the schemas of all types that
// the kinds consist of, in whatever packages they are, replaces references by what they refer to, and
// merges the schemas of types and fields.
//
// # Limits
//
// Everything follows from syntax, by package resolve. A package that cannot be read is an error where
// one of its types is used. Types that contain themselves have no schema, nor have interfaces and
// functions.
package schema

import (
	"fmt"
	"go/token"
	"slices"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/kubemarker"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/resolve"
	"github.com/listwatch/listwatch/generators/model"
)

// Finder returns packages that have a kind in other versions than the given ones.
type Finder func(group, kind string, versions []string) []*load.Package

// Options configure [Read].
type Options struct {
	// AllowDangerousTypes allows floating-point numbers.
	AllowDangerousTypes bool
	// All follows Go and servers where controller-gen does not: floating-point numbers are a warning, and unexported
	// fields, which no client can send, are left out. Markers of types that no kind consists of are checked too.
	All bool
	// EmbeddedObjectMeta describes the metadata of objects within objects.
	EmbeddedObjectMeta bool
	// IgnoreUnexported skips unexported fields.
	IgnoreUnexported bool
	// MarkedOnly skips kinds without any of kubebuilder's markers about CRDs.
	MarkedOnly bool
	// Unread accepts types of packages that cannot be read.
	Unread bool
	// Elsewhere finds packages that are not of the run; nil for none.
	Elsewhere Finder
	// Resolver resolves types.
	Resolver *resolve.Resolver
	// Diags receives errors and warnings.
	Diags *diag.List
}

// Read returns the CRDs of the kinds in packages, by the import path of one of these with a version: the storage
// version if it is in one of them. Each list is sorted by kind.
func Read(packages []*load.Package, opts Options) map[string][]*model.CRD {
	r := &reader{
		Options: opts, own: map[string]bool{},
		types: map[*resolve.Type]*declared{}, markers: map[*load.Package]*packageMarkers{},
		refs: map[*model.Schema]*declared{}, places: map[*model.Schema]token.Position{},
		shared: map[*model.Schema]bool{}, expansions: map[*model.Schema]*model.Schema{}, flattened: map[*model.Schema]*model.Schema{}, checked: map[*model.Schema]bool{}, faulty: map[token.Position]bool{},
	}
	for _, p := range packages {
		r.own[p.Dir] = true
	}
	var found []*kind
	for _, p := range packages {
		found = append(found, r.kinds(p)...)
	}
	for _, p := range packages {
		found = append(found, r.defined(p, found)...)
	}
	definitions := r.definitions(r.more(found))
	for _, p := range packages {
		if slices.ContainsFunc(found, func(k *kind) bool { return k.pkg == p }) {
			r.aliases(p)
		}
	}
	if r.All {
		for _, p := range packages {
			r.unused(p)
		}
	}
	return definitions
}

// more adds the versions of kinds that other packages have.
func (r *reader) more(found []*kind) []*kind {
	if r.Elsewhere == nil {
		return found
	}
	all := slices.Clone(found)
	for i, k := range found {
		same := func(other *kind) bool { return other.name == k.name && other.markers.group == k.markers.group }
		if slices.IndexFunc(found, same) != i {
			continue
		}
		var versions []string
		for _, other := range found {
			if same(other) {
				versions = append(versions, other.markers.version)
			}
		}
		for _, p := range r.Elsewhere(k.markers.group, k.name, versions) {
			r.own[p.Dir] = true
			candidates := r.kinds(p)
			for _, other := range slices.Concat(candidates, r.defined(p, append(candidates, found...))) {
				if same(other) && !slices.Contains(versions, other.markers.version) {
					other.added = true
					all, versions = append(all, other), append(versions, other.markers.version)
				}
			}
		}
	}
	return all
}

// reader is the state of one call of Read.
type reader struct {
	Options
	own     map[string]bool // the directories of the packages of the run
	types   map[*resolve.Type]*declared
	markers map[*load.Package]*packageMarkers
	refs    map[*model.Schema]*declared      // the types that schemas refer to
	places  map[*model.Schema]token.Position // of the fields that schemas belong to
	shared  map[*model.Schema]bool           // those of a field and one of its name in an embedded struct
	// expansions and flattened are the results of expand and flatten.
	expansions, flattened map[*model.Schema]*model.Schema
	// stack are the places of the references that are being followed.
	stack  []token.Position
	checks []check
	// reading is the innermost type whose schema is being read.
	reading *declared
	// reported are the faults so far of the types that were expanded.
	reported []fault
	// merged is set when the schemas of all kinds are merged, and their contradictions reported.
	merged bool
	// checked are the schemas that checkSchema has checked.
	checked map[*model.Schema]bool
	faulty  map[token.Position]bool // the places of errors
}

// declared is a declared type.
type declared struct {
	typ       *resolve.Type
	schema    *model.Schema
	expanded  *model.Schema
	expanding bool
	markers   []*kubemarker.Marker
	doc       string
	// faults are about packages outside of the run: the type's own and, once it is expanded, those of the types that it uses.
	faults []fault
}

// fault is an error or a warning about a package outside of the run. Each field of the run that leads there has it.
type fault struct {
	pos     token.Position
	text    string
	warning bool
}

// name returns the name of the declaration.
func (d *declared) name() string { return declarationOf(d.typ).Name }

// errorf adds an error at a position or, if that is in a package outside of the run, at the place of
// the field in the run that leads there.
func (r *reader) errorf(pos token.Position, format string, args ...any) {
	r.add(fault{pos: pos, text: fmt.Sprintf(format, args...)})
}

// advisef adds a warning at the place where errorf adds an error.
func (r *reader) advisef(pos token.Position, format string, args ...any) {
	r.add(fault{pos: pos, text: fmt.Sprintf(format, args...), warning: true})
}

// add reports a fault or, if it is about a type outside of the run, keeps it for the places that use the type.
func (r *reader) add(f fault) {
	pos := r.blame(f.pos)
	switch {
	case r.reading != nil && !r.inRun(f.pos):
		r.reading.faults = append(r.reading.faults, f)
	case f.warning:
		r.Diags.Warnf(pos, "%s", f.text)
	default:
		r.faulty[pos] = true
		r.Diags.Errorf(pos, "%s", f.text)
	}
}

// report adds the faults of a type that is used at the place that the stack tells.
func (r *reader) report(faults []fault) {
	for _, f := range faults {
		r.add(f)
	}
	r.reported = append(r.reported, faults...)
}

// blame returns pos if it is in a package of the run, and otherwise the place of the reference from the
// run that leads there.
func (r *reader) blame(pos token.Position) token.Position {
	if r.inRun(pos) {
		return pos
	}
	for _, place := range slices.Backward(r.stack) {
		if r.inRun(place) {
			return place
		}
	}
	return pos
}
