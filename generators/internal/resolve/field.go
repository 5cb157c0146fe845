package resolve

import (
	"go/ast"
	"go/token"

	"github.com/listwatch/listwatch/generators/internal/load"
)

// Field is a field of a struct type.
type Field struct {
	// Name is the field's name; for an embedded field, that of its type.
	Name     string
	Embedded bool
	// Tag is the unquoted tag.
	Tag  string
	Type *Type
	// Pos is the position of the name or, for an embedded field, of its type.
	Pos token.Position
	// Syntax is the declaration in File; fields that are declared together share it.
	Syntax *ast.Field
	File   *load.File
}

// Doc returns the lines of the comment directly above the field.
func (f *Field) Doc() []load.Line {
	if f.Syntax.Doc == nil {
		return nil
	}
	return f.File.Lines(f.Syntax.Doc)
}

// Fields returns the fields of a struct in the order of the source; nil for other kinds. They must
// not be modified.
func (t *Type) Fields() []*Field {
	u := t.Underlying()
	s, ok := u.expr.(*ast.StructType)
	if !ok || u.kind == Unknown {
		return nil
	}
	return *once(&u.fields, func() *[]*Field {
		var fields []*Field
		for _, f := range load.StructFields(s, u.in.file) {
			field := &Field{
				Name: f.Name, Embedded: f.Embedded, Tag: f.Tag, Syntax: f.Syntax, File: f.File,
				Type: u.r.expr(u.in, f.Type, 0), Pos: f.Pos(),
			}
			fields = append(fields, field)
		}
		return &fields
	})
}

// Field returns the field of a struct with this name, or nil. It does not look into embedded structs.
func (t *Type) Field(name string) *Field {
	for _, f := range t.Fields() {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Method is a method of a declared type or of an interface.
type Method struct {
	Name string
	// Pointer reports whether the receiver is a pointer.
	Pointer bool
	// Excluded reports whether the method is in a file that build constraints exclude, as those of
	// generated files do while generators run.
	Excluded bool
	// Params and Results are the types of parameters and results; a variadic parameter is a slice.
	Params, Results []*Type
	// File is the file of the declaration; nil for the method of error.
	File *load.File
	Pos  token.Position
}

// Method returns a method: of a declared type one that is declared for it, of an interface one of
// its method set. It returns nil if there is none; an error means that an embedded interface could
// not be read. Methods in files of the build come before those in excluded ones.
func (t *Type) Method(name string) (*Method, error) {
	if t.decl != nil {
		if m := t.decl.File.Package.Method(t.decl.Name, name); m != nil {
			return t.declaredMethod(m), nil
		}
	}
	if t.Kind() != Interface {
		return nil, nil
	}
	return t.interfaceMethod(name, 0)
}

// declaredMethod returns the method with a declaration. In it, the names of the receiver's type
// parameters stand for the arguments of t.
func (t *Type) declaredMethod(m *load.Method) *Method {
	in := scope{file: m.File, params: t.receiverParams(m)}
	method := &Method{Name: m.Decl.Name.Name, Pointer: m.Pointer(), Excluded: m.Excluded, File: m.File, Pos: m.Pos()}
	t.r.signature(method, in, m.Decl.Type)
	return method
}

// receiverParams returns what the type parameters of a method's receiver stand for.
func (t *Type) receiverParams(m *load.Method) map[string]*Type {
	own := t.r.bind(t.decl, t.args)
	if own.params == nil {
		return nil
	}
	e := ast.Unparen(m.Decl.Recv.List[0].Type)
	if star, ok := e.(*ast.StarExpr); ok {
		e = ast.Unparen(star.X)
	}
	var names []ast.Expr
	switch e := e.(type) {
	case *ast.IndexExpr:
		names = []ast.Expr{e.Index}
	case *ast.IndexListExpr:
		names = e.Indices
	}
	params, i := map[string]*Type{}, 0
	for _, field := range t.decl.Spec.TypeParams.List {
		for _, declared := range field.Names {
			if i < len(names) {
				if id, ok := names[i].(*ast.Ident); ok {
					params[id.Name] = own.params[declared.Name]
				}
			}
			i++
		}
	}
	return params
}

// signature sets parameters and results.
func (r *Resolver) signature(m *Method, in scope, f *ast.FuncType) {
	types := func(list *ast.FieldList) []*Type {
		var all []*Type
		if list == nil {
			return nil
		}
		for _, field := range list.List {
			t := r.expr(in, field.Type, 0)
			for range max(1, len(field.Names)) {
				all = append(all, t)
			}
		}
		return all
	}
	m.Params, m.Results = types(f.Params), types(f.Results)
}

// interfaceMethod returns a method of an interface or of one that it embeds.
func (t *Type) interfaceMethod(name string, depth int) (*Method, error) {
	u := t.Underlying()
	if u.name == "error" && name == "Error" {
		return &Method{Name: name, Results: []*Type{t.r.predeclared("string")}}, nil
	}
	e, ok := u.expr.(*ast.InterfaceType)
	if !ok {
		return nil, u.err
	}
	if depth > maxDepth {
		return nil, errCycle
	}
	var unread error
	for _, field := range e.Methods.List {
		if f, ok := field.Type.(*ast.FuncType); ok && len(field.Names) > 0 {
			if field.Names[0].Name == name {
				m := &Method{Name: name, File: u.in.file, Pos: u.in.file.Package.Position(field.Pos())}
				t.r.signature(m, u.in, f)
				return m, nil
			}
			continue
		}
		switch field.Type.(type) {
		case *ast.BinaryExpr, *ast.UnaryExpr:
			continue // a union of types, without methods
		}
		m, err := t.r.expr(u.in, field.Type, 0).interfaceMethod(name, depth+1)
		if m != nil {
			return m, nil
		}
		if err != nil && unread == nil {
			unread = err
		}
	}
	return nil, unread
}
