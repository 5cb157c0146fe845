// Package deepcopy plans deepcopy functions from the source of types.
//
// [Plan] plans the functions of packages, as deepcopy-gen v0.37 generates them for its own
// markers and for controller-gen's. What it needs to know of other packages, it reads there: whether
// a type has functions, by hand or generated, or is a plain value, which assigning copies. A value that
// cannot be copied is an error at its field.
//
// Views need no markers: they and the structs of their package that they contain have functions. Their structs need no names.
//
// Functions of the packages of the run do not count as existing: this run generates them.
package deepcopy

import (
	"errors"
	"go/token"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/kubemarker"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/internal/parallel"
	"github.com/listwatch/listwatch/generators/internal/resolve"
	"github.com/listwatch/listwatch/generators/model"
)

// Plan returns the functions of packages by import path; none of those without markers about them. With extended, markers
// of packages are read in all files; with views, those of views, too.
func Plan(packages []*load.Package, resolver *resolve.Resolver, extended, views bool, diags *diag.List) map[string]*model.Copies {
	p := &planner{
		resolver: resolver, diags: diags, extended: extended, views: views,
		run: map[*load.Package]bool{}, packages: map[*load.Package]*markers{},
		custom: map[*resolve.Type]*custom{}, plain: map[*resolve.Type]bool{},
	}
	for _, pkg := range packages {
		p.run[pkg] = true
	}
	var wanted []*load.Package
	for _, pkg := range packages {
		if p.wants(pkg) {
			wanted = append(wanted, pkg)
		}
	}
	parallel.Each(len(wanted), func(i int) { wanted[i].Files(func(*load.File) bool { return true }, "type") })
	resolve.Ahead(wanted)
	plans := map[string]*model.Copies{}
	for _, pkg := range wanted {
		plans[pkg.Path] = p.plan(pkg)
	}
	return plans
}

// planner is the state of one call of Plan.
type planner struct {
	resolver *resolve.Resolver
	diags    *diag.List
	extended bool
	views    bool

	// current is the plan under construction.
	current *model.Copies
	// inView reports whether the current type is part of a view.
	inView   bool
	run      map[*load.Package]bool
	packages map[*load.Package]*markers
	custom   map[*resolve.Type]*custom
	plain    map[*resolve.Type]bool
}

// markers are the markers in a package.
type markers struct {
	pkg   marker.CopyPackage
	types map[*load.Type]marker.CopyType
	// views are the views, and the structs that they contain.
	views map[*load.Type]bool
}

// markers returns the markers in a package. Those of the packages of the run are checked.
func (p *planner) markers(pkg *load.Package) *markers {
	if m := p.packages[pkg]; m != nil {
		return m
	}
	diags := p.diags
	if !p.run[pkg] {
		diags = new(diag.List)
	}
	m := &markers{types: map[*load.Type]marker.CopyType{}, views: map[*load.Type]bool{}}
	p.packages[pkg] = m
	var doc, other []load.Line
	pkg.Files(func(f *load.File) bool {
		free, _ := kubemarker.Split(f)
		for _, group := range f.Syntax.Comments {
			switch {
			case f.Base() == "doc.go":
				doc = append(doc, f.Lines(group)...)
			case group.End() < f.Syntax.Package:
				other = append(other, f.Lines(group)...)
			case slices.Contains(free, group) && !slices.ContainsFunc(f.Types(), func(t *load.Type) bool { return slices.Contains(t.Comments, group) }):
				other = append(other, marker.ObjectLines(f.Lines(group))...)
			}
		}
		for _, t := range f.Types() {
			lines := t.Lines()
			if p.extended {
				lines = t.OwnLines()
			}
			if parsed := marker.ParseCopyType(lines, diags); parsed.At.IsValid() {
				m.types[t] = parsed
			}
			if at, ok := marker.IsView(t.OwnLines()); ok && p.views {
				p.view(m, t, at)
			}
		}
		return true
	}, append(slices.Clip(marker.CopyWords), "+"+marker.ViewName)...)
	m.pkg = marker.ParseCopyPackage(doc, other, p.extended, diags)
	return m
}

// wants reports whether the markers ask for the functions of a type.
func (m *markers) wants(t *load.Type) bool {
	own := m.types[t]
	if own.Off || own.NoObject {
		return false
	}
	return own.Object || m.pkg.Objects || own.Root || !m.pkg.Off && (own.On || m.pkg.All)
}

// wants reports whether a package of the run has markers about deepcopy functions.
func (p *planner) wants(pkg *load.Package) bool {
	m := p.markers(pkg)
	return m.pkg.Any() || len(m.types) > 0
}

// plan returns the functions of a package of the run.
func (p *planner) plan(pkg *load.Package) *model.Copies {
	m := p.markers(pkg)
	copies := &model.Copies{}
	p.current = copies
	pkg.Files(func(f *load.File) bool {
		for _, t := range f.Types() {
			if !m.wants(t) || !p.copyable(t, m) {
				continue
			}
			if c := p.typ(t, m.types[t]); c != nil {
				copies.Types = append(copies.Types, c)
			}
		}
		return true
	}, "type")
	slices.SortFunc(copies.Types, func(a, b *model.CopiedType) int { return strings.Compare(a.Name, b.Name) })
	p.name(pkg, copies)
	return copies
}

// copyable reports whether a type can have functions: exported structs, maps and slices, and other
// types that have one of them by hand.
func (p *planner) copyable(decl *load.Type, m *markers) bool {
	own := m.types[decl]
	explicit := (own.On && !m.pkg.All) || own.Object
	if decl.Spec.Assign.IsValid() {
		if own.On || own.Object || len(own.Interfaces) > 0 {
			p.diags.Warnf(own.At, "marker is ignored because type %s is an alias; move it to the type that it refers to", decl.Name)
		}
		return false
	}
	if !token.IsExported(decl.Name) {
		if explicit {
			p.diags.Errorf(own.At, "type %s is not exported, so no deepcopy functions can be generated for it; export it, or remove the marker", decl.Name)
		}
		return false
	}
	t := p.resolver.Decl(decl)
	switch kind := t.Kind(); kind {
	case resolve.Struct, resolve.Map, resolve.Slice:
		return true
	case resolve.Unknown:
		p.unknown(t, decl.Pos(), "exclude the type with +k8s:deepcopy-gen=false")
	case resolve.Basic:
		if p.methods(t, decl.Pos()) != nil {
			return true
		}
		fallthrough
	default:
		if explicit {
			p.diags.Errorf(own.At, "type %s is neither a struct nor a map or slice, so no deepcopy functions can be generated for it; remove the marker", decl.Name)
		}
	}
	return false
}

// typ returns the functions of a type, or nil if all of them are written by hand.
func (p *planner) typ(decl *load.Type, own marker.CopyType) *model.CopiedType {
	t := p.resolver.Decl(decl)
	kind := t.Kind()
	p.inView = p.markers(decl.File.Package).views[decl]
	c := &model.CopiedType{Name: decl.Name + params(decl), Reference: kind == resolve.Map || kind == resolve.Slice, Method: true, Pos: decl.Pos()}
	hand := p.methods(t, decl.Pos())
	switch {
	case hand == nil && kind == resolve.Struct:
		c.Into = p.structure(t, decl)
	case hand == nil:
		c.Into = p.literal(t, decl.Pos())
	case hand.copies && !hand.copiesInto && hand.pointer:
		c.Into = &model.Copy{Form: model.CopyPointerMethod}
	case hand.copies && !hand.copiesInto:
		c.Into = &model.Copy{Form: model.CopyMethod}
	}
	c.Method = hand == nil || !hand.copies
	c.ByValue = own.NonPointer
	c.Objects = p.objects(t, own, hand)
	if c.Into == nil && !c.Method && len(c.Objects) == 0 {
		return nil
	}
	return c
}

// params returns the names of a generic type's parameters in brackets.
func params(decl *load.Type) string {
	if decl.Spec.TypeParams == nil {
		return ""
	}
	var names []string
	for _, field := range decl.Spec.TypeParams.List {
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// runtimePath is the package of the interface Object.
const runtimePath = "k8s.io/apimachinery/pkg/runtime"

// objects returns the interfaces for which functions are generated: those of the markers, each once.
// As controller-gen does, it leaves out Object for kinds by its marker whose DeepCopy is written by
// hand.
func (p *planner) objects(t *resolve.Type, own marker.CopyType, hand *custom) []model.TypeRef {
	list := own.Interfaces
	if own.Root && (hand == nil || !hand.copies) {
		list = append(slices.Clone(list), marker.CopyInterface{Path: runtimePath, Name: "Object", Pos: own.At})
	}
	var refs []model.TypeRef
	for _, i := range list {
		if t.Kind() != resolve.Struct {
			p.diags.Warnf(i.Pos, "marker is ignored because type %s is not a struct; remove it", t.Name())
			return nil
		}
		ref := model.TypeRef{Package: model.Package{Path: i.Path}, Name: i.Name}
		if !slices.Contains(refs, ref) && p.isInterface(t.Decl().File.Package, i) && !p.byHand(t, "DeepCopy"+i.Name) {
			refs = append(refs, ref)
		}
	}
	slices.SortFunc(refs, func(a, b model.TypeRef) int {
		return strings.Compare(a.Package.Path+"."+a.Name, b.Package.Path+"."+b.Name)
	})
	return refs
}

// isInterface reports whether what a marker names is an interface, and adds an error if it is known
// not to be.
func (p *planner) isInterface(from *load.Package, i marker.CopyInterface) bool {
	pkg := from
	if i.Path != from.Path {
		var err error
		if pkg, err = from.Import(i.Path); err != nil {
			p.unread(i.Pos, err, "correct the import path")
			return false
		}
	}
	decl := pkg.Lookup(i.Name)
	if decl == nil {
		p.diags.Errorf(i.Pos, "interface %s is not declared in package %s", i.Name, i.Path)
		return false
	}
	if kind := p.resolver.Decl(decl).Kind(); kind != resolve.Interface {
		p.diags.Errorf(i.Pos, "%s.%s is not an interface; name the interface that the function returns", i.Path, i.Name)
		return false
	}
	return true
}

// unknown adds an error for a type that cannot be determined, with what can be done instead of
// downloading its package.
func (p *planner) unknown(t *resolve.Type, pos token.Position, instead string) {
	if err := t.Err(); errors.Is(err, load.ErrNotFound) {
		p.unread(pos, err, instead)
	} else {
		p.diags.Errorf(pos, "type %s cannot be copied: %v; correct the type, or %s", t, err, instead)
	}
}

// unread adds an error for a package that cannot be read. If other generators run too, it is a warning
// once for each package of the run, whose functions are left out.
func (p *planner) unread(pos token.Position, err error, instead string) {
	switch {
	case !p.extended:
		p.diags.Errorf(pos, "%v; download the module with go mod tidy or go mod download, or %s", err, instead)
	case !p.current.Unread:
		p.diags.Warnf(pos, "deepcopy functions of this package are not generated: %v; download the module with go mod tidy or go mod download", err)
	}
	p.current.Unread = true
}
