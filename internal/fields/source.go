package fields

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// seed attaches the first labels: to what caches hand out, to memory that the program allocates, and to functions.
func (f *flow) seed() {
	for _, fn := range f.functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				f.seedInstruction(instr)
			}
		}
	}
	for _, call := range f.calls {
		for _, fn := range f.bodiesOf(call) {
			f.enter(call, fn)
		}
		f.seedCall(call)
	}
	for fn, instrs := range f.taken {
		for _, instr := range instrs {
			f.forward(fn, instr, f.function(fn))
		}
	}
	for fn, closures := range f.closures {
		for _, c := range closures {
			f.add(c, f.function(fn))
		}
	}
}

// informerOf returns the label of informers of a kind.
func (f *flow) informerOf(kind *types.Named) *label {
	l := f.informerLabels[kind]
	if l == nil {
		l = &label{informer: kind}
		f.informerLabels[kind] = l
	}
	return l
}

// function returns the label of a function.
func (f *flow) function(fn *ssa.Function) *label {
	l := f.functionLabels[fn]
	if l == nil {
		l = &label{fn: fn}
		f.functionLabels[fn] = l
	}
	return l
}

func (f *flow) seedInstruction(instr ssa.Instruction) {
	switch i := instr.(type) {
	case *ssa.Alloc:
		if t := i.Type().(*types.Pointer).Elem(); f.isValue(t) && !decodes(t) {
			f.addRoot(i, f.newRoot(root{typ: t, place: i.Pos()}))
		}
	case *ssa.MakeSlice:
		if e := items(i.Type()); f.isValue(e) && !f.isLeaf(e) {
			f.addRoot(i, f.newRoot(root{typ: i.Type(), place: i.Pos()}))
		}
	case *ssa.FieldAddr:
		f.seedField(i, i.X.Type(), i.Field)
	case *ssa.Field:
		f.seedField(i, i.X.Type(), i.Field)
	case *ssa.MakeInterface:
		if isHandler(i.Type()) {
			f.handler(i, i.X)
		}
	}
}

// seedField labels the objects in the events that controller-runtime passes to predicates and handlers.
func (f *flow) seedField(v ssa.Value, of types.Type, n int) {
	t := named(of)
	if t == nil || t.Obj().Pkg() == nil || !strings.HasSuffix(t.Obj().Pkg().Path(), "controller-runtime/pkg/event") {
		return
	}
	if strings.HasPrefix(t.Underlying().(*types.Struct).Field(n).Name(), "Object") && uses(v) {
		f.handOut(v, pointee(v.Type()), v.Pos())
	}
}

// handOut labels a value as an object, or a list of objects, of a cache. The hints tell the kind if the type does not.
func (f *flow) handOut(v node, t types.Type, pos token.Pos, hints ...ssa.Value) {
	e := element(t)
	if kindOf(e) != nil {
		f.addRoot(v, f.newRoot(root{typ: e, cached: true, place: pos}))
		return
	}
	if holdsObjects(e) {
		f.addRoot(v, f.newRoot(root{cached: true, place: pos, hints: hints}))
	}
}

// holdsObjects reports whether a type is an interface that API objects implement.
func holdsObjects(t types.Type) bool {
	u, ok := t.Underlying().(*types.Interface)
	if !ok || u.NumMethods() == 0 {
		return ok
	}
	for m := range u.Methods() {
		switch m.Name() {
		case "GetObjectKind", "DeepCopyObject", "GetName", "GetObjectMeta":
			return true
		}
	}
	return false
}

// seedCall labels what a function of a library hands out of a cache, and what it calls.
func (f *flow) seedCall(call ssa.CallInstruction) {
	for _, to := range f.callees(call) {
		fn := to.external
		if fn == nil || fn.Pkg() == nil || !machinery(fn.Pkg().Path()) {
			continue
		}
		if v := call.Value(); v != nil {
			c := call.Common()
			if hands(fn) {
				f.results(v, c)
			}
			if kind := informed(fn); kind != nil {
				f.add(v, f.informerOf(kind))
			}
			if strings.Contains(fn.Name(), "Informer") || fn.Name() == "GetStore" || fn.Name() == "GetIndexer" || fn.Name() == "Kind" {
				f.passOn[v] = true
			}
		}
	}
}

// results labels the results of a call that hands out objects.
func (f *flow) results(v *ssa.Call, c *ssa.CallCommon) {
	var hints []ssa.Value
	if len(c.Args) > 0 && !c.IsInvoke() {
		hints = append(hints, c.Args[0])
	} else if c.IsInvoke() {
		hints = append(hints, c.Value)
	}
	tuple, ok := v.Type().(*types.Tuple)
	if !ok {
		f.handOut(v, v.Type(), v.Pos(), hints...)
		return
	}
	for _, instr := range *v.Referrers() {
		if e, ok := instr.(*ssa.Extract); ok {
			f.handOut(e, tuple.At(e.Index).Type(), v.Pos(), hints...)
		}
	}
}

// hands reports whether a function of a library hands out objects of a cache.
func hands(fn *types.Func) bool {
	recv, pkg := receiver(fn), fn.Pkg().Path()
	switch {
	case strings.HasSuffix(recv, "Lister"), recv == "ResourceIndexer", recv == "Namespaced":
		return true
	case strings.HasSuffix(recv, "Indexer"), strings.HasSuffix(recv, "Store"):
		switch fn.Name() {
		case "Get", "GetByKey", "List", "ByIndex", "Index":
			return strings.Contains(pkg, "/cache") || strings.Contains(pkg, "/listers")
		}
	case recv == "" && strings.HasSuffix(pkg, "/listers"):
		return true
	}
	return false
}

// informed returns the kind of an informer that generated code returns; nil for other functions.
func informed(fn *types.Func) *types.Named {
	recv := fn.Signature().Recv()
	if recv == nil || !strings.HasSuffix(fn.Name(), "Informer") {
		return nil
	}
	lister, _, _ := types.LookupFieldOrMethod(recv.Type(), true, fn.Pkg(), "Lister")
	m, ok := lister.(*types.Func)
	if !ok || m.Signature().Results().Len() != 1 {
		return nil
	}
	list, _, _ := types.LookupFieldOrMethod(m.Signature().Results().At(0).Type(), true, fn.Pkg(), "List")
	if m, ok = list.(*types.Func); !ok || m.Signature().Results().Len() == 0 {
		return nil
	}
	if e := element(m.Signature().Results().At(0).Type()); isKind(e) {
		return named(e)
	}
	return nil
}

// isHandler reports whether a type is an interface whose methods an informer or reflector calls with objects.
func isHandler(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	switch n.Obj().Name() {
	case "ResourceEventHandler", "TypedResourceEventHandler", "ObjectReconciler", "Store", "ReflectorStore":
		return machinery(n.Obj().Pkg().Path())
	}
	return false
}

// handler labels the parameters of a handler's functions.
func (f *flow) handler(at *ssa.MakeInterface, x ssa.Value) {
	hints := consumers(at, 0)
	if n := named(x.Type()); n != nil && f.program.bodies[n.Obj().Pkg()] {
		iface, _ := at.Type().Underlying().(*types.Interface)
		for m := range iface.Methods() {
			if sel := f.program.ssa.MethodSets.MethodSet(x.Type()).Lookup(m.Pkg(), m.Name()); sel != nil {
				if fn := f.program.ssa.MethodValue(sel); fn != nil {
					f.called(fn, 1, hints)
				}
			}
		}
		return
	}
	load, ok := x.(*ssa.UnOp)
	memory := x
	if ok {
		memory = load.X
	}
	refs := memory.Referrers()
	if refs == nil {
		return
	}
	for _, instr := range *refs {
		addr, ok := instr.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, use := range *addr.Referrers() {
			if s, ok := use.(*ssa.Store); ok && s.Addr == addr {
				if fn := functionOf(s.Val); fn != nil {
					f.called(fn, 0, hints)
				}
			}
		}
	}
}

// functionOf returns the function that a value is, if it is written there.
func functionOf(v ssa.Value) *ssa.Function {
	switch i := v.(type) {
	case *ssa.Function:
		return i
	case *ssa.MakeClosure:
		return i.Fn.(*ssa.Function)
	case *ssa.ChangeType:
		return functionOf(i.X)
	}
	return nil
}

// called labels the parameters of a function from the first on, because a library calls it with objects.
func (f *flow) called(fn *ssa.Function, first int, hints []ssa.Value) {
	if f.sourced[fn] {
		return
	}
	f.sourced[fn] = true
	for n, p := range fn.Params {
		if n >= first {
			f.handOut(p, p.Type(), p.Pos(), hints...)
		}
	}
}

// consumers returns values that tell the kinds of a handler: the receivers and arguments of the calls that get it.
func consumers(v ssa.Value, depth int) []ssa.Value {
	refs := v.Referrers()
	if refs == nil || depth > 8 {
		return nil
	}
	var list []ssa.Value
	for _, instr := range *refs {
		switch i := instr.(type) {
		case *ssa.Store:
			if addr, ok := i.Addr.(*ssa.FieldAddr); ok && i.Val == v {
				list = append(list, consumers(addr.X, depth+1)...)
			} else if addr, ok := i.Addr.(*ssa.IndexAddr); ok && i.Val == v {
				list = append(list, consumers(addr.X, depth+1)...)
			} else if i.Val == v {
				list = append(list, consumers(i.Addr, depth+1)...)
			}
		case *ssa.MapUpdate:
			if i.Value == v {
				list = append(list, i.Key) // options by type
			}
		case *ssa.UnOp:
			list = append(list, consumers(i, depth+1)...)
		case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.Slice:
			list = append(list, consumers(i.(ssa.Value), depth+1)...)
		case ssa.CallInstruction:
			c := i.Common()
			if c.IsInvoke() {
				list = append(list, c.Value)
			}
			for _, a := range c.Args {
				if a != v {
					list = append(list, a)
				}
			}
			if value := i.Value(); value != nil && depth < 3 {
				list = append(list, consumers(value, depth+1)...)
			}
		}
	}
	return list
}

// seedUnknown labels the parameters of functions that libraries get in other ways, as those that compute the keys of indexes.
func (f *flow) seedUnknown() {
	for _, call := range f.calls {
		if machinery(packageOf(call.Parent())) {
			continue
		}
		for _, to := range f.callees(call) {
			fn := to.external
			if fn == nil || strings.Contains(fn.Name(), "Transform") {
				continue
			}
			if fn.Pkg() == nil {
				continue
			}
			for _, a := range call.Common().Args {
				for called := range f.functionsOf(a) {
					f.reachedBy(called, hasCaches(fn.Pkg().Path()), slices.Concat(call.Common().Args, consumersOf(call)))
				}
			}
		}
	}
	for v, set := range f.labels {
		field, ok := v.(*types.Var)
		if !ok || field.Pkg() == nil || f.program.bodies[field.Pkg()] || strings.Contains(field.Name(), "Transform") {
			continue
		}
		for l := range set {
			if l.fn != nil {
				f.reachedBy(l.fn, hasCaches(field.Pkg().Path()), nil)
			}
		}
	}
}

// functionsOf returns the functions that a value can be.
func (f *flow) functionsOf(v ssa.Value) map[*ssa.Function]bool {
	found := map[*ssa.Function]bool{}
	if fn := functionOf(v); fn != nil {
		found[fn] = true
	}
	for l := range f.labels[v] {
		if l.fn != nil {
			found[l.fn] = true
		}
	}
	return found
}

// packageOf returns the path of the package that declares a function; empty for some functions that package ssa makes.
func packageOf(fn *ssa.Function) string {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg == nil {
		return ""
	}
	return fn.Pkg.Pkg.Path()
}

// hasCaches reports whether a library calls functions with objects of caches.
func hasCaches(path string) bool {
	for _, prefix := range []string{"k8s.io/client-go/", "sigs.k8s.io/controller-runtime/", "github.com/listwatch/listwatch/"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}

func consumersOf(call ssa.CallInstruction) []ssa.Value {
	if v := call.Value(); v != nil {
		return consumers(v, 0)
	}
	return nil
}

// reachedBy labels the parameters of a function that a library calls: objects of known kinds, and if it is one of the
// libraries that have caches, of unknown kinds too.
func (f *flow) reachedBy(fn *ssa.Function, caches bool, hints []ssa.Value) {
	if caches {
		f.called(fn, 0, hints)
		return
	}
	if f.sourced[fn] {
		return
	}
	f.sourced[fn] = true
	for _, p := range fn.Params {
		if kindOf(element(p.Type())) != nil {
			f.handOut(p, p.Type(), p.Pos())
		}
	}
}
