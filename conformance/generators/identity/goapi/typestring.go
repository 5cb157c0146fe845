package goapi

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// typ returns a type with full import paths, without names that its users cannot see, and records
// the package's unexported types in it.
func (d *describer) typ(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return d.named(t)
	case *types.Pointer:
		return "*" + d.typ(t.Elem())
	case *types.Slice:
		return "[]" + d.typ(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), d.typ(t.Elem()))
	case *types.Map:
		return "map[" + d.typ(t.Key()) + "]" + d.typ(t.Elem())
	case *types.Chan:
		return map[types.ChanDir]string{
			types.SendRecv: "chan ", types.SendOnly: "chan<- ", types.RecvOnly: "<-chan ",
		}[t.Dir()] + "(" + d.typ(t.Elem()) + ")"
	case *types.Signature:
		return "func" + d.signature(t)
	case *types.Struct:
		return d.structType(t)
	case *types.Interface:
		return d.interfaceType(t)
	case *types.Union:
		return d.union(t)
	case *types.TypeParam:
		return fmt.Sprintf("$%d", t.Index())
	default:
		return t.String()
	}
}

func (d *describer) named(t *types.Named) string {
	obj := t.Obj()
	name := obj.Name()
	if pkg := obj.Pkg(); pkg != nil {
		name = pkg.Path() + "." + name
	}
	if obj.Pkg() == d.pkg && !obj.Exported() && !d.seen[obj] {
		d.seen[obj] = true
		d.shown = append(d.shown, obj)
	}
	var args []string
	for arg := range t.TypeArgs().Types() {
		args = append(args, d.typ(arg))
	}
	if len(args) > 0 {
		name += "[" + strings.Join(args, ", ") + "]"
	}
	return name
}

func (d *describer) signature(s *types.Signature) string {
	var params []string
	for i := range s.Params().Len() {
		t := s.Params().At(i).Type()
		if s.Variadic() && i == s.Params().Len()-1 {
			params = append(params, "..."+strings.TrimPrefix(d.typ(t), "[]"))
			continue
		}
		params = append(params, d.typ(t))
	}
	text := d.typeParams(s.TypeParams()) + "(" + strings.Join(params, ", ") + ")"
	var results []string
	for r := range s.Results().Variables() {
		results = append(results, d.typ(r.Type()))
	}
	if len(results) > 0 {
		text += " (" + strings.Join(results, ", ") + ")"
	}
	return text
}

func (d *describer) typeParams(list *types.TypeParamList) string {
	var constraints []string
	for p := range list.TypeParams() {
		constraints = append(constraints, d.typ(p.Constraint()))
	}
	if len(constraints) == 0 {
		return ""
	}
	return "[" + strings.Join(constraints, ", ") + "]"
}

func (d *describer) structType(s *types.Struct) string {
	var fields []string
	for i := range s.NumFields() {
		f := s.Field(i)
		text := f.Name() + " " + d.typ(f.Type())
		if f.Embedded() {
			text = "embedded " + text
		}
		if tag := s.Tag(i); tag != "" {
			text += " `" + tag + "`"
		}
		fields = append(fields, text)
	}
	return "struct{" + strings.Join(fields, "; ") + "}"
}

func (d *describer) interfaceType(i *types.Interface) string {
	if i.Empty() {
		return "any"
	}
	var parts []string
	for m := range i.ExplicitMethods() {
		parts = append(parts, m.Name()+d.signature(m.Signature()))
	}
	for e := range i.EmbeddedTypes() {
		parts = append(parts, d.typ(e))
	}
	slices.Sort(parts)
	return "interface{" + strings.Join(parts, "; ") + "}"
}

func (d *describer) union(u *types.Union) string {
	var terms []string
	for t := range u.Terms() {
		text := d.typ(t.Type())
		if t.Tilde() {
			text = "~" + text
		}
		terms = append(terms, text)
	}
	slices.Sort(terms)
	return strings.Join(terms, "|")
}
