package fields

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// untypedData is the type of the data of objects without Go types.
var untypedData = types.NewMap(types.Typ[types.String], types.NewInterfaceType(nil, nil))

func isUntypedData(l *label) bool { return l.typ == untypedData }

// contents returns the label of the data of an object without a Go type.
func contents(l *label) *label { return l.child("", untypedData) }

// lookup spreads the label of untyped data to the value of a key.
func (f *flow) lookup(i *ssa.Lookup, l *label) {
	if key, ok := text(i.Index); ok {
		f.add(i, l.child(key, untypedData))
		return
	}
	f.consume(l, i, "its keys are not constant")
}

// nested applies what functions such as unstructured.NestedString read.
func (f *flow) nested(call ssa.CallInstruction, name string, l *label) {
	keys, ok := constants(call.Common().Args)
	if !ok {
		f.consume(l, call, "the path of "+name+" is not constant")
		return
	}
	for _, key := range keys {
		l = l.child(key, untypedData)
	}
	switch name {
	case "NestedMap", "NestedSlice", "NestedFieldCopy", "NestedFieldNoCopy":
		f.add(call.Value(), l)
	default:
		f.note(event{label: l}, call)
	}
}

// constants returns the strings of a variadic argument, which is the last one. ok is false if one is not constant.
func constants(args []ssa.Value) (list []string, ok bool) {
	slice, ok := args[len(args)-1].(*ssa.Slice)
	if !ok {
		c, isConst := args[len(args)-1].(*ssa.Const)
		return nil, isConst && c.IsNil()
	}
	alloc, ok := slice.X.(*ssa.Alloc)
	if !ok {
		return nil, false
	}
	for _, instr := range *alloc.Referrers() {
		addr, ok := instr.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *addr.Referrers() {
			if s, ok := use.(*ssa.Store); ok {
				value, isText := text(s.Val)
				if !isText {
					return nil, false
				}
				list = append(list, value)
			}
		}
	}
	return list, true
}

// untypedMethod applies what is known of the methods of objects without Go types.
func (f *flow) untypedMethod(call ssa.CallInstruction, name string, l *label) bool {
	switch {
	case name == "UnstructuredContent":
		f.add(call.Value(), contents(l))
	case name == "GetKind", name == "GetAPIVersion", name == "IsList", strings.HasPrefix(name, "Set"):
	case accessors[name] != "":
		f.note(event{label: l, path: "metadata." + accessors[name]}, call)
	default:
		return false
	}
	return true
}

// text returns the value of a constant string.
func text(v ssa.Value) (string, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(c.Value), true
}
