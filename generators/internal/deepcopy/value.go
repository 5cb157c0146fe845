package deepcopy

import (
	"go/token"
	"strconv"

	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/resolve"
	"github.com/listwatch/listwatch/generators/model"
)

// assign is the copy of a plain value.
var assign = &model.Copy{Form: model.CopyAssign}

// structure returns the body for a struct; decl is nil for one without a name.
func (p *planner) structure(t *resolve.Type, decl *load.Type) *model.Copy {
	c := &model.Copy{Form: model.CopyStruct}
	foreign := ""
	for _, f := range t.Fields() {
		if f.Name == "_" {
			continue
		}
		pos := f.Pos
		if decl != nil && f.File.Package != decl.File.Package {
			pos = decl.Pos() // the type is defined by another package's
			if !token.IsExported(f.Name) {
				foreign = f.Name
			}
		}
		field := p.value(f.Type, pos)
		switch {
		case field == nil:
			continue
		case field.Form == model.CopyAssign && f.Type.Kind() == resolve.Basic:
			continue // assigning the struct is enough
		case foreign == f.Name:
			p.diags.Errorf(pos, "type %s cannot be copied: its field %s is not exported by package %s; write DeepCopyInto by hand, or exclude the type with +k8s:deepcopy-gen=false", decl.Name, f.Name, f.File.Package.Path)
			continue
		}
		c.Fields = append(c.Fields, &model.CopiedField{Name: f.Name, Copy: field})
	}
	return c
}

// value returns how a value of a type is copied, or nil with an error at pos if it cannot be.
func (p *planner) value(t *resolve.Type, pos token.Position) *model.Copy {
	if hand := p.methods(t, pos); hand != nil {
		if hand.returnsPointer(t) {
			return &model.Copy{Form: model.CopyPointerMethod}
		}
		return &model.Copy{Form: model.CopyMethod}
	}
	switch kind := t.Kind(); kind {
	case resolve.Map, resolve.Slice, resolve.Pointer:
		return p.literal(t, pos)
	case resolve.Struct:
		return p.object(t, pos)
	case resolve.Interface:
		return p.iface(t, pos)
	case resolve.Basic:
		if t.Underlying().Name() != "unsafe.Pointer" {
			return assign
		}
		p.diags.Errorf(pos, "a value of type unsafe.Pointer cannot be copied; "+remedy)
	case resolve.Array:
		if p.isPlain(t) {
			return assign
		}
		p.diags.Errorf(pos, "an array of values that assigning does not copy cannot be copied; use a slice, or declare the array as a type with a DeepCopy written by hand")
	case resolve.Unknown:
		p.unknown(t, pos, "write DeepCopyInto of the struct by hand")
	case resolve.TypeParam:
		p.diags.Errorf(pos, "a value of type parameter %s cannot be copied; write DeepCopyInto of the struct by hand, or exclude it with +k8s:deepcopy-gen=false", t.Name())
	default:
		p.diags.Errorf(pos, "a value of kind %s cannot be copied; "+remedy, kind)
	}
	return nil
}

// remedy is the end of errors about values that have no place in API types.
const remedy = "remove the field, or write DeepCopyInto of the struct by hand"

// literal returns how a map, slice or pointer is copied whose functions, if any, do not matter.
func (p *planner) literal(t *resolve.Type, pos token.Position) *model.Copy {
	elem := t.Elem()
	c := &model.Copy{Underlying: p.expr(t.Underlying())}
	switch t.Kind() {
	case resolve.Map:
		if t.Key().Kind() == resolve.Unknown {
			p.unknown(t.Key(), pos, "write DeepCopyInto of the struct by hand")
			return nil
		}
		if !p.isPlain(t.Key()) {
			p.diags.Errorf(pos, "a map with keys of type %s cannot be copied; use keys that are strings or numbers", t.Key())
			return nil
		}
		if p.nameless(elem) {
			p.diags.Errorf(pos, "values of a map that are structs without a name cannot be copied; declare the struct as a type")
			return nil
		}
		c.Form, c.Type, c.Elem = model.CopyMap, p.expr(t), p.value(elem, pos)
	case resolve.Slice:
		c.Form, c.Type, c.Elem = model.CopySlice, p.expr(t), p.value(elem, pos)
		if p.nameless(elem) {
			c.Type = nil
		}
	case resolve.Pointer:
		c.Form, c.Type = model.CopyPointer, p.expr(elem)
		if p.nameless(elem) {
			c.Type = nil
		}
		switch kind := elem.Kind(); {
		case kind == resolve.Interface && p.methods(elem, pos) == nil:
			p.diags.Errorf(pos, "a pointer to an interface cannot be copied; use the interface itself")
			return nil
		case (kind == resolve.Map || kind == resolve.Slice || kind == resolve.Pointer) && p.methods(elem, pos) == nil:
			c.Elem = p.literal(elem.Underlying(), pos)
		default:
			c.Elem = p.value(elem, pos)
		}
	}
	if c.Elem == nil {
		return nil
	}
	return c
}

// nameless reports whether a type is a struct of a view without a name, so that functions cannot name it.
func (p *planner) nameless(t *resolve.Type) bool {
	return p.inView && t.Decl() == nil && t.Kind() == resolve.Struct
}

// object returns how a struct is copied: by its functions, or by assignment if it is a plain value.
// As deepcopy-gen does, it calls the functions of a plain value that contains an array.
func (p *planner) object(t *resolve.Type, pos token.Position) *model.Copy {
	exists := func() bool { return p.hasFunctions(t) }
	switch {
	case p.isPlain(t) && (!hasArray(t, 0) || !exists()):
		return assign
	case exists():
		return &model.Copy{Form: model.CopyFunctions}
	case t.Is("time", "Time"):
		p.diags.Errorf(pos, "type time.Time has no DeepCopyInto; use metav1.Time, or metav1.MicroTime for fractions of seconds")
	case t.Decl() == nil && p.inView:
		return p.structure(t, nil)
	case t.Decl() == nil:
		p.diags.Errorf(pos, "a struct without a name cannot be copied if assigning does not copy all of its fields; declare it as a type")
	case p.run[t.Decl().File.Package]:
		p.diags.Errorf(pos, "type %s has no DeepCopyInto, and none is generated for it, because %s", t.Name(), p.why(t.Decl()))
	default:
		p.diags.Errorf(pos, "type %s.%s has no DeepCopyInto, and assigning it does not copy all of its fields; generate its deepcopy functions in package %s, or use a type of this package that converts to it", lastElement(t.Path()), t.Name(), t.Path())
	}
	return nil
}

// why returns the reason why no functions are generated for a struct of the run, and the remedy.
func (p *planner) why(decl *load.Type) string {
	own := p.markers(decl.File.Package).types[decl]
	switch {
	case !token.IsExported(decl.Name):
		return "it is not exported; export it, or write DeepCopyInto by hand"
	case own.Off || own.NoObject:
		return "a marker excludes it; remove the marker, or write DeepCopyInto by hand"
	}
	return "no marker requests it; add +k8s:deepcopy-gen=true above it, or +k8s:deepcopy-gen=package to doc.go"
}

// iface returns how an interface is copied: by its method DeepCopyNAME.
func (p *planner) iface(t *resolve.Type, pos token.Position) *model.Copy {
	name := t.Name()
	if name == "" || name == "any" || name == "error" {
		p.diags.Errorf(pos, "a value of type %s cannot be copied; use a type such as runtime.RawExtension, or a declared interface with a method such as DeepCopyObject", t)
		return nil
	}
	method, err := t.Method("DeepCopy" + name)
	if err == nil && (method == nil || len(method.Params) != 0 || len(method.Results) != 1) {
		p.diags.Errorf(pos, "interface %s cannot be copied because it has no method DeepCopy%s() %s; add the method, or use a type that is not an interface", name, name, name)
		return nil
	}
	return &model.Copy{Form: model.CopyInterface, Method: "DeepCopy" + name}
}

// isPlain reports whether assigning a value copies it.
func (p *planner) isPlain(t *resolve.Type) bool {
	known, ok := p.plain[t]
	if ok {
		return known
	}
	p.plain[t] = true // a struct that contains itself, which does not compile
	plain := false
	switch t.Kind() {
	case resolve.Basic:
		plain = t.Underlying().Name() != "unsafe.Pointer"
	case resolve.Array:
		plain = p.isPlain(t.Elem())
	case resolve.Struct:
		plain = true
		for _, f := range t.Fields() {
			plain = plain && (f.Name == "_" || p.isPlain(f.Type))
		}
	}
	p.plain[t] = plain
	return plain
}

// maxDepth limits how deep structs are searched: those that do not compile can contain themselves.
const maxDepth = 100

// hasArray reports whether a struct contains an array, which deepcopy-gen does not count as plain.
func hasArray(t *resolve.Type, depth int) bool {
	for _, f := range t.Fields() {
		if kind := f.Type.Kind(); kind == resolve.Array || kind == resolve.Struct && depth < maxDepth && hasArray(f.Type, depth+1) {
			return true
		}
	}
	return false
}

// expr returns a type as generated code names it. Packages are named by name.
func (p *planner) expr(t *resolve.Type) *model.Type {
	if decl := t.Decl(); decl != nil {
		named := &model.Type{Ref: model.TypeRef{Package: model.Package{Path: t.Path()}, Name: decl.Name}}
		if len(t.Args()) == 0 {
			named.Ref.Name += params(decl)
			return named
		}
		parts := []model.TypePart{{Type: named}, {Text: "["}}
		for i, arg := range t.Args() {
			if i > 0 {
				parts = append(parts, model.TypePart{Text: ", "})
			}
			parts = append(parts, model.TypePart{Type: p.expr(arg)})
		}
		return &model.Type{Form: model.Verbatim, Parts: append(parts, model.TypePart{Text: "]"})}
	}
	switch t.Kind() {
	case resolve.Pointer:
		return &model.Type{Form: model.Pointer, Elem: p.expr(t.Elem())}
	case resolve.Slice:
		return &model.Type{Form: model.Slice, Elem: p.expr(t.Elem())}
	case resolve.Map:
		return &model.Type{Form: model.Map, Key: p.expr(t.Key()), Elem: p.expr(t.Elem())}
	case resolve.Array:
		n, err := t.Len()
		if err != nil {
			p.diags.Errorf(t.File().Package.Position(t.Expr().Pos()), "%v; use a number or a constant", err)
		}
		return &model.Type{Form: model.Verbatim, Parts: []model.TypePart{{Text: "[" + strconv.FormatInt(n, 10) + "]"}, {Type: p.expr(t.Elem())}}}
	}
	name := t.Name()
	switch name {
	case "uint8":
		name = "byte"
	case "":
		name = t.String()
	}
	return &model.Type{Ref: model.TypeRef{Name: name}}
}
