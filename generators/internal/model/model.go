// Package model describes the API packages of a run: groups, versions, kinds, and all names
// that the emitted code uses for them. It is plain data without input or output.
//
// A [Group] has versions, a [Version] is one package of Go types, a [Kind] is a type with a
// client, a [Method] is an additional method of the client. All slices are in the order of
// the emitted code.
//
// Each rule for names is one function in names.go.
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
	// Dir is the directory name of the group's packages: the element before the version in
	// the path of the types.
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
	// GroupVersionVar is the name of the variable in Types that contains the group and
	// version.
	GroupVersionVar string
	// HasResource reports whether Types has, or is expected to have, a function Resource
	// that returns a schema.GroupResource.
	HasResource bool
	Kinds       []*Kind
	// Off contains the tools, by code-generator's names, that markers disable for the
	// package.
	Off map[string]bool
	// Pos is the package's position in messages.
	Pos token.Position
}

// Internal reports whether this is the internal version.
func (v *Version) Internal() bool { return v.Name == "" }

// Package is a Go package as emitted code imports it.
type Package struct {
	Path string
	// Alias is the import name.
	Alias string
}

// Kind is a type with a client.
type Kind struct {
	Version *Version
	// Name is the type's name.
	Name string
	// Names are the names in emitted code for this kind.
	Names Names
	// Resource is the resource name in paths, such as "endpoints".
	Resource   string
	Namespaced bool
	// NoVerbs reports whether the client has no methods.
	NoVerbs bool
	// Skip contains the verbs that the client lacks; see also NoVerbs and HasStatus.
	Skip      []string
	HasStatus bool
	Methods   []*Method
	// ItemsArePointers reports whether the list type contains []*Kind instead of []Kind.
	ItemsArePointers bool
	Pos              token.Position
}

// Marked reports whether the markers allow a verb. Like code-generator, it ignores
// +genclient:noVerbs and whether there is a status.
func (k *Kind) Marked(verb string) bool { return !slices.Contains(k.Skip, verb) }

// Has reports whether the kind's client has a verb.
func (k *Kind) Has(verb string) bool {
	if k.NoVerbs || (!k.HasStatus && (verb == "updateStatus" || verb == "applyStatus")) {
		return false
	}
	return k.Marked(verb)
}

// HasLister reports whether the kind has a lister: as in code-generator if it has the verbs
// of a lister, and also if its informer returns one.
func (k *Kind) HasLister() bool {
	return k.Marked("list") && k.Marked("get") || k.HasInformer()
}

// HasInformer reports whether the kind has an informer.
func (k *Kind) HasInformer() bool {
	return !k.NoVerbs && k.Marked("list") && k.Marked("watch")
}

// Method is an additional method of a kind's client.
type Method struct {
	Kind *Kind
	Name string
	// Verb is create, update, get, list, patch or apply.
	Verb        string
	Subresource string
	Input       TypeRef
	Result      TypeRef
	// InputParam is the name of the input parameter.
	InputParam string
}

// OnSubresource reports whether the method takes the name of the object that has the
// subresource. A patch does not: its caller passes the subresources.
func (m *Method) OnSubresource() bool { return m.Subresource != "" && m.Verb != "patch" }

// TypeRef is a type in a package.
type TypeRef struct {
	Package Package
	Name    string
}
