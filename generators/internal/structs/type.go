package structs

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/model"
)

// scope is where the names in a type expression are declared: a file, and the type parameters of
// a generic type, with their arguments.
type scope struct {
	file *load.File
	args map[string]*model.Type
}

// maxDepth limits how deep types are read: in code that does not compile, they can form a cycle.
const maxDepth = 100

// metaTypes are the fields of apimachinery's structs that all kinds embed.
var metaTypes = map[string][]*model.Field{
	"k8s.io/apimachinery/pkg/apis/meta/v1.TypeMeta": {
		metaField("Kind", "kind", basic("string")),
		metaField("APIVersion", "apiVersion", basic("string")),
	},
	"k8s.io/apimachinery/pkg/apis/meta/v1.ObjectMeta": {
		metaField("Name", "name", basic("string")),
		metaField("GenerateName", "generateName", basic("string")),
		metaField("Namespace", "namespace", basic("string")),
		metaField("SelfLink", "selfLink", basic("string")),
		metaField("UID", "uid", named("k8s.io/apimachinery/pkg/types", "types", "UID")),
		metaField("ResourceVersion", "resourceVersion", basic("string")),
		metaField("Generation", "generation", basic("int64")),
		metaField("CreationTimestamp", "creationTimestamp", meta("Time")),
		metaField("DeletionTimestamp", "deletionTimestamp", &model.Type{Form: model.Pointer, Elem: meta("Time")}),
		metaField("DeletionGracePeriodSeconds", "deletionGracePeriodSeconds", &model.Type{Form: model.Pointer, Elem: basic("int64")}),
		metaField("Labels", "labels", &model.Type{Form: model.Map, Key: basic("string"), Elem: basic("string")}),
		metaField("Annotations", "annotations", &model.Type{Form: model.Map, Key: basic("string"), Elem: basic("string")}),
		metaField("OwnerReferences", "ownerReferences", &model.Type{Form: model.Slice, Elem: meta("OwnerReference")}),
		metaField("Finalizers", "finalizers", &model.Type{Form: model.Slice, Elem: basic("string")}),
		metaField("ManagedFields", "managedFields", &model.Type{Form: model.Slice, Elem: meta("ManagedFieldsEntry")}),
	},
}

func metaField(name, json string, t *model.Type) *model.Field {
	return &model.Field{Name: name, JSON: json, OmitEmpty: true, Type: t}
}

func meta(name string) *model.Type { return named(metaPath, "metav1", name) }

const metaPath = "k8s.io/apimachinery/pkg/apis/meta/v1"

func basic(name string) *model.Type { return &model.Type{Ref: model.TypeRef{Name: name}} }

func named(path, alias, name string) *model.Type {
	return &model.Type{Ref: model.TypeRef{Package: model.Package{Path: path, Alias: alias}, Name: name}}
}

// fields returns the fields with JSON names of the struct that an expression denotes, and whether
// it denotes one.
func (r *reader) fields(in scope, expr ast.Expr, depth int) (fields []*model.Field, isStruct bool) {
	if depth > maxDepth {
		return nil, false
	}
	switch e := ast.Unparen(expr).(type) {
	case *ast.StructType:
		for _, f := range load.StructFields(e, in.file) {
			name, omitEmpty, ok := jsonName(f)
			if !ok {
				continue
			}
			field := &model.Field{Name: f.Name, JSON: name, Embedded: f.Embedded, OmitEmpty: omitEmpty, Type: r.typ(in, f.Type, depth+1)}
			if f.Embedded {
				field.Promoted = r.promoted(in, field.Type, f.Type, depth+1)
			}
			fields = append(fields, field)
		}
		return fields, true
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr:
		decl, err := in.file.Resolve(e)
		if decl == nil || err != nil {
			return nil, false
		}
		return r.fields(scope{decl.File, r.arguments(in, decl, e, depth)}, decl.Spec.Type, depth+1)
	}
	return nil, false
}

// promoted returns the fields of an embedded type. Those of apimachinery's types are not read:
// that would take a run of the go command.
func (r *reader) promoted(in scope, t *model.Type, expr ast.Expr, depth int) []*model.Field {
	if t.Form == model.Named && r.packages[t.Ref.Package.Path] == nil {
		if fields, ok := metaTypes[t.Ref.Package.Path+"."+t.Ref.Name]; ok {
			return fields
		}
	}
	if _, isPointer := ast.Unparen(expr).(*ast.StarExpr); isPointer {
		return nil
	}
	fields, _ := r.fields(in, expr, depth)
	return fields
}

// arguments returns the arguments of a generic type in an instance.
func (r *reader) arguments(in scope, decl *load.Type, instance ast.Expr, depth int) map[string]*model.Type {
	var list []ast.Expr
	switch e := instance.(type) {
	case *ast.IndexExpr:
		list = []ast.Expr{e.Index}
	case *ast.IndexListExpr:
		list = e.Indices
	}
	if decl.Spec.TypeParams == nil {
		return nil
	}
	args := map[string]*model.Type{}
	for _, param := range decl.Spec.TypeParams.List {
		for _, name := range param.Names {
			if len(args) < len(list) {
				args[name.Name] = r.typ(in, list[len(args)], depth+1)
			}
		}
	}
	return args
}

// typ returns the type that an expression denotes, and notes the declarations in it.
func (r *reader) typ(in scope, expr ast.Expr, depth int) *model.Type {
	if depth > maxDepth {
		return basic("any")
	}
	switch e := expr.(type) {
	case *ast.ParenExpr:
		return r.typ(in, e.X, depth+1)
	case *ast.StarExpr:
		return &model.Type{Form: model.Pointer, Elem: r.typ(in, e.X, depth+1)}
	case *ast.MapType:
		return &model.Type{Form: model.Map, Key: r.typ(in, e.Key, depth+1), Elem: r.typ(in, e.Value, depth+1)}
	case *ast.ArrayType:
		if e.Len == nil {
			return &model.Type{Form: model.Slice, Elem: r.typ(in, e.Elt, depth+1)}
		}
		return verbatim("[", r.constant(in, e.Len), "]", r.typ(in, e.Elt, depth+1))
	case *ast.Ident:
		if arg := in.args[e.Name]; arg != nil {
			return arg
		}
		if decl, _ := in.file.Resolve(e); decl != nil {
			return r.declared(decl, depth)
		}
		return basic(e.Name)
	case *ast.SelectorExpr:
		return r.imported(in, e, depth)
	case *ast.IndexExpr:
		return r.instance(in, e.X, []ast.Expr{e.Index}, depth)
	case *ast.IndexListExpr:
		return r.instance(in, e.X, e.Indices, depth)
	case *ast.InterfaceType:
		if len(e.Methods.List) == 0 {
			return basic("interface{}")
		}
	case *ast.StructType:
		return r.literal(in, e, depth)
	}
	return verbatim(in.file.Source(expr))
}

// declared returns the type of a declaration in a source or, by a dot import, elsewhere.
func (r *reader) declared(decl *load.Type, depth int) *model.Type {
	if decl.Spec.Assign.IsValid() && decl.Spec.TypeParams == nil {
		return r.typ(scope{decl.File, nil}, decl.Spec.Type, depth+1)
	}
	r.found(decl)
	return &model.Type{Ref: model.TypeRef{Package: r.importAs(decl.File.Package.Path), Name: decl.Name}}
}

// importAs returns a package with its import name.
func (r *reader) importAs(path string) model.Package {
	if p := r.packages[path]; p != nil {
		return p.Types
	}
	return r.imports.Package(path)
}

// imported returns a type of an imported package. Only the sources are read, because each other
// package would take a run of the go command, and packages whose import path does not tell their
// name.
func (r *reader) imported(in scope, e *ast.SelectorExpr, depth int) *model.Type {
	x, ok := e.X.(*ast.Ident)
	if !ok {
		return verbatim(in.file.Source(e))
	}
	paths := in.file.ImportPaths(x.Name)
	if len(paths) == 0 {
		return verbatim(in.file.Source(e))
	}
	path := paths[0]
	if len(paths) > 1 && !strings.HasSuffix(path, "/"+x.Name) || r.packages[path] != nil {
		if decl, _ := in.file.Resolve(e); decl != nil {
			return r.declared(decl, depth)
		}
	}
	return &model.Type{Ref: model.TypeRef{Package: r.importAs(path), Name: e.Sel.Name}}
}

// instance returns an instance of a generic type.
func (r *reader) instance(in scope, generic ast.Expr, args []ast.Expr, depth int) *model.Type {
	parts := []any{r.typ(in, generic, depth+1), "["}
	for i, arg := range args {
		if i > 0 {
			parts = append(parts, ", ")
		}
		parts = append(parts, r.typ(in, arg, depth+1))
	}
	return verbatim(append(parts, "]")...)
}

// constant returns the text of an array's length.
func (r *reader) constant(in scope, length ast.Expr) any {
	switch e := length.(type) {
	case *ast.Ident:
		if types.Universe.Lookup(e.Name) == nil && token.IsExported(e.Name) {
			return &model.Type{Ref: model.TypeRef{Package: r.importAs(in.file.Package.Path), Name: e.Name}}
		}
	case *ast.SelectorExpr:
		return r.imported(in, e, 0)
	}
	return in.file.Source(length)
}

// literal returns a struct type without a name.
func (r *reader) literal(in scope, e *ast.StructType, depth int) *model.Type {
	parts := []any{"struct {\n"}
	for i, f := range load.StructFields(e, in.file) {
		if i > 0 {
			parts = append(parts, "\n") // no columns to line up
		}
		parts = append(parts, "\t\t")
		if !f.Embedded {
			parts = append(parts, f.Name+" ")
		}
		parts = append(parts, r.typ(in, f.Type, depth+1))
		if f.Tag != "" {
			parts = append(parts, " `"+f.Tag+"`")
		}
		parts = append(parts, "\n")
	}
	return verbatim(append(parts, "\t}")...)
}

// verbatim returns a type of texts and types.
func verbatim(parts ...any) *model.Type {
	t := &model.Type{Form: model.Verbatim}
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			t.Parts = append(t.Parts, model.TypePart{Text: p})
		case *model.Type:
			t.Parts = append(t.Parts, model.TypePart{Type: p})
		}
	}
	return t
}
