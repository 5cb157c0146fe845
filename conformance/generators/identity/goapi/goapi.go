// Package goapi describes the API of a Go package in a form that can be compared line by line.
//
// # Terms
//
// An [API] maps symbols to descriptions. A symbol is a name as a reader would look it up:
// "NewForConfig", "Clientset", "Clientset.CoreV1" for a method or a field. A description contains
// everything that a user of the symbol can depend on: the kind of declaration, types with full
// import paths, a constant's value, type parameters with their constraints, an exported field's
// tag, whether a field is embedded, whether a method belongs to the value or to its pointer,
// whether a struct can be compared.
//
// # Limits
//
// Names of parameters and type parameters are not included, nor are unexported declarations; but an
// unexported type in the declaration of an exported symbol is described as if it were exported,
// because its fields and methods can be reached. Aliases are resolved wherever a type is used, and
// noted where they are declared. The package's name is the symbol "package".
package goapi

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// API maps the symbols of one package to their descriptions.
type API map[string]string

// Of returns the API of a package.
func Of(pkg *types.Package) API {
	d := &describer{pkg: pkg, api: API{"package": pkg.Name()}, seen: map[*types.TypeName]bool{}}
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		if obj := scope.Lookup(name); obj.Exported() {
			d.object(obj)
		}
	}
	for len(d.shown) > 0 {
		obj := d.shown[0]
		d.shown = d.shown[1:]
		d.object(obj)
	}
	return d.api
}

// describer collects the API of pkg. All types in seen are in api or in shown; shown are unexported
// types that are not described yet.
type describer struct {
	pkg   *types.Package
	api   API
	seen  map[*types.TypeName]bool
	shown []*types.TypeName
}

func (d *describer) object(obj types.Object) {
	switch obj := obj.(type) {
	case *types.Const:
		d.api[obj.Name()] = fmt.Sprintf("const %s = %s", d.typ(obj.Type()), obj.Val().ExactString())
	case *types.Var:
		d.api[obj.Name()] = "var " + d.typ(obj.Type())
	case *types.Func:
		d.api[obj.Name()] = "func" + d.signature(obj.Signature())
	case *types.TypeName:
		d.seen[obj] = true
		d.typeName(obj)
	}
}

func (d *describer) typeName(obj *types.TypeName) {
	if alias, ok := obj.Type().(*types.Alias); ok {
		d.api[obj.Name()] = "alias" + d.typeParams(alias.TypeParams()) + " = " + d.typ(alias.Rhs())
		return
	}
	named, ok := obj.Type().(*types.Named)
	if !ok {
		d.api[obj.Name()] = "type " + d.typ(obj.Type())
		return
	}
	params := d.typeParams(named.TypeParams())
	switch under := named.Underlying().(type) {
	case *types.Struct:
		d.api[obj.Name()] = "type" + params + " " + d.structShape(named, under)
		d.fields(obj.Name(), under)
		d.methods(obj.Name(), named)
	case *types.Interface:
		d.api[obj.Name()] = "type" + params + " " + d.interfaceShape(under)
		for m := range under.Methods() {
			if m.Exported() {
				d.api[obj.Name()+"."+m.Name()] = "interface method " + d.signature(m.Signature())
			}
		}
	default:
		d.api[obj.Name()] = "type" + params + " " + d.typ(under)
		d.methods(obj.Name(), named)
	}
}

// structShape describes the properties of a struct that users can observe: the order of its
// exported fields, whether it has unexported ones, whether it supports ==.
func (d *describer) structShape(named *types.Named, s *types.Struct) string {
	var names []string
	hides := false
	for f := range s.Fields() {
		if f.Exported() {
			names = append(names, f.Name())
		} else {
			hides = true
		}
	}
	shape := "struct{" + strings.Join(names, "; ") + "}"
	if hides {
		shape += " with unexported fields"
	}
	if types.Comparable(named) {
		shape += ", comparable"
	}
	return shape
}

// fields describes the exported fields of the named struct, including those that an unexported
// embedded struct promotes.
func (d *describer) fields(owner string, s *types.Struct) {
	for i := range s.NumFields() {
		f := s.Field(i)
		if !f.Exported() {
			if hidden, ok := deref(f.Type()).Underlying().(*types.Struct); ok && f.Embedded() {
				d.promoted(owner, hidden)
			}
			continue
		}
		text := "field " + d.typ(f.Type())
		if f.Embedded() {
			text = "embedded " + text
		}
		if tag := s.Tag(i); tag != "" {
			text += " `" + tag + "`"
		}
		d.api[owner+"."+f.Name()] = text
	}
}

// promoted describes the exported fields of a struct that owner embeds without
// exporting it.
func (d *describer) promoted(owner string, s *types.Struct) {
	for f := range s.Fields() {
		symbol := owner + "." + f.Name()
		if _, taken := d.api[symbol]; f.Exported() && !taken {
			d.api[symbol] = "promoted field " + d.typ(f.Type())
		}
	}
}

func deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// methods describes the exported methods of a type and its pointer, promoted
// ones included.
func (d *describer) methods(owner string, named *types.Named) {
	onValue := map[string]bool{}
	for sel := range types.NewMethodSet(named).Methods() {
		onValue[sel.Obj().Name()] = true
	}
	for sel := range types.NewMethodSet(types.NewPointer(named)).Methods() {
		m := sel.Obj()
		if !m.Exported() {
			continue
		}
		receiver := "(*T)"
		if onValue[m.Name()] {
			receiver = "(T)"
		}
		d.api[owner+"."+m.Name()] = "method " + receiver + " " + d.signature(sel.Type().(*types.Signature))
	}
}

// interfaceShape describes the types that an interface embeds, and whether others can implement it;
// its methods are separate symbols.
func (d *describer) interfaceShape(i *types.Interface) string {
	var embeds []string
	for e := range i.EmbeddedTypes() {
		embeds = append(embeds, d.typ(e))
	}
	slices.Sort(embeds)
	shape := "interface{" + strings.Join(embeds, "; ") + "}"
	for m := range i.Methods() {
		if !m.Exported() {
			return shape + " with unexported methods"
		}
	}
	return shape
}
