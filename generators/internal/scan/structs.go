package scan

import (
	"cmp"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/model"
)

// structs adds the structs of the sources that kinds with the verb apply consist of, and those
// in Options.Structs.
func (s *scanner) structs(api *model.API, sources []Source, versions []*version) {
	r := &structReader{scanner: s, packages: map[string]*model.StructPackage{}, seen: map[*load.Type]bool{}, read: map[*load.Type]bool{}, kinds: map[*load.Type]*model.Kind{}}
	byPackage := map[*load.Package]*version{}
	for _, v := range versions {
		byPackage[v.src.Package] = v
		for i, f := range v.found {
			r.kinds[f.decl] = v.Kinds[i]
		}
	}
	for _, src := range sources {
		if p := s.structPackage(src.Package, byPackage[src.Package]); p != nil {
			r.packages[src.Package.Path] = p
		}
	}
	for _, v := range versions {
		for i, f := range v.found {
			r.roots(v, v.Kinds[i], f)
		}
	}
	for r.walk() {
	}
	for _, src := range sources {
		for _, name := range s.Structs[src.Package.Path] {
			r.alone = append(r.alone, src.Package.Lookup(name))
		}
	}
	for _, decl := range r.alone {
		if decl != nil && !r.read[decl] && r.packages[decl.File.Package.Path] != nil {
			r.readStruct(decl)
		}
	}
	for _, p := range r.packages {
		if len(p.Structs) == 0 {
			continue
		}
		slices.SortFunc(p.Structs, func(a, b *model.Struct) int {
			return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.Name, b.Name))
		})
		api.Structs = append(api.Structs, p)
	}
	slices.SortFunc(api.Structs, func(a, b *model.StructPackage) int { return strings.Compare(a.Types.Path, b.Types.Path) })
}

// structPackage returns the package of structs for a source, or nil if there are none: the package
// of an internal version, or one that opts out. v is its version, and nil if it has no kinds.
func (s *scanner) structPackage(p *load.Package, v *version) *model.StructPackage {
	dir, last := path.Split(p.Path)
	pkg := &model.StructPackage{
		Group: path.Base(dir), Version: last, GroupDir: path.Base(dir), VersionDir: last,
		Types: model.Package{Path: p.Path}, Pos: packagePos(p),
	}
	if v != nil {
		if v.Internal() || v.Off["applyconfiguration-gen"] {
			return nil
		}
		pkg.Types, pkg.GroupVersionVar = v.Types, v.GroupVersionVar
		if v.markers.HasGroupName {
			pkg.Group = v.markers.GroupName
		}
		return pkg
	}
	markers := s.packageMarkers(p, new(diag.List)) // errors matter only in packages with kinds
	if markers.Off["applyconfiguration-gen"] {
		return nil
	}
	if markers.HasGroupName {
		pkg.Group = markers.GroupName
	}
	pkg.Types = s.foreign(p.Path)
	for _, name := range []string{"SchemeGroupVersion", "GroupVersion"} {
		if p.Declares(name) {
			pkg.GroupVersionVar = name
			break
		}
	}
	return pkg
}

// structReader reads structs of the sources.
type structReader struct {
	*scanner
	packages map[string]*model.StructPackage // by import path
	kinds    map[*load.Type]*model.Kind
	// seen contains the declarations that were found in kinds, read those that were also read;
	// pending are those that were found but not yet read.
	seen, read map[*load.Type]bool
	pending    []*load.Type
	// alone are declarations to read without the types that occur in them: as in
	// applyconfiguration-gen, inputs of methods in the package of the kind.
	alone []*load.Type
}

// roots finds what requests to apply a kind can contain.
func (r *structReader) roots(v *version, k *model.Kind, f found) {
	if r.packages[v.src.Package.Path] == nil {
		return
	}
	if k.Marked("apply") || k.Marked("applyStatus") {
		r.found(f.decl)
	}
	for _, m := range f.markers.Methods {
		if m.Verb != "apply" || m.Input == "" {
			continue
		}
		dot := strings.LastIndexByte(m.Input, '.')
		if dot < 0 {
			r.alone = append(r.alone, v.src.Package.Lookup(m.Input))
			continue
		}
		p, err := v.src.Package.Import(m.Input[:dot])
		if err != nil {
			continue // reported by the generator of clients
		}
		if decl := p.Lookup(m.Input[dot+1:]); decl != nil {
			r.found(decl)
		}
	}
}

// found notes a declaration that occurs in a kind.
func (r *structReader) found(decl *load.Type) {
	if !r.seen[decl] && r.packages[decl.File.Package.Path] != nil {
		r.seen[decl] = true
		r.pending = append(r.pending, decl)
	}
}

// walk reads the declarations that were found since the last call, and reports whether there were
// any.
func (r *structReader) walk() bool {
	pending := r.pending
	r.pending = nil
	for _, decl := range pending {
		r.readStruct(decl)
	}
	return len(pending) > 0
}

// excluded are the structs that represent any JSON.
var excluded = map[string]bool{
	"k8s.io/apimachinery/pkg/runtime.RawExtension": true,
	"k8s.io/apimachinery/pkg/runtime.Unknown":      true,
}

// readStruct reads the declaration of a struct, and finds the types in others.
func (r *structReader) readStruct(decl *load.Type) {
	p := r.packages[decl.File.Package.Path]
	r.read[decl] = true
	if decl.Spec.TypeParams != nil || excluded[decl.File.Package.Path+"."+decl.Name] {
		return
	}
	list, isStruct := r.fields(scope{decl.File, nil}, decl.Spec.Type, 0)
	if !isStruct {
		r.typ(scope{decl.File, nil}, decl.Spec.Type, 0)
		return
	}
	t := &model.Struct{Package: p, Name: decl.Name, Kind: r.kinds[decl], Pos: decl.Pos(), Fields: list}
	if len(t.Fields) == 0 {
		return
	}
	if t.Kind != nil {
		t.Subresources = r.subresources(t.Kind, decl)
	}
	p.Structs = append(p.Structs, t)
}

// subresources returns the subresources of a kind.
func (r *structReader) subresources(k *model.Kind, decl *load.Type) []string {
	var names []string
	if k.HasStatus {
		names = append(names, "status")
	}
	for _, m := range r.methodsOf[decl] {
		if m.Subresource != "" {
			names = append(names, m.Subresource)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// jsonName returns the name in a field's JSON tag, and whether the field is part of the JSON.
func jsonName(f *load.Field) (name string, omitEmpty, ok bool) {
	tag, ok := reflect.StructTag(f.Tag).Lookup("json")
	if !ok && f.Embedded && f.Name == "TypeMeta" {
		return "", false, true // encoding/json inlines it
	}
	if !ok || tag == "-" {
		return "", false, false
	}
	name, options, _ := strings.Cut(tag, ",")
	if name == "" && !f.Embedded {
		name = f.Name
	}
	return name, slices.Contains(strings.Split(options, ","), "omitempty"), true
}
