package load

import (
	"go/ast"
	"go/token"
	"slices"
)

// Method is the declaration of a method.
type Method struct {
	Decl *ast.FuncDecl
	File *File
	// Excluded reports whether build constraints exclude the file, as those of generated
	// files do while generators run.
	Excluded bool
}

// methodName names a method of a type.
type methodName struct{ typ, name string }

// Pointer reports whether the receiver is a pointer.
func (m *Method) Pointer() bool {
	_, ok := ast.Unparen(m.Decl.Recv.List[0].Type).(*ast.StarExpr)
	return ok
}

// Pos returns the position of the method's name.
func (m *Method) Pos() token.Position { return m.File.Package.Position(m.Decl.Name.Pos()) }

// Method returns the declaration of a method of a type of the package, or nil if there is none.
// Those in files that build constraints exclude come last.
func (p *Package) Method(typ, name string) *Method {
	found, ok := p.holders.Load(name)
	if !ok {
		found, _ = p.holders.LoadOrStore(name, p.holdersOf(name))
	}
	for _, h := range found.([]holder) {
		parsed := h.file.parse()
		if parsed == nil {
			continue
		}
		if decl := parsed.methods[methodName{typ, name}]; decl != nil {
			return &Method{Decl: decl, File: parsed, Excluded: h.excluded}
		}
	}
	return nil
}

// holder is a file that may declare methods of some name.
type holder struct {
	file     *file
	excluded bool
}

// holdersOf returns the files that may declare methods of that name.
func (p *Package) holdersOf(name string) []holder {
	var found []holder
	for i, f := range slices.Concat(p.files, p.excluded) {
		if f.mayDeclare(name, ")") {
			found = append(found, holder{f, i >= len(p.files)})
		}
	}
	return found
}

// Const is the declaration of a constant.
type Const struct {
	Name string
	// Value is its expression; nil if it has none.
	Value ast.Expr
	// Iota is the value of iota in the expression.
	Iota int
	File *File
}

// constants finds the constants of a declaration. Without an expression, one has that of the
// constant before it.
func (f *File) constants(decl *ast.GenDecl) {
	var last []ast.Expr
	for iota, spec := range decl.Specs {
		spec, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if len(spec.Values) > 0 || spec.Type != nil {
			last = spec.Values
		}
		for i, name := range spec.Names {
			c := &Const{Name: name.Name, Iota: iota, File: f}
			if i < len(last) {
				c.Value = last[i]
			}
			f.consts[name.Name] = c
		}
	}
}

// Const returns the declaration of a constant of the package, or nil if there is none of this
// name.
func (p *Package) Const(name string) *Const {
	for _, f := range p.files {
		if !f.mayDeclare(name, "const", ",") {
			continue
		}
		if parsed := f.parse(); parsed != nil && parsed.consts[name] != nil {
			return parsed.consts[name]
		}
	}
	return nil
}

// MethodNames returns the sorted names of the methods that the package declares, by type, without those in files that
// build constraints exclude.
func (p *Package) MethodNames() map[string][]string {
	names := map[string][]string{}
	p.Files(func(f *File) bool {
		for m := range f.methods {
			names[m.typ] = append(names[m.typ], m.name)
		}
		return true
	}, "func")
	for typ := range names {
		slices.Sort(names[typ])
	}
	return names
}
