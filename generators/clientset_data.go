package generators

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/model"
)

// clientsetData is a clientset.
type clientsetData struct {
	Versions []*clientVersion
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

// clientVersion is a version as the templates of its clients see it.
type clientVersion struct {
	*model.Version
	Kinds []*clientKind
	// Client and Fake are the packages that are generated for the version, Scheme that of the
	// clientset's scheme.
	Client, Fake, Scheme model.Package
	// APIPath is the path below which the server serves the group.
	APIPath string
	// Protobuf makes the clients request protobuf.
	Protobuf bool
}

// Irregular returns the kinds whose resources in fakes apimachinery's meta.UnsafeGuessKindToResource
// does not guess.
func (v *clientVersion) Irregular() []*clientKind {
	var kinds []*clientKind
	for _, k := range v.Kinds {
		if k.OwnResource() != guessed(k.Name) {
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

// Registered returns the versions whose types are in the scheme: not those with views alone.
func (s schemeData) Registered() []*model.Version {
	return slices.DeleteFunc(slices.Clone(s.Versions), func(v *model.Version) bool { return v.Viewed })
}

// End returns what is in front of the brace after the functions that add types: a new line, unless there are none.
func (s schemeData) End() string {
	if len(s.Registered()) == 0 && !s.Custom {
		return ""
	}
	return "\n"
}

// fakeSchemeData is the scheme of a fake clientset: that of the clientset, and the views, under their own names.
type fakeSchemeData struct {
	Scheme model.Package
	Views  []*model.Kind
}

// Var returns the name of the variable that holds the scheme.
func (s schemeData) Var() string {
	if s.Private {
		return "scheme"
	}
	return "Scheme"
}

// clientKind is a kind as the templates of its client see it.
type clientKind struct {
	*model.Kind
	Version *clientVersion
	Methods []*clientMethod
	// ApplyConfig is the kind's apply configuration; zero for none.
	ApplyConfig model.TypeRef
	// Expanded says that a hand-written file adds methods to the client.
	Expanded bool
}

// Has reports whether the client has a verb.
func (k *clientKind) Has(verb string) bool {
	if (verb == "apply" || verb == "applyStatus") && k.ApplyConfig.Name == "" {
		return false
	}
	return k.Kind.Has(verb)
}

// WithList and WithApply report whether the generic client can do these things.
func (k *clientKind) WithList() bool  { return k.Has("list") }
func (k *clientKind) WithApply() bool { return k.Has("apply") || k.Has("applyStatus") }

// OwnDeleteCollection reports whether the client has to bring DeleteCollection
// itself: a generic client has it only together with List.
func (k *clientKind) OwnDeleteCollection() bool {
	return k.Has("deleteCollection") && !k.WithList()
}

// HasOwn reports whether the client has methods that no generic client has, and so
// needs a type of its own.
func (k *clientKind) HasOwn() bool {
	return k.Expanded || len(k.Methods) > 0 || k.OwnDeleteCollection()
}

// AllVerbs reports whether the client has all verbs that every kind has unless markers
// remove some.
func (k *clientKind) AllVerbs() bool {
	for _, verb := range []string{"create", "update", "delete", "deleteCollection", "get", "list", "watch", "patch"} {
		if !k.Has(verb) {
			return false
		}
	}
	return true
}

// clientMethod is a method as templates see it.
type clientMethod struct {
	*model.Method
	Kind *clientKind
	// ApplyConfig is the apply configuration that the verb apply sends.
	ApplyConfig model.TypeRef
}

// newClientKind returns a kind with its methods. Those that apply are left out if
// there is no package of apply configurations.
func newClientKind(k *model.Kind, v *clientVersion, applyConfigurations string, expanded bool) *clientKind {
	data := &clientKind{Kind: k, Version: v, Expanded: expanded}
	if applyConfigurations != "" {
		data.ApplyConfig = applyConfig(applyConfigurations, model.TypeRef{Package: v.Types, Name: k.Name})
	}
	if k.NoVerbs {
		return data
	}
	for _, m := range k.Methods {
		method := &clientMethod{Method: m, Kind: data}
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
