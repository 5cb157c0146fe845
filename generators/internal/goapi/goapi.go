// Package goapi compares the exported declarations of two states of Go packages, by syntax.
//
// It reports what can keep code that uses the packages from compiling: declarations that are gone, and
// types, fields, signatures that changed. Of fields, it also compares how they are written in JSON. New
// declarations are no change. Nothing is type-checked: types are compared by their names and packages.
package goapi

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/resolve"
	"github.com/listwatch/listwatch/internal/breaking"
)

// Comparison compares packages. Before and After resolve the types of the two states.
type Comparison struct {
	Before, After *resolve.Resolver
	// Changes are in the order of the packages that were compared, and sorted by name.
	Changes []breaking.Change
}

// Package compares two states of a package. After is nil if it does not exist any more.
func (c *Comparison) Package(before, after *load.Package) {
	if after == nil {
		c.Changes = append(c.Changes, breaking.Change{
			Effect: breaking.Go, Package: before.Path, Removed: true,
			Text: "package is removed; code that imports it does not compile; keep it, or release a new major version",
			Pos:  before.Pos(),
		})
		return
	}
	if before.Path != after.Path {
		c.Changes = append(c.Changes, breaking.Change{
			Effect: breaking.Go, Package: before.Path,
			Text: fmt.Sprintf("import path changed to %s; code that imports it does not compile; tell its users", after.Path),
			Pos:  after.Pos(),
		})
	}
	p := pair{Comparison: c, before: before, after: after}
	after.Files(func(f *load.File) bool {
		p.types = append(p.types, f.Types()...)
		return true
	})
	before.Files(func(f *load.File) bool {
		for _, t := range f.Types() {
			if ast.IsExported(t.Name) {
				p.compareType(t)
			}
		}
		for _, decl := range f.Syntax.Decls {
			p.compareValues(f, decl)
		}
		return true
	})
}

// pair compares one package.
type pair struct {
	*Comparison
	before, after *load.Package
	types         []*load.Type // of after
}

// add adds a change at a declaration of the new state.
func (p *pair) add(pos token.Position, effect breaking.Effect, declaration, format string, args ...any) {
	p.Changes = append(p.Changes, breaking.Change{Effect: effect, Package: p.after.Path, Declaration: declaration, Text: fmt.Sprintf(format, args...), Pos: pos})
}

// gone adds a change at a declaration of the old state.
func (p *pair) gone(pos token.Position, declaration, format string, args ...any) {
	p.add(pos, breaking.Go, declaration, format, args...)
	change := &p.Changes[len(p.Changes)-1]
	change.Package, change.Removed = p.before.Path, true
}

const keep = "keep it, or release a new major version"

func (p *pair) compareType(was *load.Type) {
	i := slices.IndexFunc(p.types, func(t *load.Type) bool { return t.Name == was.Name })
	if i < 0 {
		p.gone(was.Pos(), was.Name, "type is removed; code that uses it does not compile; %s", keep)
		return
	}
	is := p.types[i]
	if was.Spec.TypeParams != nil || is.Spec.TypeParams != nil {
		if a, b := bare(was.File.Source(was.Spec)), bare(is.File.Source(is.Spec)); a != b {
			p.add(is.Pos(), breaking.Go, is.Name, "generic type changed; code that instantiates it may not compile; %s", keep)
		}
		return
	}
	before, after := p.Before.Expr(was.File, was.Spec.Type), p.After.Expr(is.File, is.Spec.Type)
	_, wasStruct := was.Spec.Type.(*ast.StructType)
	_, isStruct := is.Spec.Type.(*ast.StructType)
	switch {
	case wasStruct && isStruct:
		p.compareFields(was.Name, before, after)
	case wasStruct != isStruct || bare(p.text(before)) != bare(after.String()):
		if a, b := outline(before), outline(after); a == b {
			p.add(is.Pos(), breaking.Go|shapes(before, after), is.Name, "type changed, which is %s; code that uses it may not compile; %s", a, keep)
			return
		}
		p.add(is.Pos(), breaking.Go|shapes(before, after), is.Name, "type changed from %s to %s; code that uses it may not compile; %s", outline(before), outline(after), keep)
	}
}

// text returns a type of the old state with the new path of the package.
func (p *pair) text(t *resolve.Type) string {
	return strings.ReplaceAll(t.String(), p.before.Path+".", p.after.Path+".")
}

// bare returns the source of a type without comments, on one line.
func bare(text string) string {
	return strings.Join(strings.Fields(comments.ReplaceAllString(text, "")), " ")
}

var comments = regexp.MustCompile(`//[^\n]*|(?s:/\*.*?\*/)`)

// outline returns a type as a message shows it.
func outline(t *resolve.Type) string {
	switch {
	case t.Expr() != nil && t.Kind() == resolve.Struct:
		return "a struct"
	case t.Expr() != nil && t.Kind() == resolve.Interface:
		return "an interface"
	}
	text := t.String()
	if i := strings.LastIndexByte(text, '/'); i >= 0 && !strings.ContainsAny(text, "[*(") {
		return path.Base(text)
	}
	return text
}

func (p *pair) compareFields(name string, before, after *resolve.Type) {
	for _, was := range before.Fields() {
		if !ast.IsExported(was.Name) {
			continue
		}
		subject := name + "." + was.Name
		is := after.Field(was.Name)
		if is == nil {
			if twin := renamed(was, before, after); twin != nil {
				p.add(twin.Pos, breaking.Go, subject, "field is renamed to %s; code that uses it does not compile; %s", twin.Name, keep)
				continue
			}
			p.gone(was.Pos, subject, "field is removed; code that uses it does not compile; %s", keep)
			if _, tagged := reflect.StructTag(was.Tag).Lookup("json"); tagged && (was.Embedded || jsonName(was) != "") {
				p.Changes[len(p.Changes)-1].Effect |= breaking.Clients | breaking.Objects
			}
			continue
		}
		if a, b := p.text(was.Type), is.Type.String(); a != b {
			p.add(is.Pos, breaking.Go|shapes(was.Type, is.Type), subject, "type changed from %s to %s; code that uses it does not compile; add a new field instead", outline(was.Type), outline(is.Type))
		}
		if a, b := jsonName(was), jsonName(is); a != b {
			p.add(is.Pos, breaking.Clients|breaking.Objects, subject, "JSON name changed from %s; clients and stored objects have the old name, whose value is dropped; keep the name", pairText(a, b))
		}
	}
}

func pairText(a, b string) string { return show(a) + " to " + show(b) }

func show(name string) string {
	if name == "" {
		return "none"
	}
	return `"` + name + `"`
}

// renamed returns the new field that has the JSON name of a removed one, or nil.
func renamed(was *resolve.Field, before, after *resolve.Type) *resolve.Field {
	for _, f := range after.Fields() {
		if before.Field(f.Name) == nil && jsonName(f) == jsonName(was) && jsonName(was) != "" {
			return f
		}
	}
	return nil
}

// jsonName returns the name of a field in JSON; empty if it has none.
func jsonName(f *resolve.Field) string {
	tag, tagged := reflect.StructTag(f.Tag).Lookup("json")
	name, options, _ := strings.Cut(tag, ",")
	switch {
	case tag == "-":
		return ""
	case name != "":
		return name
	case f.Embedded && (!tagged || name == "" || strings.Contains(options, "inline")):
		return ""
	}
	return f.Name
}

// shapes returns what it breaks that values are written differently in JSON.
func shapes(before, after *resolve.Type) breaking.Effect {
	a, b := shape(before, 0), shape(after, 0)
	if a == b || a == "" || b == "" {
		return 0
	}
	return breaking.Clients | breaking.Objects
}

// shape returns the form of a type in JSON; empty if it is not known.
func shape(t *resolve.Type, depth int) string {
	const deep = 20
	if depth > deep {
		return ""
	}
	if t.Decl() != nil {
		for _, name := range []string{"MarshalJSON", "MarshalText"} {
			if m, err := t.Method(name); m != nil || err != nil {
				return ""
			}
		}
	}
	switch t.Kind() {
	case resolve.Pointer:
		return shape(t.Elem(), depth+1)
	case resolve.Slice, resolve.Array:
		if e := t.Elem().Underlying(); e.Name() == "byte" || e.Name() == "uint8" {
			return "string"
		}
		return "[" + shape(t.Elem(), depth+1) + "]"
	case resolve.Map:
		return "object"
	case resolve.Struct:
		return "object"
	case resolve.Basic:
		switch name := t.Underlying().Name(); {
		case name == "string" || name == "bool":
			return name
		case strings.HasPrefix(name, "float"):
			return "number"
		default:
			return "integer"
		}
	}
	return ""
}

// compareValues compares functions, methods, variables and constants.
func (p *pair) compareValues(f *load.File, decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		p.compareFunc(f, decl)
	case *ast.GenDecl:
		if decl.Tok != token.VAR && decl.Tok != token.CONST {
			return
		}
		for _, spec := range decl.Specs {
			for i, name := range spec.(*ast.ValueSpec).Names {
				if ast.IsExported(name.Name) {
					p.compareValue(f, decl.Tok, spec.(*ast.ValueSpec), i)
				}
			}
		}
	}
}

func (p *pair) compareValue(f *load.File, tok token.Token, was *ast.ValueSpec, i int) {
	name := was.Names[i]
	is, file, at := p.value(name.Name)
	switch {
	case is == nil && p.after.Declares(name.Name): // as a function, or in a generated file
	case is == nil:
		p.gone(p.before.Position(name.Pos()), name.Name, "%s is removed; code that uses it does not compile; %s", tok, keep)
	case tok == token.CONST && i < len(was.Values) && at < len(is.Values):
		a, b := f.Source(was.Values[i]), file.Source(is.Values[at])
		if _, literal := was.Values[i].(*ast.BasicLit); literal && a != b {
			p.add(p.after.Position(is.Names[at].Pos()), breaking.Clients, name.Name, "value changed from %s to %s; clients that were built earlier send and expect the old one; add a new constant", a, b)
		}
	}
}

// value returns the new declaration of a variable or constant, and the index of its name there.
func (p *pair) value(name string) (found *ast.ValueSpec, file *load.File, at int) {
	p.after.Files(func(f *load.File) bool {
		for _, decl := range f.Syntax.Decls {
			g, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range g.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					if i := slices.IndexFunc(v.Names, func(n *ast.Ident) bool { return n.Name == name }); i >= 0 {
						found, file, at = v, f, i
					}
				}
			}
		}
		return found == nil
	}, name)
	return found, file, at
}

func (p *pair) compareFunc(f *load.File, was *ast.FuncDecl) {
	subject := was.Name.Name
	receiver := ""
	if was.Recv != nil && len(was.Recv.List) == 1 {
		receiver = strings.TrimLeft(f.Source(was.Recv.List[0].Type), "*")
		receiver, _, _ = strings.Cut(receiver, "[")
		subject = receiver + "." + subject
	}
	if !ast.IsExported(was.Name.Name) || receiver != "" && (!ast.IsExported(receiver) || !slices.ContainsFunc(p.types, func(t *load.Type) bool { return t.Name == receiver })) {
		return
	}
	var is *ast.FuncDecl
	var file *load.File
	if receiver != "" {
		if m := p.after.Method(receiver, was.Name.Name); m != nil {
			is, file = m.Decl, m.File
		}
	} else {
		is, file = p.function(was.Name.Name)
		if is == nil && p.after.Declares(was.Name.Name) {
			return // as a variable, or in a generated file
		}
	}
	switch {
	case is == nil:
		p.gone(p.before.Position(was.Name.Pos()), subject, "function is removed; code that uses it does not compile; %s", keep)
	case signature(f, was) != signature(file, is):
		p.add(p.after.Position(is.Name.Pos()), breaking.Go, subject, "signature changed from %s to %s; calls may not compile; %s", signature(f, was), signature(file, is), keep)
	}
}

func (p *pair) function(name string) (found *ast.FuncDecl, file *load.File) {
	p.after.Files(func(f *load.File) bool {
		for _, decl := range f.Syntax.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name == name {
				found, file = d, f
			}
		}
		return found == nil
	}, name)
	return found, file
}

// signature returns the types of a function's parameters and results.
func signature(f *load.File, d *ast.FuncDecl) string {
	var b strings.Builder
	for i, list := range []*ast.FieldList{d.Type.TypeParams, d.Type.Params, d.Type.Results} {
		if list == nil {
			continue
		}
		var types []string
		for _, field := range list.List {
			for range max(1, len(field.Names)) {
				types = append(types, f.Source(field.Type))
			}
		}
		open, end := "(", ")"
		switch i {
		case 0:
			open, end = "[", "]"
		case 2:
			open = " ("
		}
		b.WriteString(open + strings.Join(types, ", ") + end)
	}
	return "func" + b.String()
}
