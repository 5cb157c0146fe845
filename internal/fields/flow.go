package fields

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// node is what labels are attached to: an ssa.Value, the results of a function, or a field of structs that are no API data.
type node any

// results are the results of a function, as a node.
type results struct{ fn *ssa.Function }

// flow spreads labels from where they arise to all values that can have them, regardless of the order of calls
// and statements.
type flow struct {
	*schema
	*index
	*hierarchy
	labels map[node]map[*label]bool
	queue  []step
	events map[event]bool
	// linked are the functions that a dynamic call reaches.
	linked map[ssa.CallInstruction]map[*ssa.Function]bool
	// callers are the calls of a function.
	callers map[*ssa.Function][]ssa.CallInstruction
	// sourced are functions whose parameters have labels because a library calls them.
	sourced        map[*ssa.Function]bool
	functionLabels map[*ssa.Function]*label
	informerLabels map[*types.Named]*label
	holderLabels   map[*types.Named]*label
	// passOn are the results of calls that are informers, or their stores, of the kinds of the arguments.
	passOn map[ssa.Value]bool
	// roots are all roots, in the order in which they were found.
	roots []*root
	// lost are stores of API data into memory whose labels, if it has none, are unknown.
	lost map[*ssa.FieldAddr]map[*label]ssa.Instruction
	// open are calls of unknown functions.
	open map[ssa.CallInstruction]map[*label]bool
}

// step is one label that has reached a node.
type step struct {
	at    node
	label *label
}

func (f *flow) newRoot(r root) *root {
	f.roots = append(f.roots, &r)
	return &r
}

// add attaches a label to a node that can have it.
func (f *flow) add(at node, l *label) {
	if call, ok := at.(*ssa.Call); ok && call == nil {
		return // of a go or defer statement
	}
	if v, ok := at.(ssa.Value); ok && !f.accepts(v.Type(), l) {
		return
	}
	if v, ok := at.(*types.Var); ok && !f.accepts(v.Type(), l) {
		return
	}
	set := f.labels[at]
	if set == nil {
		set = map[*label]bool{}
		f.labels[at] = set
	}
	if !set[l] {
		set[l] = true
		f.queue = append(f.queue, step{at, l})
	}
}

// accepts reports whether a value of a type can have a label.
func (f *flow) accepts(t types.Type, l *label) bool {
	if tuple, ok := t.(*types.Tuple); ok {
		for v := range tuple.Variables() {
			if f.accepts(v.Type(), l) {
				return true
			}
		}
		return false
	}
	if m, ok := t.Underlying().(*types.Map); ok && f.accepts(m.Key(), l) {
		return true
	}
	e := element(t)
	switch u := e.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.Invalid
	case *types.Signature:
		return l.fn != nil
	case *types.Interface:
		if u.NumMethods() == 1 && u.Method(0).Name() == "Error" {
			return false
		}
		switch {
		case u.NumMethods() == 0:
			return true
		case l.holder != nil:
			return f.implements(l.holder, u)
		case l.typ != nil && named(l.typ) != nil && holdsObjects(e):
			return f.implements(l.typ, u)
		}
		return true // in a list or struct that implements it
	case *types.Struct:
		if l.fn != nil {
			return false
		}
		if l.holder != nil {
			return types.Identical(e, l.holder)
		}
		if l.informer != nil {
			return !f.isData(e)
		}
		if l.typ == nil {
			return machineryType(e)
		}
		if types.Identical(e, element(l.typ)) {
			return true
		}
		return types.Identical(u, element(l.typ).Underlying()) // converted
	}
	return true // an iterator of package ssa
}

// machineryType reports whether a struct is one of a library that models describe, as a tombstone.
func machineryType(t types.Type) bool {
	n := named(t)
	return n != nil && n.Obj().Pkg() != nil && machinery(n.Obj().Pkg().Path()) && !isKind(n)
}

// run spreads labels until nothing changes.
func (f *flow) run() {
	for len(f.queue) > 0 {
		s := f.queue[len(f.queue)-1]
		f.queue = f.queue[:len(f.queue)-1]
		switch at := s.at.(type) {
		case results:
			for _, call := range f.callers[at.fn] {
				if v := call.Value(); v != nil {
					f.add(v, s.label)
				}
			}
		case *types.Var:
			for _, v := range f.uses[at] {
				if !f.isUncalled(v.Parent()) {
					f.add(v, s.label)
				}
			}
		case *ssa.Global:
			for _, instr := range f.globals[at] {
				f.forward(at, instr, s.label)
			}
		case ssa.Value:
			if refs := at.Referrers(); refs != nil {
				for _, instr := range *refs {
					f.forward(at, instr, s.label)
				}
			}
			if f.isContainer(at.Type()) {
				f.back(at, s.label)
			}
		}
	}
}

// isUncalled reports whether a function is a promoted method that package ssa makes for each type, and that nothing calls.
func (f *flow) isUncalled(fn *ssa.Function) bool {
	return fn.Synthetic != "" && fn.Syntax() == nil && fn.Signature.Recv() != nil && len(f.callers[fn]) == 0
}

// note records an event where an instruction is, or in a function that package ssa makes, where it is called.
func (f *flow) note(e event, by ssa.Instruction) {
	for _, pos := range f.positions(by, 0) {
		e.pos = pos
		f.events[e] = true
	}
}

// consume records that the data of a label are read as a whole, for a reason.
func (f *flow) consume(l *label, by ssa.Instruction, reason string) {
	if l.root != nil || l.holder != nil {
		f.note(event{label: l, reason: reason}, by)
	}
}

// present records that it matters whether there are any data.
func (f *flow) present(l *label, by ssa.Instruction) {
	if l.root != nil {
		f.note(event{label: l, presence: true}, by)
	}
}

// maxWrappers is the maximum number of functions without source that call each other.
const maxWrappers = 4

func (f *flow) positions(by ssa.Instruction, depth int) []token.Pos {
	fn := by.Parent()
	if fn.Synthetic == "" || fn.Syntax() != nil || len(f.callers[fn]) == 0 || depth == maxWrappers {
		return []token.Pos{at(by)}
	}
	var list []token.Pos
	for _, call := range f.callers[fn] {
		list = append(list, f.positions(call, depth+1)...)
	}
	return list
}

// forward spreads a label from a value through an instruction that uses it.
func (f *flow) forward(v ssa.Value, instr ssa.Instruction, l *label) {
	switch i := instr.(type) {
	case *ssa.FieldAddr:
		f.field(i, i.X, i.Field, l)
	case *ssa.Field:
		f.field(i, i.X, i.Field, l)
	case *ssa.UnOp:
		if i.Op == token.MUL || i.Op == token.ARROW {
			f.add(i, l)
		}
	case *ssa.Store:
		if i.Val == v {
			f.store(i.Addr, l, i)
		}
		if i.Addr == v {
			for of := range f.labels[i.Val] {
				f.alias(l, of)
			}
		}
	case *ssa.Phi, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.Convert, *ssa.Slice, *ssa.SliceToArrayPointer, *ssa.MultiConvert, *ssa.Extract, *ssa.Range:
		f.add(i.(ssa.Value), l)
	case *ssa.TypeAssert:
		f.assert(i, l)
	case *ssa.IndexAddr:
		f.item(i, i.X.Type(), l)
	case *ssa.Index:
		f.item(i, i.X.Type(), l)
	case *ssa.Lookup:
		switch {
		case i.X == v && isUntypedData(l):
			f.lookup(i, l)
		case i.X == v:
			f.present(l, i)
			f.item(i, i.X.Type(), l)
		default:
			f.key(i.X, i, l)
		}
	case *ssa.Next:
		if r, ok := i.Iter.(*ssa.Range); ok {
			f.item(i, r.X.Type(), l)
		}
	case *ssa.MapUpdate:
		switch v {
		case i.Value:
			f.add(i.Map, l)
			for dest := range f.labels[i.Map] {
				f.alias(dest, l)
			}
		case i.Map:
			for of := range f.labels[i.Value] {
				f.alias(l, of)
			}
		default:
			f.key(i.Map, i, l)
		}
	case *ssa.Send:
		if i.X == v {
			f.add(i.Chan, l)
		}
	case *ssa.Select:
		for _, s := range i.States {
			if s.Chan == v {
				f.add(i, l)
			}
			if s.Send == v {
				f.add(s.Chan, l)
			}
		}
	case *ssa.BinOp:
		if isNil(i.X) || isNil(i.Y) {
			f.present(l, i)
		} else if _, pointer := i.X.Type().Underlying().(*types.Pointer); !pointer {
			f.consume(l, i, "compared")
		}
	case *ssa.MakeClosure:
		fn := i.Fn.(*ssa.Function)
		for n, b := range i.Bindings {
			if b == v {
				f.add(fn.FreeVars[n], l)
			}
		}
	case *ssa.Return:
		f.returned(i, l)
	case *ssa.Panic:
		f.consume(l, i, "a panic")
	case ssa.CallInstruction:
		f.call(i, v, l)
	}
}

// key spreads a label to the keys of a map. Pointers are compared, other keys are read.
func (f *flow) key(m ssa.Value, i ssa.Instruction, l *label) {
	if _, pointer := m.Type().Underlying().(*types.Map).Key().Underlying().(*types.Pointer); pointer {
		f.add(m, l)
		return
	}
	f.consume(l, i, "the key of a map")
}

// at returns the position of an instruction, or of one before it.
func at(instr ssa.Instruction) token.Pos {
	if instr.Pos().IsValid() {
		return instr.Pos()
	}
	if next, ok := instr.(*ssa.Next); ok {
		if r, ok := next.Iter.(*ssa.Range); ok && r.Pos().IsValid() {
			return r.Pos()
		}
	}
	pos := instr.Parent().Pos()
	for _, i := range instr.Block().Instrs {
		if i.Pos().IsValid() {
			pos = i.Pos()
		}
		if i == instr {
			break
		}
	}
	return pos
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// field spreads a label from a struct, or the pointer to one, to a field.
func (f *flow) field(to ssa.Value, x ssa.Value, n int, l *label) {
	of := pointee(x.Type())
	switch {
	case l.root == nil:
		return
	case l.typ == nil:
		if machineryType(of) {
			f.add(to, l) // the object in a tombstone or delta
		}
		return
	case !types.Identical(of.Underlying(), l.typ.Underlying()):
		return
	}
	name, ok := f.jsonName(of, n)
	if !ok {
		if isUntyped(of) {
			f.add(to, contents(l))
		}
		return
	}
	typ := of.Underlying().(*types.Struct).Field(n).Type()
	if f.isLeaf(typ) {
		if uses(to) {
			f.note(event{label: l, path: name}, to.(ssa.Instruction))
		}
		return
	}
	if above := l.around(element(typ)); above != nil {
		f.consume(above, to.(ssa.Instruction), "a recursive type")
		return
	}
	f.add(to, l.child(name, typ))
}

// uses reports whether a field is used other than by a store to it.
func uses(v ssa.Value) bool {
	refs := v.Referrers()
	if refs == nil {
		return true
	}
	for _, instr := range *refs {
		switch i := instr.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if i.Addr != v {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// item spreads a label from a list or map to an element.
func (f *flow) item(to ssa.Value, of types.Type, l *label) {
	if _, isMap := of.Underlying().(*types.Map); isMap && isUntypedData(l) {
		f.consume(l, to.(ssa.Instruction), "all keys are read")
		return
	}
	if l.typ != nil && types.Identical(pointee(of).Underlying(), l.typ.Underlying()) {
		e := items(l.typ)
		if e == nil {
			return
		}
		if f.isLeaf(e) {
			return // read where the field was
		}
		l = l.child("", e)
	}
	f.add(to, l)
}

// store spreads a label to memory.
func (f *flow) store(addr ssa.Value, l *label, by ssa.Instruction) {
	for dest := range f.labels[addr] {
		f.alias(dest, l)
	}
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		of := pointee(a.X.Type())
		if _, ok := f.jsonName(of, a.Field); !ok {
			field := fieldOf(of, a.Field)
			f.add(field, l)
			if pkg := field.Pkg(); l.root != nil && pkg != nil && !f.program.bodies[pkg] && !hasCaches(pkg.Path()) {
				f.consume(l, by, "stored in the field "+field.Name()+" of package "+pkg.Path())
			}
		} else if f.isLeaf(a.Type()) {
			f.consume(l, by, "stored in the field "+fieldOf(of, a.Field).Name())
		} else if l.root != nil {
			if f.lost[a] == nil {
				f.lost[a] = map[*label]ssa.Instruction{}
			}
			f.lost[a][l] = by
		}
	case *ssa.IndexAddr:
		if printsType(a) {
			return
		}
		f.add(a, l)
		f.add(a.X, l) // also of lists of values
	case *ssa.Alloc:
		if !f.isValue(a.Type().(*types.Pointer).Elem()) {
			f.add(a, l)
		}
	default:
		f.add(addr, l)
	}
}

// alias records that the data of a label are also those of another one.
func (f *flow) alias(dest, of *label) {
	if dest.root == nil || of.root == nil || dest == of || dest.typ == nil || of.typ == nil {
		return
	}
	if !types.Identical(element(dest.typ).Underlying(), element(of.typ).Underlying()) {
		return // labels of other values that reach the same place
	}
	if dest.root.aliases == nil {
		dest.root.aliases = map[alias]bool{}
	}
	dest.root.aliases[alias{dest.path, of}] = true
}

func fieldOf(of types.Type, n int) *types.Var {
	return pointee(of).Underlying().(*types.Struct).Field(n).Origin()
}

// assert spreads a label through a type assertion.
func (f *flow) assert(i *ssa.TypeAssert, l *label) {
	if _, basic := i.AssertedType.Underlying().(*types.Basic); basic && isUntypedData(l) {
		f.note(event{label: l}, i)
		return
	}
	if l.root == nil || l.typ != nil {
		f.add(i, l)
		return
	}
	to := element(i.AssertedType)
	if _, ok := to.Underlying().(*types.Interface); ok {
		f.add(i, l)
		return
	}
	if kind := kindOf(to); kind != nil {
		f.addRoot(i, l.root.as(named(to)))
		return
	}
	f.add(i, l)
}

func (f *flow) addRoot(at node, r *root) { f.add(at, r.whole()) }

// back spreads a label to where the memory of a container comes from, which others may read.
func (f *flow) back(v ssa.Value, l *label) {
	switch i := v.(type) {
	case *ssa.Phi:
		for _, e := range i.Edges {
			f.add(e, l)
		}
	case *ssa.UnOp:
		f.add(i.X, l)
	case *ssa.FieldAddr:
		f.backField(i.X, i.Field, l)
	case *ssa.Field:
		f.backField(i.X, i.Field, l)
	case *ssa.IndexAddr:
		f.add(i.X, l)
	case *ssa.Index:
		f.add(i.X, l)
	case *ssa.Lookup:
		f.add(i.X, l)
	case *ssa.Slice:
		f.add(i.X, l)
	case *ssa.ChangeType:
		f.add(i.X, l)
	case *ssa.TypeAssert:
		f.add(i.X, l)
	case *ssa.Extract:
		f.add(i.Tuple, l)
		if call, ok := i.Tuple.(*ssa.Call); ok {
			f.backCall(call, i.Index, l)
		}
	case *ssa.Call:
		f.backCall(i, 0, l)
	case *ssa.FreeVar:
		fn := i.Parent()
		for n, free := range fn.FreeVars {
			if free != i {
				continue
			}
			for _, c := range f.closures[fn] {
				f.add(c.Bindings[n], l)
			}
		}
	case *ssa.Parameter:
		fn := i.Parent()
		for n, p := range fn.Params {
			if p != i {
				continue
			}
			for _, c := range f.callers[fn] {
				if a := argument(c.Common(), n); a != nil {
					f.add(a, l)
				}
			}
		}
	}
}

func (f *flow) backField(x ssa.Value, n int, l *label) {
	of := pointee(x.Type())
	if _, ok := f.jsonName(of, n); !ok {
		f.add(fieldOf(of, n), l)
	}
}

// backCall spreads a label to what a call returns.
func (f *flow) backCall(call *ssa.Call, n int, l *label) {
	for _, fn := range f.bodiesOf(call) {
		for _, r := range f.returns[fn] {
			if n < len(r.Results) {
				f.add(r.Results[n], l)
			}
		}
	}
}
