// Package model is what a run knows of the API packages it reads: groups,
// their versions, the kinds in them, and every name that the emitted code uses
// for them. It is data: it reads nothing and reports nothing.
//
// A [Group] has versions, a [Version] is one package of Go types, a [Kind] is a
// type for which a client is wanted, a [Method] is a verb of the client beyond
// the usual ones. All slices are in the order in which they are printed.
//
// Each decision about a name is made in one function of names.go.
package model

import (
	"go/token"
	"slices"
)

// API is the input of a run.
type API struct {
	Groups []*Group
}

// Versions returns the versions of all groups, group by group.
func (a *API) Versions() []*Version {
	var versions []*Version
	for _, g := range a.Groups {
		versions = append(versions, g.Versions...)
	}
	return versions
}

// Group is an API group.
type Group struct {
	// Name is the group's name in the API; empty for the core group.
	Name string
	// Dir is the folder of the group's packages: what stands above the version
	// in the path of the types.
	Dir      string
	Versions []*Version
}

// Version is one version of a group: one package of types.
type Version struct {
	Group *Group
	// Name is the version's name in the API, such as v1beta1; empty for the
	// internal version.
	Name string
	// GroupGoName is the group's name in Go, such as Apps.
	GroupGoName string
	// Types is the package of the types.
	Types Package
	// GroupVersionVar is the name of the variable in Types that holds the
	// group and version.
	GroupVersionVar string
	// HasResource says that Types has, or is expected to have, a function
	// Resource that makes a schema.GroupResource.
	HasResource bool
	Kinds       []*Kind
	// Off holds the tools, by code-generator's names, that a marker turns off
	// for the package.
	Off map[string]bool
	// Pos is the package's place in messages.
	Pos token.Position
}

// Internal reports whether this is the internal version.
func (v *Version) Internal() bool { return v.Name == "" }

// Package is a Go package as emitted code imports it.
type Package struct {
	Path string
	// Alias is the name under which it is imported.
	Alias string
}

// Kind is a type for which a client is wanted.
type Kind struct {
	Version *Version
	// Name is the type's name.
	Name string
	// Names are what emitted code calls things of this kind.
	Names Names
	// Resource is the name in paths, such as "endpoints".
	Resource   string
	Namespaced bool
	// NoVerbs says that the client has no methods at all.
	NoVerbs bool
	// Skip holds the verbs that the client lacks; see also NoVerbs and HasStatus.
	Skip      []string
	HasStatus bool
	Methods   []*Method
	// ItemsArePointers says that the list type holds []*Kind, not []Kind.
	ItemsArePointers bool
	Pos              token.Position
}

// Marked reports whether the markers leave the kind a verb. It is what
// code-generator asks: +genclient:noVerbs does not count, nor whether there is
// a status.
func (k *Kind) Marked(verb string) bool { return !slices.Contains(k.Skip, verb) }

// Has reports whether the kind's client has a verb.
func (k *Kind) Has(verb string) bool {
	if k.NoVerbs || (!k.HasStatus && (verb == "updateStatus" || verb == "applyStatus")) {
		return false
	}
	return k.Marked(verb)
}

// HasLister reports whether the kind has a lister: as code-generator has it, if it
// has the verbs that a lister offers, and also if its informer hands one out.
func (k *Kind) HasLister() bool {
	return k.Marked("list") && k.Marked("get") || k.HasInformer()
}

// HasInformer reports whether the kind has an informer.
func (k *Kind) HasInformer() bool {
	return !k.NoVerbs && k.Marked("list") && k.Marked("watch")
}

// Method is a verb of a kind's client beyond the usual ones.
type Method struct {
	Kind *Kind
	Name string
	// Verb is create, update, get, list, patch or apply.
	Verb        string
	Subresource string
	Input       TypeRef
	Result      TypeRef
	// InputParam is the parameter that holds the input.
	InputParam string
}

// OnSubresource reports whether the method takes the name of the object whose
// subresource it works on. A patch does not: its caller names the subresources.
func (m *Method) OnSubresource() bool { return m.Subresource != "" && m.Verb != "patch" }

// TypeRef is a type in a package.
type TypeRef struct {
	Package Package
	Name    string
}
