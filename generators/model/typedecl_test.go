package model_test

import (
	"testing"

	"github.com/listwatch/listwatch/generators/model"
)

func TestTypeDecl(t *testing.T) {
	pkg := &model.APIPackage{Types: model.Package{Path: "example.com/a/v1"}}
	spec := &model.TypeDecl{Package: pkg, Name: "Spec", Fields: []*model.FieldDecl{{Name: "Size"}, {Name: "color"}}}
	pkg.TypeDecls = []*model.TypeDecl{spec, {Package: pkg, Name: "other"}}
	api := &model.API{Packages: []*model.APIPackage{{Types: model.Package{Path: "example.com/b/v1"}}, pkg}}
	named := func(path, name string) *model.Type {
		return &model.Type{Ref: model.TypeRef{Package: model.Package{Path: path}, Name: name}}
	}
	for _, c := range []struct {
		name string
		typ  *model.Type
		want *model.TypeDecl
	}{
		{"declared", named("example.com/a/v1", "Spec"), spec},
		{"by its reference", spec.Ref(), spec},
		{"not declared", named("example.com/a/v1", "Spec2"), nil},
		{"in another package", named("example.com/b/v1", "Spec"), nil},
		{"in a package that was not read", named("example.com/c/v1", "Spec"), nil},
		{"predeclared", named("", "string"), nil},
		{"pointer", &model.Type{Form: model.Pointer, Elem: spec.Ref()}, nil},
		{"nil", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := api.TypeDecl(c.typ); got != c.want {
				t.Errorf("got %v", got)
			}
		})
	}
	if size := spec.Field("Size"); size != spec.Fields[0] || !size.Exported() || spec.Field("color").Exported() || spec.Field("Weight") != nil {
		t.Error("wrong fields")
	}
	if !spec.Exported() || pkg.TypeDecl("other").Exported() || pkg.TypeDecl("Other") != nil {
		t.Error("wrong declarations")
	}
	if elem, pointer := spec.Ref().Indirect(); pointer || elem.Ref.Name != "Spec" {
		t.Errorf("Indirect of Spec returns %v, %v; want Spec, and no pointer", elem, pointer)
	}
	twice := &model.Type{Form: model.Pointer, Elem: &model.Type{Form: model.Pointer, Elem: spec.Ref()}}
	if elem, pointer := twice.Indirect(); !pointer || elem.Ref.Name != "Spec" {
		t.Errorf("Indirect of a pointer to a pointer to Spec returns %v, %v; want Spec, and a pointer", elem, pointer)
	}
}
