package fields

import (
	"cmp"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// analyze follows the objects of caches through a program.
func analyze(p *program) *flow {
	s := newSchema()
	f := &flow{
		schema: s, index: newIndex(p, s), hierarchy: newHierarchy(p),
		labels: map[node]map[*label]bool{}, events: map[event]bool{}, linked: map[ssa.CallInstruction]map[*ssa.Function]bool{},
		functionLabels: map[*ssa.Function]*label{}, informerLabels: map[*types.Named]*label{}, holderLabels: map[*types.Named]*label{}, passOn: map[ssa.Value]bool{},
		callers: map[*ssa.Function][]ssa.CallInstruction{}, sourced: map[*ssa.Function]bool{},
		lost: map[*ssa.FieldAddr]map[*label]ssa.Instruction{}, open: map[ssa.CallInstruction]map[*label]bool{},
	}
	f.seed()
	f.run()
	f.seedUnknown()
	f.seedResults()
	f.run()
	f.seedHolders()
	f.run()
	f.finish()
	return f
}

// seedResults labels the objects that functions return which are not known: they can be those of a cache. So can be objects
// that a client fills, if it is not known where they are made.
func (f *flow) seedResults() {
	for _, call := range f.calls {
		f.seedFilled(call)
		v := call.Value()
		if _, builtin := call.Common().Value.(*ssa.Builtin); v == nil || builtin || len(f.callees(call)) > 0 || v.Referrers() == nil {
			continue
		}
		tuple, ok := v.Type().(*types.Tuple)
		if !ok {
			if kindOf(element(v.Type())) != nil {
				f.handOut(v, v.Type(), v.Pos())
			}
			continue
		}
		for _, instr := range *v.Referrers() {
			if e, ok := instr.(*ssa.Extract); ok && kindOf(element(tuple.At(e.Index).Type())) != nil {
				f.handOut(e, tuple.At(e.Index).Type(), v.Pos())
			}
		}
	}
}

// seedFilled labels an object of unknown origin that a client of controller-runtime fills.
func (f *flow) seedFilled(call ssa.CallInstruction) {
	for _, to := range f.callees(call) {
		fn := to.external
		if fn == nil || !isClient(fn) || fn.Name() != "Get" && fn.Name() != "List" {
			continue
		}
		for _, a := range call.Common().Args {
			if holdsObjects(a.Type()) && !types.Identical(a.Type().Underlying(), types.NewInterfaceType(nil, nil)) && !f.isObject(a) {
				f.handOut(origin(a), a.Type(), at(call))
			}
		}
	}
}

// isObject reports whether a value has the label of an object.
func (f *flow) isObject(v ssa.Value) bool {
	for l := range f.labels[v] {
		if l.root != nil {
			return true
		}
	}
	return false
}

// origin returns the value that was converted to the interface that v is.
func origin(v ssa.Value) ssa.Value {
	for {
		switch i := v.(type) {
		case *ssa.ChangeInterface:
			v = i.X
		case *ssa.MakeInterface:
			v = i.X
		case *ssa.TypeAssert:
			v = i.X
		default:
			return v
		}
	}
}

// seedHolders labels the memory of structs that contain API data, to find where libraries get them.
func (f *flow) seedHolders() {
	holders := map[*types.TypeName]bool{}
	for at, set := range f.labels {
		field, ok := at.(*types.Var)
		if !ok {
			continue
		}
		for l := range set {
			if l.root != nil {
				for _, v := range f.uses[field] {
					if n := structOf(v); n != nil {
						holders[n.Origin().Obj()] = true
					}
				}
				break
			}
		}
	}
	for _, fn := range f.functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				a, ok := instr.(*ssa.Alloc)
				if !ok {
					continue
				}
				n := named(a.Type())
				if n != nil && holders[n.Origin().Obj()] && f.program.bodies[n.Obj().Pkg()] && !isKind(n) {
					l := f.holderLabels[n]
					if l == nil {
						l = &label{holder: n}
						f.holderLabels[n] = l
					}
					f.add(a, l)
				}
			}
		}
	}
}

// structOf returns the struct whose field a value is; nil if it has no name.
func structOf(v ssa.Value) *types.Named {
	switch i := v.(type) {
	case *ssa.FieldAddr:
		return named(i.X.Type())
	case *ssa.Field:
		return named(i.X.Type())
	}
	return nil
}

// finish records what is known only when all labels are.
func (f *flow) finish() {
	for addr, stored := range f.lost {
		if len(f.labels[addr.X]) > 0 {
			continue
		}
		for l, by := range stored {
			f.consume(l, by, "stored in memory that is not followed")
		}
	}
	for call, labels := range f.open {
		if len(f.callees(call)) > 0 {
			continue
		}
		for l := range labels {
			f.consume(l, call, "passed to a function that is not known")
		}
	}
	for e := range maps.Clone(f.events) {
		if e.label.holder == nil {
			continue
		}
		for l := range f.held(e.label.holder) {
			f.events[event{label: l, pos: e.pos, reason: e.reason + ", in " + e.label.holder.Obj().Name()}] = true
		}
	}
}

// held returns the labels of the fields of a struct.
func (f *flow) held(n *types.Named) map[*label]bool {
	found := map[*label]bool{}
	for field := range n.Underlying().(*types.Struct).Fields() {
		for l := range f.labels[field.Origin()] {
			if l.root != nil {
				found[l] = true
			}
		}
	}
	return found
}

// use is what happens to the data at a path of a root.
type use struct {
	root     *root
	path     string
	presence bool
	pos      token.Pos
	reason   string
}

// uses returns what happens to the objects of caches, through the memory to which parts of them are copied.
func (f *flow) cachedUses() []use {
	done := map[use]bool{}
	var list []use
	var visit func(u use)
	visit = func(u use) {
		if done[u] {
			return
		}
		done[u] = true
		if u.root.cached {
			list = append(list, u)
		}
		for a := range u.root.aliases {
			if rest, ok := below(u.path, a.path); ok {
				visit(use{a.of.root, join(a.of.path, rest), u.presence, u.pos, u.reason})
			} else if _, ok := below(a.path, u.path); ok && !u.presence {
				visit(use{a.of.root, a.of.path, false, u.pos, u.reason})
			}
		}
	}
	for e := range f.events {
		if e.label.root != nil {
			visit(use{e.label.root, join(e.label.path, e.path), e.presence, e.pos, e.reason})
		}
	}
	return list
}

// kindsOf returns the kinds of a root whose kind is known only by the informer; none if that is unknown, too.
func (f *flow) kindsOf(r *root) map[*types.Named]bool {
	found := map[*types.Named]bool{}
	for _, v := range r.hints {
		for l := range f.labels[v] {
			switch {
			case l.informer != nil:
				found[l.informer] = true
			case l.typ != nil && l.root != nil && l.path == "" && isKind(l.typ):
				found[named(l.typ)] = true
			}
		}
	}
	return found
}

// report sums up what the program does with the objects of each kind.
func (f *flow) report() *Report {
	kinds := map[*types.Named]*Kind{}
	kind := func(n *types.Named, got token.Pos) *Kind {
		k := kinds[n]
		if k == nil {
			k = &Kind{Type: types.TypeString(n, nil), named: n}
			kinds[n] = k
		}
		if got.IsValid() {
			k.Got = append(k.Got, f.position(got))
		}
		return k
	}
	for _, r := range f.roots {
		f.got(r, kind)
	}
	for l := range f.informers() {
		kind(l, token.NoPos)
	}
	uses := f.cachedUses()
	unknown := []use{}
	for _, u := range uses {
		if u.root.typ == nil {
			if u.path != "" || u.reason != "" {
				unknown = append(unknown, u)
			}
			continue
		}
		n := kindOf(u.root.typ)
		if n == nil {
			continue
		}
		path := u.path
		if listed(u.root.typ) != nil {
			rest, ok := below(path, "items")
			if !ok && path != "" {
				continue
			}
			if ok {
				path = rest
			}
		}
		kind(n, token.NoPos).add(path, u, f.position(u.pos))
	}
	for _, u := range unknown {
		of := f.kindsOf(u.root)
		if len(of) == 0 {
			for n := range kinds {
				of[n] = true
			}
			if u.reason != "" {
				u.reason += " (the kind is not known)"
			}
		}
		for n := range of {
			kind(n, token.NoPos).add(u.path, u, f.position(u.pos))
		}
	}
	r := &Report{}
	for _, k := range kinds {
		k.finish()
		r.Kinds = append(r.Kinds, k)
	}
	slices.SortFunc(r.Kinds, func(a, b *Kind) int { return cmp.Compare(a.Type, b.Type) })
	return r
}

// got notes the kinds of a root that a cache hands out.
func (f *flow) got(r *root, kind func(*types.Named, token.Pos) *Kind) {
	if !r.cached {
		return
	}
	if r.typ != nil {
		if n := kindOf(r.typ); n != nil {
			kind(n, r.place)
		}
		return
	}
	for n := range f.kindsOf(r) {
		kind(n, r.place)
	}
	for _, d := range r.derived {
		f.got(d, kind)
	}
}

// informers returns the kinds of the informers that the program uses.
func (f *flow) informers() map[*types.Named]bool {
	found := map[*types.Named]bool{}
	for n := range f.informerLabels {
		found[n] = true
	}
	return found
}

func (f *flow) position(pos token.Pos) token.Position { return f.program.fset.Position(pos) }

// add adds a use of the data at a path.
func (k *Kind) add(path string, u use, pos token.Position) {
	if path == "" {
		if u.reason != "" {
			k.Escapes = append(k.Escapes, Place{pos, u.reason})
		}
		return
	}
	if k.reads == nil {
		k.reads = map[string]*Field{}
	}
	field := k.reads[path]
	if field == nil {
		field = &Field{Path: path, Presence: true}
		k.reads[path] = field
	}
	if !u.presence {
		field.Presence = false
	}
	field.Places = append(field.Places, Place{pos, u.reason})
}

// finish sorts what was added, and drops what says nothing new.
func (k *Kind) finish() {
	k.Got = sortedPositions(k.Got)
	k.Escapes = sortedPlaces(k.Escapes)
	for _, path := range slices.Sorted(maps.Keys(k.reads)) {
		field := k.reads[path]
		field.Places = sortedPlaces(field.Places)
		k.Reads = append(k.Reads, *field)
	}
}

func comparePositions(a, b token.Position) int {
	return cmp.Or(strings.Compare(a.Filename, b.Filename), a.Line-b.Line, a.Column-b.Column)
}

func sortedPositions(list []token.Position) []token.Position {
	slices.SortFunc(list, comparePositions)
	return slices.Compact(list)
}

func sortedPlaces(list []Place) []Place {
	slices.SortFunc(list, func(a, b Place) int {
		return cmp.Or(comparePositions(a.Position, b.Position), cmp.Compare(a.Reason, b.Reason))
	})
	return slices.Compact(list)
}
