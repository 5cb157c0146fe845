package structs

import (
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/kinds"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/internal/parallel"
	"github.com/listwatch/listwatch/generators/model"
)

// Declarations adds the types that packages declare to their packages in the model.
func Declarations(found *kinds.Found, packages []*load.Package) {
	r := newReader(found)
	list := found.API.Packages
	for _, p := range list {
		r.packages[p.Types.Path] = &model.StructPackage{Types: p.Types}
	}
	all := map[string]*load.Package{}
	for _, p := range packages {
		all[p.Path] = p
	}
	parallel.Each(len(list), func(i int) {
		all[list[i].Types.Path].Files(func(*load.File) bool { return true }, "type")
	})
	for _, p := range list {
		methods := all[p.Types.Path].MethodNames()
		kinds := map[string]*model.Kind{}
		if p.Version != nil {
			for _, k := range p.Version.Kinds {
				if k.Types().Path == p.Types.Path {
					kinds[k.Name] = k
				}
			}
		}
		all[p.Types.Path].Files(func(f *load.File) bool {
			for _, t := range f.Types() {
				decl := r.typeDecl(t)
				decl.Package, decl.Kind, decl.Methods = p, kinds[t.Name], methods[t.Name]
				p.TypeDecls = append(p.TypeDecls, decl)
			}
			return true
		}, "type")
		slices.SortFunc(p.TypeDecls, func(a, b *model.TypeDecl) int { return strings.Compare(a.Name, b.Name) })
	}
}

// typeDecl reads a declaration.
func (r *reader) typeDecl(t *load.Type) *model.TypeDecl {
	decl := &model.TypeDecl{
		Name: t.Name, Doc: marker.TypeText(t), Markers: marker.Tags(t.OwnLines()),
		Alias: t.Spec.Assign.IsValid(), Generic: t.Spec.TypeParams != nil, Pos: t.Pos(),
	}
	structure, ok := ast.Unparen(t.Spec.Type).(*ast.StructType)
	if !ok {
		decl.Type = r.typ(scope{t.File, nil}, t.Spec.Type, 0)
		return decl
	}
	decl.Struct = true
	for _, f := range load.StructFields(structure, t.File) {
		decl.Fields = append(decl.Fields, r.fieldDecl(f))
	}
	return decl
}

// fieldDecl reads a field.
func (r *reader) fieldDecl(f *load.Field) *model.FieldDecl {
	field := &model.FieldDecl{Name: f.Name, Embedded: f.Embedded, Tag: f.Tag, Type: r.typ(scope{f.File, nil}, f.Type, 0), Pos: f.Pos()}
	if doc := f.Syntax.Doc; doc != nil {
		field.Doc = marker.Text(doc)
		field.Markers = marker.Tags(f.File.Lines(doc))
	}
	tag := reflect.StructTag(f.Tag).Get("json")
	if tag == "-" || !token.IsExported(f.Name) && !f.Embedded {
		return field
	}
	name, options, _ := strings.Cut(tag, ",")
	field.OmitEmpty = slices.Contains(strings.Split(options, ","), "omitempty")
	switch {
	case name != "":
		field.JSON = name
	case f.Embedded:
		field.Inline = true
	default:
		field.JSON = f.Name
	}
	return field
}
