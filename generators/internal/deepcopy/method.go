package deepcopy

import (
	"go/token"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/resolve"
	"github.com/listwatch/listwatch/generators/model"
)

// custom are the functions of a type that are written by hand, or the method DeepCopy of an interface.
type custom struct {
	// copies and copiesInto report whether there are DeepCopy and DeepCopyInto.
	copies, copiesInto bool
	// pointer reports whether the receiver of DeepCopy is a pointer, and result whether it returns
	// one.
	pointer, result bool
}

// returnsPointer reports whether the type's DeepCopy returns a pointer, be it by hand or generated.
func (c *custom) returnsPointer(t *resolve.Type) bool {
	if c.copies {
		return c.result
	}
	kind := t.Kind()
	return kind != resolve.Map && kind != resolve.Slice && kind != resolve.Pointer
}

// methods returns the functions of a type that are written by hand, or nil if there are none. It adds
// an error at pos for those with another signature.
func (p *planner) methods(t *resolve.Type, pos token.Position) *custom {
	if t.Decl() == nil {
		return nil
	}
	known, ok := p.custom[t]
	if ok {
		return known
	}
	var c custom
	if m := p.hand(t, "DeepCopy"); m != nil {
		c.copies, c.pointer = true, m.Pointer
		c.result = len(m.Results) == 1 && pointsTo(m.Results[0], t)
		if len(m.Params) != 0 || len(m.Results) != 1 || !c.result && !same(m.Results[0], t) || t.Kind() != resolve.Interface && m.Pointer != c.result {
			want := "func (in " + t.Name() + ") DeepCopy() " + t.Name()
			if m.Pointer {
				want = "func (in *" + t.Name() + ") DeepCopy() *" + t.Name()
			}
			p.diags.Errorf(p.at(m, pos), "method DeepCopy of type %s must be declared as %s; change or rename it", t.Name(), want)
		}
	}
	if m := p.hand(t, "DeepCopyInto"); m != nil && t.Kind() != resolve.Interface {
		c.copiesInto = true
		if len(m.Params) != 1 || len(m.Results) != 0 || !pointsTo(m.Params[0], t) {
			p.diags.Errorf(p.at(m, pos), "method DeepCopyInto of type %s must be declared as func (in *%s) DeepCopyInto(out *%s); change or rename it", t.Name(), t.Name(), t.Name())
		}
	}
	result := &c
	if !c.copies && !c.copiesInto {
		result = nil
	}
	p.custom[t] = result
	return result
}

// same reports whether two types are one, whatever their arguments.
func same(a, b *resolve.Type) bool { return a.Decl() != nil && a.Decl() == b.Decl() }

// pointsTo reports whether a type is a pointer to another.
func pointsTo(pointer, t *resolve.Type) bool {
	return pointer.Decl() == nil && pointer.Kind() == resolve.Pointer && same(pointer.Elem(), t)
}

// at returns the position of a method in messages: its own, or pos if it is in another module.
func (p *planner) at(m *resolve.Method, pos token.Position) token.Position {
	if m.File != nil && p.run[m.File.Package] {
		return m.Pos
	}
	return pos
}

// hand returns a method that is written by hand, or nil. An interface that cannot be read has none.
func (p *planner) hand(t *resolve.Type, name string) *resolve.Method {
	m, err := t.Method(name)
	if err != nil || m == nil || m.Excluded || m.File != nil && m.File.Base() == model.CopiesFile {
		return nil
	}
	return m
}

// byHand reports whether a type has a method that is written by hand.
func (p *planner) byHand(t *resolve.Type, name string) bool { return p.hand(t, name) != nil }

// hasFunctions reports whether a struct has a DeepCopyInto: by hand, by this run, or in a generated
// file of another package.
func (p *planner) hasFunctions(t *resolve.Type) bool {
	decl := t.Decl()
	if decl == nil {
		return false
	}
	pkg := decl.File.Package
	if !p.run[pkg] {
		if m, err := t.Method("DeepCopyInto"); err != nil || m != nil {
			return true
		}
	}
	return p.methods(t, decl.Pos()) != nil || token.IsExported(decl.Name) && p.markers(pkg).wants(decl)
}

// name gives the packages of all types in the functions of a package their import names.
func (p *planner) name(pkg *load.Package, copies *model.Copies) {
	var paths []string
	misleading := map[string]bool{} // last elements of import paths that are not the packages' names
	refs := func(f func(ref *model.TypeRef)) {
		copies.Walk(func(t *model.Type) { f(&t.Ref) })
		for _, t := range copies.Types {
			for i := range t.Objects {
				f(&t.Objects[i])
			}
		}
	}
	refs(func(ref *model.TypeRef) {
		if path := ref.Package.Path; path == pkg.Path {
			ref.Package = model.Package{} // the file's own
		} else if path != "" {
			paths = append(paths, path)
			if other, err := pkg.Import(path); err == nil && other.Name != lastElement(path) {
				misleading[lastElement(path)] = true
			}
		}
	})
	slices.Sort(paths)
	names := model.ImportNames(slices.Compact(paths), func(name string) bool {
		return slices.Contains(locals, name) || misleading[name] || pkg.Declares(name) || pkg.Lookup(name) != nil
	})
	refs(func(ref *model.TypeRef) {
		if ref.Package.Path != "" {
			ref.Package.Alias = names[ref.Package.Path]
		}
	})
}

func lastElement(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// locals are the variables of the functions, and the methods of their receivers.
var locals = strings.Fields("in out key val outVal i x c clone")
