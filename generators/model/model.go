// Package model describes the API packages of a run of the generators: groups, versions,
// kinds, and all names that generated code uses for them.
//
// # Terms
//
// An [API] is what a run has read. An [APIPackage] is one of its packages. A [Group] has versions, a [Version] is one
// package of Go types, a [Kind] is a type with a client, a [View] is what makes it one with some fields of another
// kind, a [Method] is an additional method of the client, and a [Marker] is a line such as "+name=value" in a comment.
// A [Struct] is a struct type that occurs in kinds, with its fields; a [TypeDecl] is any type that a package declares.
// [Names] are the names that generated code uses for a kind; each rule for names is one function.
//
// # Operations
//
// Package generators reads a model with its function Read, and gives each emitter its own
// copy. All slices are in the order of the generated code. The model is plain data without
// input or output: its owner may modify it, and [API.Clone] returns a copy that shares
// nothing with the original. Reading a model concurrently is safe.
//
// # Limits
//
// The model contains what generated clients depend on. Fields of kinds, and types without the
// marker +genclient, are in it only as far as apply configurations mirror them, except that [TypeDecl] describes all
// types of the packages of the run, if an emitter needs them. Types of other packages are names.
package model

import (
	"go/token"
	"maps"
	"slices"
)

// API is the input of a run. Groups are in the order of their directory names.
type API struct {
	Groups []*Group
	// Packages are the packages of the run, sorted by import path.
	Packages []*APIPackage
	// Structs are the packages of structs, sorted by import path, if structs were read.
	Structs []*StructPackage
	// Manifests are what markers request for the programs of modules, sorted by module, if they were read.
	Manifests []*Manifests
}

// Versions returns the versions of all groups, group by group.
func (a *API) Versions() []*Version {
	var versions []*Version
	for _, g := range a.Groups {
		versions = append(versions, g.Versions...)
	}
	return versions
}

// Without returns the API without the versions whose packages disable a generator, which is
// a key of [Version.Off], and without the groups that have no other version. It shares the
// versions with a.
func (a *API) Without(generator string) *API {
	result := &API{Packages: a.Packages, Structs: a.Structs, Manifests: a.Manifests}
	for _, g := range a.Groups {
		rest := *g
		rest.Versions = slices.DeleteFunc(slices.Clone(g.Versions), func(v *Version) bool { return v.Off[generator] })
		if len(rest.Versions) > 0 {
			result.Groups = append(result.Groups, &rest)
		}
	}
	return result
}

// Clone returns a deep copy.
func (a *API) Clone() *API {
	result := &API{Groups: make([]*Group, len(a.Groups))}
	kinds, versions, schemas := map[*Kind]*Kind{}, map[*Version]*Version{}, map[*Schema]*Schema{}
	for i, g := range a.Groups {
		group := *g
		group.Versions = make([]*Version, len(g.Versions))
		for i, v := range g.Versions {
			group.Versions[i] = v.clone(&group)
			versions[v] = group.Versions[i]
			for j, k := range v.Kinds {
				kinds[k] = group.Versions[i].Kinds[j]
			}
		}
		result.Groups[i] = &group
	}
	for _, p := range a.Packages {
		result.Packages = append(result.Packages, p.clone(versions, kinds, schemas))
	}
	for _, p := range a.Structs {
		result.Structs = append(result.Structs, p.clone(kinds))
	}
	for _, m := range a.Manifests {
		result.Manifests = append(result.Manifests, m.clone())
	}
	return result
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
	// Viewed reports whether all kinds are views, and generated code does not import Types.
	Viewed bool
	// HasResource reports whether Types has, or is expected to have, a function Resource
	// that returns a schema.GroupResource.
	HasResource bool
	Kinds       []*Kind
	// Off contains the generators, by the names of code-generator's tools such as
	// client-gen, that markers disable for the package.
	Off map[string]bool
	// Markers are the markers in the comments of the package's doc.go, in order.
	Markers []Marker
	// Pos is the package's position in messages.
	Pos token.Position
}

// Internal reports whether this is the internal version.
func (v *Version) Internal() bool { return v.Name == "" }

func (v *Version) clone(group *Group) *Version {
	version := *v
	version.Group = group
	version.Off = maps.Clone(v.Off)
	version.Markers = slices.Clone(v.Markers)
	version.Kinds = make([]*Kind, len(v.Kinds))
	for i, k := range v.Kinds {
		version.Kinds[i] = k.clone(&version)
	}
	return &version
}

// Package is a Go package as generated code imports it.
type Package struct {
	// Path is the import path.
	Path string
	// Alias is the import name.
	Alias string
}

// Kind is a type with a client.
type Kind struct {
	Version *Version
	// Name is the name of the type, which is in the package that Types returns.
	Name string
	// Doc is the text of the type's doc comment without markers.
	Doc string
	// Names are the names in generated code for this kind.
	Names Names
	// Resource is the resource name in paths, such as "endpoints".
	Resource   string
	Namespaced bool
	// NoVerbs reports whether the client has no methods.
	NoVerbs bool
	// Skip contains the verbs that the client lacks; see also NoVerbs and HasStatus.
	Skip      []string
	HasStatus bool
	// Methods are the additional methods, if clients were read.
	Methods []*Method
	// ItemsArePointers reports whether the list type contains []*Kind instead of []Kind. It
	// is set if fakes were read.
	ItemsArePointers bool
	// Markers are the markers in the comments above the type, in order.
	Markers []Marker
	// View is what makes the kind a view; nil for other kinds.
	View *View
	// Pos is the type's position.
	Pos token.Position
}

func (k *Kind) clone(version *Version) *Kind {
	kind := *k
	kind.Version = version
	kind.Skip = slices.Clone(k.Skip)
	kind.Markers = slices.Clone(k.Markers)
	kind.View = k.View.clone()
	kind.Methods = make([]*Method, len(k.Methods))
	for i, m := range k.Methods {
		method := *m
		method.Kind = &kind
		kind.Methods[i] = &method
	}
	return &kind
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

// Marker is a line "+name" or "+name=value" of a comment.
type Marker struct {
	// Name is the text between the plus sign and the first equals sign, such as
	// "genclient:skipVerbs".
	Name string
	// Value is the text after the equals sign.
	Value string
	// HasValue distinguishes "+name=" from "+name".
	HasValue bool
	// Pos is the position of the line.
	Pos token.Position
}

// TypeRef is a type in a package.
type TypeRef struct {
	Package Package
	Name    string
}
