package generators

import (
	"fmt"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/model"
)

// groupData is a group as templates see it.
type groupData struct {
	*model.Group
	Versions []*versionData
	// MethodName is the name in Go of the group.
	MethodName string
	// Informers is the package of the group's informers.
	Informers model.Package
	// Shared is the package that informers and factory share.
	Shared model.Package
}

// versionData is a version as templates see it, with the packages that are emitted
// for it.
type versionData struct {
	*model.Version
	// Client and Fake are the packages of the typed clients; Scheme and Clientset
	// belong to the whole set.
	Client, Fake, Scheme, Clientset model.Package
	// Listers and Informers are the version's packages of those, and Shared what
	// informers share with their factory.
	Listers, Informers, Shared model.Package
	// APIPath is the path below which the server serves the group.
	APIPath string
	// Protobuf says that the clients ask for protobuf.
	Protobuf bool
}

// Title returns the group and version as in the API: apps/v1.
func (v *versionData) Title() string {
	return v.Group.NonEmptyName() + "/" + v.NonEmptyName()
}

// MethodName returns the name of the method that gives access to the version.
func (v *versionData) MethodName() string { return model.Title(v.NonEmptyName()) }

// APIGroup returns the group's name in the API.
func (v *versionData) APIGroup() string { return v.Group.Name }

// Irregular returns the kinds whose names do not suggest their resources to
// apimachinery's meta.UnsafeGuessKindToResource.
func (v *versionData) Irregular() []*model.Kind {
	var kinds []*model.Kind
	for _, k := range v.Kinds {
		if k.Resource != guessed(k.Name) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// guessed returns what UnsafeGuessKindToResource makes of a kind. It is not called
// itself, since its package would be the larger part of a generator.
func guessed(kind string) string {
	name := strings.ToLower(kind)
	switch {
	case strings.HasSuffix(name, "endpoints"):
		return name
	case strings.HasSuffix(name, "s"):
		return name + "es"
	case strings.HasSuffix(name, "y"):
		return strings.TrimSuffix(name, "y") + "ies"
	}
	return name + "s"
}

// schemeData is a package that registers types in a scheme.
type schemeData struct {
	Versions []*model.Version
	// Install holds, for the scheme of an internal clientset, the packages that
	// register types together with their conversions.
	Install []model.Package
	// Private makes the variables unexported.
	Private bool
	// Custom says that a hand-written file adds to the scheme.
	Custom bool
}

// Var returns the name of the variable that holds the scheme.
func (s schemeData) Var() string {
	if s.Private {
		return "scheme"
	}
	return "Scheme"
}

// clientsetData is a clientset.
type clientsetData struct {
	Versions []*versionData
	// Clientset is its package, and TypeConverter the one that can tell the fields of
	// its types for server-side apply; zero for none.
	Clientset, TypeConverter model.Package
}

// Column returns the name of a field with the spaces after it that line up the
// fields of the clientset.
func (d clientsetData) Column(field string) string {
	width := 0
	for _, v := range d.Versions {
		width = max(width, len(v.Field()))
	}
	return fmt.Sprintf("%-*s", width, field)
}

// kindData is a kind as the templates of its client see it.
type kindData struct {
	*model.Kind
	Version *versionData
	Methods []*methodData
	// ApplyConfig is the kind's apply configuration; zero for none.
	ApplyConfig model.TypeRef
	// Expanded says that a hand-written file adds methods to the client.
	Expanded bool
}

// Has reports whether the client has a verb.
func (k *kindData) Has(verb string) bool {
	if (verb == "apply" || verb == "applyStatus") && k.ApplyConfig.Name == "" {
		return false
	}
	return k.Kind.Has(verb)
}

// WithList and WithApply report whether the generic client can do these things.
func (k *kindData) WithList() bool  { return k.Has("list") }
func (k *kindData) WithApply() bool { return k.Has("apply") || k.Has("applyStatus") }

// OwnDeleteCollection reports whether the client has to bring DeleteCollection
// itself: a generic client has it only together with List.
func (k *kindData) OwnDeleteCollection() bool {
	return k.Has("deleteCollection") && !k.WithList()
}

// HasOwn reports whether the client has methods that no generic client has, and so
// needs a type of its own.
func (k *kindData) HasOwn() bool {
	return k.Expanded || len(k.Methods) > 0 || k.OwnDeleteCollection()
}

// GenType returns the generic client that the kind's client builds on.
func (k *kindData) GenType() string {
	switch {
	case k.WithList() && k.WithApply():
		return "ClientWithListAndApply"
	case k.WithList():
		return "ClientWithList"
	case k.WithApply():
		return "ClientWithApply"
	}
	return "Client"
}

// Singular returns the resource that not-found errors name.
func (k *kindData) Singular() string { return strings.ToLower(k.Name) }

// methodData is a method as templates see it.
type methodData struct {
	*model.Method
	Kind    *kindData
	Version *versionData
	// ApplyConfig is the apply configuration that the verb apply sends.
	ApplyConfig model.TypeRef
}

// VerbTitle returns the verb with its first letter in upper case.
func (m *methodData) VerbTitle() string { return model.Title(m.Verb) }

// Root returns the part of the name of a fake's action that tells objects outside of
// namespaces.
func (m *methodData) Root() string {
	if m.Kind.Namespaced {
		return ""
	}
	return "Root"
}

// Request returns the call that begins the request.
func (m *methodData) Request() string {
	switch m.Verb {
	case "create":
		return "Post()"
	case "update":
		return "Put()"
	case "patch":
		return "Patch(pt)"
	}
	return "Get()"
}

// HTTPMethod returns the constant of net/http for the request's method.
func (m *methodData) HTTPMethod() string {
	switch m.Verb {
	case "create":
		return "MethodPost"
	case "update":
		return "MethodPut"
	case "patch":
		return "MethodPatch"
	}
	return "MethodGet"
}

// newKindData returns a kind with its methods. Those that apply are left out if
// there is no package of apply configurations.
func newKindData(k *model.Kind, v *versionData, applyConfigurations string) *kindData {
	data := &kindData{Kind: k, Version: v}
	if applyConfigurations != "" {
		data.ApplyConfig = applyConfig(applyConfigurations, model.TypeRef{Package: v.Types, Name: k.Name})
	}
	if k.NoVerbs {
		return data
	}
	for _, m := range k.Methods {
		method := &methodData{Method: m, Kind: data, Version: v}
		if m.Verb == "apply" {
			if applyConfigurations == "" {
				continue
			}
			method.ApplyConfig = applyConfig(applyConfigurations, m.Input)
		}
		data.Methods = append(data.Methods, method)
	}
	return data
}

// applyConfig returns the apply configuration of a type: applyconfiguration-gen
// puts it into a package that is named by the last two elements of the type's.
func applyConfig(base string, t model.TypeRef) model.TypeRef {
	group, version := path.Split(t.Package.Path)
	return model.TypeRef{
		Package: model.Package{Path: path.Join(base, path.Base(group), version), Alias: t.Package.Alias + "ac"},
		Name:    t.Name + "ApplyConfiguration",
	}
}

// withoutExpansion returns the kinds that have no hand-written expansion in a
// folder, where the generated ones stand in a file of the name own.
func withoutExpansion(kinds []*model.Kind, dir, own string) []*model.Kind {
	var rest []*model.Kind
	for _, k := range kinds {
		if k.Names.ExpansionFile == own || !exists(filepath.Join(dir, k.Names.ExpansionFile)) {
			rest = append(rest, k)
		}
	}
	return rest
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// pos returns the place that stands for the whole input in messages.
func pos(api *model.API) token.Position {
	for _, v := range api.Versions() {
		return v.Pos
	}
	return token.Position{}
}
