package kinds

import (
	"go/ast"
	"go/token"
	"slices"
	"unicode/utf8"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/model"
)

// views adds the views that are declared in the sources to the versions of the kinds that they have fields of. The
// packages of these need not be sources: their versions are added, without other kinds.
func (r *reader) views(sources []Source, versions []*version) []*version {
	elsewhere := map[*load.Package]*version{} // the versions of other packages, with their own kinds
	for _, p := range Packages(sources) {
		p.Files(func(f *load.File) bool {
			for _, t := range f.Types() {
				lines := marker.TypeLines(t, true, new(diag.List))
				if at, ok := marker.IsView(lines); ok && !r.Views {
					r.Diags.Warnf(at, "+%s is ignored by --runtime=client-go; generate views with --runtime=listwatch", marker.ViewName)
					continue
				}
				if m, ok := marker.ParseView(lines, r.Diags); ok {
					versions = r.view(t, m, versions, elsewhere)
				}
			}
			for _, group := range unattached(f, marker.ViewName) {
				if at, ok := marker.IsView(f.Lines(group)); ok {
					r.Diags.Warnf(at, "marker is not attached to a type and is ignored; move it to the doc comment of the type")
				}
			}
			return true
		}, "+"+marker.ViewName)
	}
	return versions
}

// view adds a view to the version of its kind.
func (r *reader) view(t *load.Type, m marker.View, versions []*version, elsewhere map[*load.Package]*version) []*version {
	p, err := t.File.Package.Import(m.Path)
	if err != nil {
		r.Diags.Errorf(m.At, "cannot read the package of type %s: %v; correct the import path, or download its module with go get", m.Name, err)
		return versions
	}
	decl := p.Lookup(m.Name)
	if decl == nil {
		r.Diags.Errorf(m.At, "type %s is not declared in package %s%s", m.Name, m.Path, didYouMean(m.Name, typeNames(p)))
		return versions
	}
	in := func(v *version) bool { return v.src.Package == p }
	i := slices.IndexFunc(versions, func(v *version) bool { return in(v) && !v.Viewed })
	if i < 0 && elsewhere[p] == nil {
		other := newReader(Options{Extended: true, PluralExceptions: r.PluralExceptions, Diags: new(diag.List)})
		elsewhere[p] = other.version(Source{Package: p, Named: true})
	}
	from := elsewhere[p]
	if i >= 0 {
		from = versions[i]
	}
	j := slices.IndexFunc(from.Kinds, func(k *model.Kind) bool { return k.Name == m.Name && k.View == nil })
	switch {
	case j < 0:
		r.Diags.Errorf(m.At, "type %s of package %s has no clients, so its resource is not known; name a type with the marker +genclient", m.Name, m.Path)
		return versions
	case from.Internal():
		r.Diags.Errorf(m.At, "type %s of package %s is of an internal version, which servers do not send; name the type of an external version", m.Name, m.Path)
		return versions
	}
	k := r.viewKind(t, m, from.Kinds[j])
	if k == nil {
		return versions
	}
	if i < 0 {
		i = slices.IndexFunc(versions, in)
	}
	if i < 0 {
		only := *from.Version
		// What the package's markers switch off is about its own kinds.
		only.Kinds, only.Off, only.Markers, only.Viewed, only.Pos = nil, nil, nil, true, m.At
		versions = append(versions, &version{Version: &only, src: from.src, markers: from.markers})
		i = len(versions) - 1
	}
	k.Version = versions[i].Version
	k.Version.Kinds = append(k.Version.Kinds, k)
	r.kinds = append(r.kinds, k.Name)
	r.declarations[k], r.viewed[k] = Declaration{Type: t}, decl
	return versions
}

// viewKind returns the kind for a view, without its version, or nil if the type is invalid.
func (r *reader) viewKind(t *load.Type, m marker.View, of *model.Kind) *model.Kind {
	pos := t.Pos()
	p := t.File.Package
	switch {
	case t.Name[0] >= utf8.RuneSelf || !ast.IsExported(t.Name):
		r.Diags.Errorf(pos, "view %s is not exported, so generated code cannot use it; start its name with an uppercase ASCII letter", t.Name)
		return nil
	case p.Name == "main":
		r.Diags.Errorf(pos, "view %s is in package main, which cannot be imported; move it to its own package", t.Name)
		return nil
	case t.Spec.TypeParams != nil:
		r.Diags.Errorf(pos, "view %s is generic; declare a struct without type parameters", t.Name)
		return nil
	case marker.ParseType(marker.TypeLines(t, true, new(diag.List)), new(diag.List)).GenClient:
		r.Diags.Errorf(m.At, "type %s has +genclient too, but a view has no resource of its own; keep one of the markers", t.Name)
		return nil
	case !of.Has("get") || !of.Has("list") || !of.Has("watch"):
		r.Diags.Errorf(m.At, "type %s cannot be viewed, because its markers remove get, list or watch", of.Name)
		return nil
	}
	if meta, err := t.Field("TypeMeta", false); err == nil && (meta == nil || !meta.Embedded) {
		r.Diags.Errorf(pos, "view %s has no TypeMeta, so it is not an API object; embed metav1.TypeMeta with the tag `json:\",inline\"`", t.Name)
		return nil
	}
	k := &model.Kind{
		Name:       t.Name,
		Doc:        marker.TypeText(t),
		Names:      r.plurals.KindNames(t.Name),
		Resource:   of.Resource,
		Namespaced: of.Namespaced,
		Skip:       slices.DeleteFunc(slices.Clone(marker.Verbs), func(verb string) bool { return verb == "get" || verb == "list" || verb == "watch" }),
		Markers:    marker.Tags(t.OwnLines()),
		View:       &model.View{Of: model.TypeRef{Name: of.Name}, Types: model.Package{Path: p.Path}, OwnList: p.Lookup(t.Name+"List") == nil},
		Pos:        pos,
	}
	if !k.View.OwnList && r.Clients {
		r.list(k, t, p)
	}
	return k
}

// nameViews gives the packages of views their import names, and lists the views of packages.
func (r *reader) nameViews(api *model.API) {
	for _, v := range api.Versions() {
		for _, k := range v.Kinds {
			if k.View == nil {
				continue
			}
			k.View.Of.Package = v.Types
			k.View.Types = r.imports.Package(k.View.Types.Path)
			for _, p := range api.Packages {
				if p.Types.Path == k.View.Types.Path {
					p.Views = append(p.Views, k)
				}
			}
		}
	}
}

// typeNames returns the names of the exported types of a package.
func typeNames(p *load.Package) []string {
	var names []string
	p.Files(func(f *load.File) bool {
		for _, t := range f.Types() {
			if token.IsExported(t.Name) {
				names = append(names, t.Name)
			}
		}
		return true
	}, "type")
	return names
}
