package fields

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// index finds instructions by what they use.
type index struct {
	functions []*ssa.Function
	// uses are the addresses and loads of fields of structs that are no API data.
	uses     map[*types.Var][]ssa.Value
	globals  map[*ssa.Global][]ssa.Instruction
	closures map[*ssa.Function][]*ssa.MakeClosure
	returns  map[*ssa.Function][]*ssa.Return
	// taken are the functions that are used as values, with their uses.
	taken map[*ssa.Function][]ssa.Instruction
	calls []ssa.CallInstruction
}

// newIndex reads the functions that the given packages reach.
func newIndex(p *program, s *schema) *index {
	x := &index{
		uses: map[*types.Var][]ssa.Value{}, globals: map[*ssa.Global][]ssa.Instruction{}, closures: map[*ssa.Function][]*ssa.MakeClosure{},
		returns: map[*ssa.Function][]*ssa.Return{}, taken: map[*ssa.Function][]ssa.Instruction{},
	}
	x.functions = reachable(p)
	for _, fn := range x.functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				x.instruction(instr, s)
			}
		}
	}
	return x
}

func (x *index) instruction(instr ssa.Instruction, s *schema) {
	switch i := instr.(type) {
	case *ssa.FieldAddr:
		x.fieldUse(i, i.X, i.Field, s)
	case *ssa.Field:
		x.fieldUse(i, i.X, i.Field, s)
	case *ssa.MakeClosure:
		fn := i.Fn.(*ssa.Function)
		x.closures[fn] = append(x.closures[fn], i)
	case *ssa.Return:
		x.returns[i.Parent()] = append(x.returns[i.Parent()], i)
	case ssa.CallInstruction:
		x.calls = append(x.calls, i)
	}
	var operands [10]*ssa.Value
	for _, op := range instr.Operands(operands[:0]) {
		switch v := (*op).(type) {
		case *ssa.Global:
			x.globals[v] = append(x.globals[v], instr)
		case *ssa.Function:
			if call, ok := instr.(ssa.CallInstruction); ok && op == &call.Common().Value {
				continue
			}
			if _, ok := instr.(*ssa.MakeClosure); !ok {
				x.taken[v] = append(x.taken[v], instr)
			}
		}
	}
}

func (x *index) fieldUse(v, of ssa.Value, n int, s *schema) {
	t := pointee(of.Type())
	if _, ok := s.jsonName(t, n); !ok {
		f := fieldOf(t, n)
		x.uses[f] = append(x.uses[f], v)
	}
}

// skipped reports whether models describe a function that has a body.
func skipped(fn *ssa.Function) bool {
	switch fn.Name() {
	case "DeepCopy", "DeepCopyInto", "DeepCopyObject":
		return fn.Signature.Recv() != nil
	}
	return false
}

// reachable returns the functions with bodies that the given packages can call, those of these packages first.
func reachable(p *program) []*ssa.Function {
	var list []*ssa.Function
	seen := map[*ssa.Function]bool{}
	visit := func(fn *ssa.Function) {
		if fn == nil || seen[fn] || fn.TypeParams().Len() > len(fn.TypeArgs()) {
			return
		}
		seen[fn] = true
		if len(fn.Blocks) > 0 && !skipped(fn) {
			list = append(list, fn)
		}
	}
	given := map[*ssa.Package]bool{}
	for _, pkg := range p.given {
		given[pkg] = true
	}
	all := ssautil.AllFunctions(p.ssa)
	for _, fn := range sorted(all) {
		origin := fn
		if o := fn.Origin(); o != nil {
			origin = o
		}
		if given[origin.Pkg] && origin.Synthetic == "" || given[fn.Pkg] {
			visit(fn)
		}
	}
	methods := map[types.Type]bool{}
	for n := 0; n < len(list); n++ {
		fn := list[n]
		for _, anon := range fn.AnonFuncs {
			visit(anon)
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if m, ok := instr.(*ssa.MakeInterface); ok && !methods[m.X.Type()] {
					methods[m.X.Type()] = true
					set := p.ssa.MethodSets.MethodSet(m.X.Type())
					for sel := range set.Methods() {
						visit(p.ssa.MethodValue(sel))
					}
				}
				var operands [10]*ssa.Value
				for _, op := range instr.Operands(operands[:0]) {
					if called, ok := (*op).(*ssa.Function); ok {
						visit(called)
					}
				}
			}
		}
	}
	return list
}
