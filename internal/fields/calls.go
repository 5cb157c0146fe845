package fields

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// callee is a function that a call can reach: one with a body, or one that a library has.
type callee struct {
	fn       *ssa.Function // with a body; nil for one of a library
	external *types.Func   // nil for one with a body, and for unknown ones
}

// sorted returns functions in the order of their positions.
func sorted(set map[*ssa.Function]bool) []*ssa.Function {
	list := make([]*ssa.Function, 0, len(set))
	for fn := range set {
		list = append(list, fn)
	}
	slices.SortFunc(list, func(a, b *ssa.Function) int {
		return cmp.Or(cmp.Compare(a.Pos(), b.Pos()), cmp.Compare(a.String(), b.String()))
	})
	return list
}

// argument returns the value that a call passes as the parameter n of a function with a body, which has its receiver first.
func argument(c *ssa.CallCommon, n int) ssa.Value {
	if c.IsInvoke() {
		if n == 0 {
			return c.Value
		}
		n--
	}
	if n < len(c.Args) {
		return c.Args[n]
	}
	return nil
}

// hierarchy finds the methods that calls of interfaces can reach.
type hierarchy struct {
	program *program
	// concrete are the types that declare methods, by the name of a method.
	concrete map[string][]*types.Named
	known    map[*types.Func][]callee
	fits     map[[2]types.Type]bool
}

func newHierarchy(p *program) *hierarchy {
	h := &hierarchy{program: p, concrete: map[string][]*types.Named{}, known: map[*types.Func][]callee{}, fits: map[[2]types.Type]bool{}}
	for _, pkg := range p.all {
		if pkg == nil || pkg == types.Unsafe {
			continue
		}
		scope := pkg.Scope()
		for _, name := range scope.Names() {
			tn, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || tn.IsAlias() {
				continue
			}
			n, ok := tn.Type().(*types.Named)
			if !ok || n.TypeParams().Len() > 0 || types.IsInterface(n) {
				continue
			}
			h.add(n)
		}
	}
	for _, t := range p.ssa.RuntimeTypes() {
		if n, ok := pointee(t).(*types.Named); ok && n.TypeArgs().Len() > 0 && !types.IsInterface(n) {
			h.add(n)
		}
	}
	for name, list := range h.concrete {
		h.concrete[name] = unique(list)
	}
	return h
}

// add adds a type that declares methods.
func (h *hierarchy) add(n *types.Named) {
	set := types.NewMethodSet(types.NewPointer(n))
	for sel := range set.Methods() {
		if sel.Obj().Exported() || h.program.bodies[n.Obj().Pkg()] {
			h.concrete[sel.Obj().Name()] = append(h.concrete[sel.Obj().Name()], n)
		}
	}
}

// unique returns a list without identical types, of which there can be several for an instance.
func unique(list []*types.Named) []*types.Named {
	if len(list) < 2 {
		return list
	}
	var set typeutil.Map
	var out []*types.Named
	for _, n := range list {
		if set.At(n) == nil {
			set.Set(n, true)
			out = append(out, n)
		}
	}
	return out
}

// methods returns what a call of an interface's method can reach.
func (h *hierarchy) methods(recv types.Type, m *types.Func) []callee {
	if found, ok := h.known[m]; ok {
		return found
	}
	var list []callee
	iface, ok := recv.Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	h.known[m] = nil // for interfaces that embed each other
	if m.Pkg() != nil && !h.program.bodies[m.Pkg()] {
		list = append(list, callee{external: m})
	}
	for _, n := range h.concrete[m.Name()] {
		ptr := types.NewPointer(n)
		if !types.Implements(ptr, iface) {
			continue
		}
		sel := types.NewMethodSet(ptr).Lookup(m.Pkg(), m.Name())
		if sel == nil {
			continue
		}
		if f, ok := sel.Obj().(*types.Func); ok && types.IsInterface(f.Signature().Recv().Type()) {
			if f != m { // of an embedded interface
				list = append(list, h.methods(f.Signature().Recv().Type(), f)...)
			}
			continue
		}
		if fn := h.program.ssa.MethodValue(sel); fn != nil && len(fn.Blocks) > 0 && h.program.bodies[n.Obj().Pkg()] && !skipped(fn) {
			list = append(list, callee{fn: fn})
		} else if f, ok := sel.Obj().(*types.Func); ok && (m.Pkg() == nil || h.program.bodies[m.Pkg()]) {
			list = append(list, callee{external: f})
		}
	}
	h.known[m] = list
	return list
}

// implements reports whether a type or the pointer to it implements an interface.
func (h *hierarchy) implements(t types.Type, iface *types.Interface) bool {
	key := [2]types.Type{t, iface}
	fits, ok := h.fits[key]
	if !ok {
		fits = types.Implements(t, iface) || types.Implements(types.NewPointer(t), iface)
		h.fits[key] = fits
	}
	return fits
}

// callees returns what a call can reach, as far as it is known yet.
func (f *flow) callees(call ssa.CallInstruction) []callee {
	c := call.Common()
	if c.IsInvoke() {
		return f.methods(c.Value.Type(), c.Method)
	}
	if fn := c.StaticCallee(); fn != nil {
		return []callee{calleeOf(fn)}
	}
	var list []callee
	for fn := range f.linked[call] {
		list = append(list, calleeOf(fn))
	}
	return list
}

func calleeOf(fn *ssa.Function) callee {
	if len(fn.Blocks) > 0 && !skipped(fn) {
		return callee{fn: fn}
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	object, _ := fn.Object().(*types.Func)
	return callee{external: object}
}

func (f *flow) bodiesOf(call ssa.CallInstruction) []*ssa.Function {
	var list []*ssa.Function
	for _, c := range f.callees(call) {
		if c.fn != nil {
			list = append(list, c.fn)
		}
	}
	return list
}

// call spreads a label that a call uses.
func (f *flow) call(call ssa.CallInstruction, v ssa.Value, l *label) {
	c := call.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		f.builtin(call, b, v, l)
		return
	}
	if c.IsInvoke() && c.Value == v {
		f.pass(call, 0, l)
	}
	if !c.IsInvoke() && c.Value == v && l.fn != nil {
		f.link(call, l.fn)
	}
	first := 0
	if c.IsInvoke() {
		first = 1
	}
	for n, a := range c.Args {
		if a == v {
			f.pass(call, first+n, l)
		}
	}
}

// pass spreads a label to the parameter n, counted with the receiver.
func (f *flow) pass(call ssa.CallInstruction, n int, l *label) {
	if v := call.Value(); v != nil && f.passOn[v] {
		if l.informer != nil {
			f.add(v, l)
		} else if l.typ != nil && isKind(l.typ) {
			f.add(v, f.informerOf(named(l.typ)))
		}
	}
	reached := f.callees(call)
	if len(reached) == 0 {
		if f.open[call] == nil {
			f.open[call] = map[*label]bool{}
		}
		f.open[call][l] = true
	}
	for _, to := range reached {
		f.passTo(call, to, n, l)
	}
}

func (f *flow) passTo(call ssa.CallInstruction, to callee, n int, l *label) {
	if f.describe(call, to, n, l) {
		return
	}
	if to.fn != nil {
		if n < len(to.fn.Params) {
			f.add(to.fn.Params[n], l)
		}
		return
	}
	f.leave(call, to, n, l)
}

// link records that a dynamic call reaches a function.
func (f *flow) link(call ssa.CallInstruction, fn *ssa.Function) {
	if f.linked[call] == nil {
		f.linked[call] = map[*ssa.Function]bool{}
	}
	if f.linked[call][fn] {
		return
	}
	f.linked[call][fn] = true
	to := calleeOf(fn)
	if to.fn != nil {
		f.enter(call, to.fn)
	}
	for n, a := range call.Common().Args {
		for l := range f.labels[a] {
			f.passTo(call, to, n, l)
		}
	}
}

// enter records a call of a function with a body, whose results it has.
func (f *flow) enter(call ssa.CallInstruction, fn *ssa.Function) {
	woken := f.isUncalled(fn)
	f.callers[fn] = append(f.callers[fn], call)
	if woken {
		f.wake(fn)
	}
	if v := call.Value(); v != nil {
		for l := range f.labels[results{fn}] {
			f.add(v, l)
		}
	}
}

// wake spreads the labels of fields to a function that is called for the first time.
func (f *flow) wake(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if i, ok := instr.(*ssa.FieldAddr); ok {
				for l := range f.labels[fieldOf(i.X.Type(), i.Field)] {
					f.add(i, l)
				}
			}
		}
	}
}

func (f *flow) builtin(call ssa.CallInstruction, b *ssa.Builtin, v ssa.Value, l *label) {
	c := call.Common()
	switch b.Name() {
	case "append":
		f.add(call.Value(), l)
		if len(c.Args) > 1 && c.Args[1] == v { // the memory that the first has
			f.add(c.Args[0], l)
		}
	case "copy":
		if c.Args[1] == v {
			f.add(c.Args[0], l)
			for dest := range f.labels[c.Args[0]] {
				f.alias(dest, l)
			}
		} else {
			for of := range f.labels[c.Args[1]] {
				f.alias(l, of)
			}
		}
	case "len", "cap":
		f.present(l, call)
	case "print", "println":
		f.consume(l, call, "printed")
	case "ssa:wrapnilchk":
		f.add(call.Value(), l)
	}
}

// returned spreads a label to the results of a function.
func (f *flow) returned(i *ssa.Return, l *label) {
	fn := i.Parent()
	f.add(results{fn}, l)
	if f.program.command || fn.Object() == nil || !fn.Object().Exported() || l.root == nil {
		return
	}
	for _, pkg := range f.program.given {
		if pkg == fn.Pkg && exported(fn) {
			f.consume(l, i, "returned by the exported "+fn.RelString(fn.Pkg.Pkg))
		}
	}
}

// exported reports whether other modules can call a function: nothing that it belongs to is unexported.
func exported(fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	if recv == nil {
		return true
	}
	n, ok := pointee(recv.Type()).(*types.Named)
	return ok && n.Obj().Exported()
}

// leave records that a label reaches a function of a library, which nothing describes.
func (f *flow) leave(call ssa.CallInstruction, to callee, n int, l *label) {
	if l.root == nil && l.holder == nil {
		return
	}
	param := parameter(call.Common(), n)
	if iface, ok := param.(*types.Interface); ok && iface.NumMethods() > 0 && l.typ != nil {
		if v := argument(call.Common(), n); v != nil && f.callBack(v, iface, l) {
			return // the library calls methods of the program's type
		}
	}
	if l.holder != nil {
		if iface, ok := param.(*types.Interface); ok && iface.NumMethods() > 0 {
			return
		}
	}
	f.consume(l, call, "passed to "+nameOf(to))
}

// callBack spreads a label to the methods of a type of the program, by which a library gets it. It reports whether
// the value is of such a type.
func (f *flow) callBack(v ssa.Value, iface *types.Interface, l *label) bool {
	m, ok := v.(*ssa.MakeInterface)
	if !ok {
		return false
	}
	n, ok := pointee(m.X.Type()).(*types.Named)
	if !ok || isKind(n) || f.isData(n) || !f.program.bodies[n.Obj().Pkg()] {
		return false
	}
	for method := range iface.Methods() {
		if sel := f.program.ssa.MethodSets.MethodSet(m.X.Type()).Lookup(method.Pkg(), method.Name()); sel != nil {
			if fn := f.program.ssa.MethodValue(sel); fn != nil && len(fn.Params) > 0 {
				f.add(fn.Params[0], l)
			}
		}
	}
	return true
}

// parameter returns the underlying type of the parameter n, counted with the receiver.
func parameter(c *ssa.CallCommon, n int) types.Type {
	sig := c.Signature()
	if c.IsInvoke() || sig.Recv() != nil {
		if n == 0 {
			return c.Value.Type().Underlying()
		}
		n--
	}
	if n < sig.Params().Len() {
		return sig.Params().At(n).Type().Underlying()
	}
	return types.Typ[types.Invalid]
}

func nameOf(to callee) string {
	if to.external == nil {
		return "a function that is not known"
	}
	return fmt.Sprintf("%s, whose body is not analyzed", shortName(to.external))
}

// shortName returns the name of a function with the name of its package or type.
func shortName(fn *types.Func) string {
	qualifier := func(p *types.Package) string { return p.Name() }
	if recv := fn.Signature().Recv(); recv != nil {
		return fmt.Sprintf("%s.%s", types.TypeString(pointee(recv.Type()), qualifier), fn.Name())
	}
	if fn.Pkg() == nil {
		return fn.Name()
	}
	return fn.Pkg().Name() + "." + fn.Name()
}
