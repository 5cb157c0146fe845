// Package structs reads the structs of API packages into the model: those that apply configurations mirror, and all
// declarations of types.
//
// [Read] returns the structs that kinds consist of, with the fields that are part of their JSON. [Declarations] adds the types that packages
// declare to the model. Both read syntax: types of other packages are named, and not read.
package structs

import (
	"cmp"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/kinds"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/model"
)

// Options configure [Read].
type Options struct {
	// Extended reads markers of packages in all files.
	Extended bool
	// More lists structs in addition to those that kinds with the verb apply consist of, by the import paths of their packages.
	More map[string][]string
}

// Read returns the structs of the packages that kinds with the verb apply consist of, and those that the options list.
func Read(found *kinds.Found, packages []*load.Package, opts Options) []*model.StructPackage {
	r := newReader(found)
	versions := map[string]*model.Version{}
	for _, v := range found.API.Versions() {
		versions[v.Types.Path] = v
		for _, k := range v.Kinds {
			if k.View != nil {
				continue // it cannot be applied
			}
			r.kinds[found.Declarations[k].Type] = k
		}
	}
	for _, p := range packages {
		if own := r.structPackage(p, versions[p.Path], opts.Extended); own != nil {
			r.packages[p.Path] = own
		}
	}
	for _, v := range found.API.Versions() {
		for _, k := range v.Kinds {
			if k.View == nil {
				r.roots(k)
			}
		}
	}
	for r.walk() {
	}
	for _, p := range packages {
		for _, name := range opts.More[p.Path] {
			r.alone = append(r.alone, p.Lookup(name))
		}
	}
	for _, decl := range r.alone {
		if decl != nil && !r.read[decl] && r.packages[decl.File.Package.Path] != nil {
			r.readStruct(decl)
		}
	}
	var list []*model.StructPackage
	for _, p := range r.packages {
		if len(p.Structs) == 0 {
			continue
		}
		slices.SortFunc(p.Structs, func(a, b *model.Struct) int {
			return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.Name, b.Name))
		})
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *model.StructPackage) int { return strings.Compare(a.Types.Path, b.Types.Path) })
	return list
}

// structPackage returns the package of structs for a package, or nil if there are none: the package
// of an internal version, or one that opts out. v is its version, and nil if it has no kinds.
func (r *reader) structPackage(p *load.Package, v *model.Version, extended bool) *model.StructPackage {
	markers := marker.OfPackage(p, extended, new(diag.List)) // errors matter only in packages with kinds
	if markers.Off["applyconfiguration-gen"] || v != nil && v.Internal() {
		return nil
	}
	dir, last := path.Split(p.Path)
	pkg := &model.StructPackage{
		Group: path.Base(dir), Version: last, GroupDir: path.Base(dir), VersionDir: last,
		Types: model.Package{Path: p.Path}, Pos: p.Pos(),
	}
	if markers.HasGroupName {
		pkg.Group = markers.GroupName
	}
	if v != nil {
		pkg.Types, pkg.GroupVersionVar = v.Types, v.GroupVersionVar
		return pkg
	}
	pkg.Types = r.imports.Package(p.Path)
	for _, name := range []string{"SchemeGroupVersion", "GroupVersion"} {
		if p.Declares(name) {
			pkg.GroupVersionVar = name
			break
		}
	}
	return pkg
}

// reader reads structs of packages.
type reader struct {
	declarations map[*model.Kind]kinds.Declaration
	imports      kinds.Imports
	packages     map[string]*model.StructPackage // by import path
	kinds        map[*load.Type]*model.Kind
	// seen contains the declarations that were found in kinds, read those that were also read;
	// pending are those that were found but not yet read.
	seen, read map[*load.Type]bool
	pending    []*load.Type
	// alone are declarations to read without the types that occur in them: as in
	// applyconfiguration-gen, inputs of methods in the package of the kind.
	alone []*load.Type
}

func newReader(found *kinds.Found) *reader {
	return &reader{
		declarations: found.Declarations, imports: found.Imports,
		packages: map[string]*model.StructPackage{}, kinds: map[*load.Type]*model.Kind{},
		seen: map[*load.Type]bool{}, read: map[*load.Type]bool{},
	}
}

// roots finds what requests to apply a kind can contain.
func (r *reader) roots(k *model.Kind) {
	decl := r.declarations[k]
	p := decl.Type.File.Package
	if r.packages[p.Path] == nil {
		return
	}
	if k.Marked("apply") || k.Marked("applyStatus") {
		r.found(decl.Type)
	}
	for _, m := range decl.Markers.Methods {
		if m.Verb != "apply" || m.Input == "" {
			continue
		}
		dot := strings.LastIndexByte(m.Input, '.')
		if dot < 0 {
			r.alone = append(r.alone, p.Lookup(m.Input))
			continue
		}
		of, err := p.Import(m.Input[:dot])
		if err != nil {
			continue // reported by the generator of clients
		}
		if input := of.Lookup(m.Input[dot+1:]); input != nil {
			r.found(input)
		}
	}
}

// found notes a declaration that occurs in a kind.
func (r *reader) found(decl *load.Type) {
	if !r.seen[decl] && r.packages[decl.File.Package.Path] != nil {
		r.seen[decl] = true
		r.pending = append(r.pending, decl)
	}
}

// walk reads the declarations that were found since the last call, and reports whether there were
// any.
func (r *reader) walk() bool {
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
func (r *reader) readStruct(decl *load.Type) {
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
		t.Subresources = r.subresources(t.Kind)
	}
	p.Structs = append(p.Structs, t)
}

// subresources returns the subresources of a kind.
func (r *reader) subresources(k *model.Kind) []string {
	var names []string
	if k.HasStatus {
		names = append(names, "status")
	}
	for _, m := range r.declarations[k].Markers.Methods {
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
