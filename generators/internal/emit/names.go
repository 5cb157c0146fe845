package emit

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
)

// names contains the declarations of generated packages, to find names that would not compile:
// generated names are derived from names in the input, and a few of these lead to the same name, or
// to one that generated code always has.
type names struct {
	diags    *diag.List
	packages map[string]*scope // by import path
}

// scope contains the declarations of one package.
type scope struct {
	path     string
	at       File            // one of its files, for messages
	declared map[string]File // by name
	types    map[string]*members
	files    []unit
	clashing map[string]bool // files with declarations that others have too, of which only one name is reported
}

// unit is a printed file.
type unit struct {
	File
	text   []byte
	syntax *ast.File
	// imports contains the paths of its imports, by name, and hidden the names that something else
	// in it also has.
	imports map[string]string
	hidden  []string
}

// newUnit returns a printed file.
func newUnit(f File, text []byte, syntax *ast.File) unit {
	imports := importNames(syntax)
	return unit{f, text, syntax, imports, hides(imports, syntax)}
}

// members are the fields and methods of a type.
type members struct {
	// own contains the type of each field or method, by name.
	own map[string]ast.Expr
	// embedded contains the types that an interface embeds.
	embedded []typeName
	at       File
}

// typeName is a type at the top level of a package.
type typeName struct{ pkg, name string }

// add adds the declarations of a file.
func (n *names) add(u unit) {
	f := u.File
	if n.packages == nil {
		n.packages = map[string]*scope{}
	}
	s := n.packages[f.PackagePath]
	if s == nil {
		s = &scope{path: f.PackagePath, at: f, declared: map[string]File{}, types: map[string]*members{}, clashing: map[string]bool{}}
		n.packages[f.PackagePath] = s
	}
	s.files = append(s.files, u)
	for _, decl := range u.syntax.Decls {
		for _, ident := range declared(decl) {
			if other, taken := s.declared[ident]; taken {
				if s.clashing[f.Path] {
					continue
				}
				s.clashing[f.Path] = true
				n.diags.Errorf(f.Pos, "%s and %s would both declare %s; rename one of the kinds, or give the group another name with +groupGoName", other.Path, f.Path, ident)
				continue
			}
			s.declared[ident] = f
		}
		n.addMembers(s, u, decl)
	}
}

// addMembers adds the members that a declaration gives to a type.
func (n *names) addMembers(s *scope, u unit, decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv != nil {
			n.addMember(s, u, receiver(decl), decl.Name.Name, decl.Type)
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			spec, ok := spec.(*ast.TypeSpec)
			if !ok {
				continue
			}
			var list *ast.FieldList
			switch t := spec.Type.(type) {
			case *ast.StructType:
				list = t.Fields
			case *ast.InterfaceType:
				list = t.Methods
			default:
				continue
			}
			for _, field := range list.List {
				for _, name := range field.Names {
					n.addMember(s, u, spec.Name.Name, name.Name, field.Type)
				}
				if len(field.Names) > 0 {
					continue
				}
				embedded := u.typeName(field.Type)
				if _, isStruct := spec.Type.(*ast.StructType); isStruct {
					n.addMember(s, u, spec.Name.Name, embedded.name, field.Type)
				} else {
					m := s.members(spec.Name.Name, u.File)
					m.embedded = append(m.embedded, embedded)
				}
			}
		}
	}
}

// addMember adds a field or method of a type.
func (n *names) addMember(s *scope, u unit, typ, name string, of ast.Expr) {
	m := s.members(typ, u.File)
	if _, taken := m.own[name]; taken {
		if s.clashing[u.Path] {
			return
		}
		n.diags.Errorf(u.Pos, "%s would have two members called %s in %s; rename the kind, method or group that brings the second", typ, name, u.Path)
		return
	}
	m.own[name] = of
}

func (s *scope) members(typ string, f File) *members {
	if s.types[typ] == nil {
		s.types[typ] = &members{own: map[string]ast.Expr{}, at: f}
	}
	return s.types[typ]
}

// check reports conflicts that are known only after all files are added.
func (n *names) check() {
	for _, at := range slices.Sorted(maps.Keys(n.packages)) {
		s := n.packages[at]
		for _, u := range s.files {
			for _, name := range slices.Sorted(maps.Keys(u.imports)) {
				if other, taken := s.declared[name]; taken {
					n.diags.Errorf(u.Pos, "%s would import %s as %s, which %s declares; give the group another name with +groupGoName", u.Path, u.imports[name], name, other.Path)
				}
			}
			for _, name := range u.hidden {
				n.diags.Errorf(u.Pos, "%s would use the name %s for a variable and for %s; give the group another name with +groupGoName", u.Path, name, u.imports[name])
			}
		}
		for _, typ := range slices.Sorted(maps.Keys(s.types)) {
			n.inherits(s, typ)
		}
		if via := n.cycle(s, s.path, nil); via != nil {
			n.diags.Errorf(s.at.Pos, "packages would import each other: %s; give the folder of the group another name", strings.Join(append(via, s.path), " imports "))
		}
	}
}

// inherits reports the methods that an interface would have with two types.
func (n *names) inherits(s *scope, typ string) {
	m := s.types[typ]
	has := maps.Clone(m.own)
	for _, e := range m.embedded {
		for _, name := range embeddedMethods[e] {
			if _, taken := m.own[name]; taken {
				n.diags.Errorf(m.at.Pos, "%s would have two methods called %s; give the kind another plural with --plural-exceptions", typ, name)
			}
		}
		other := n.packages[e.pkg]
		if other == nil || other.types[e.name] == nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(other.types[e.name].own)) {
			of := other.types[e.name].own[name]
			if known, ok := has[name]; ok && unqualified(known) != unqualified(of) {
				n.diags.Errorf(other.types[e.name].at.Pos, "%s would have two methods called %s; give the kind another plural with --plural-exceptions, or the group another name with +groupGoName", typ, name)
			}
			has[name] = of
		}
	}
}

// embeddedMethods are the methods of the runtime's interfaces that generated interfaces embed in
// addition to methods whose names come from the input. Package kinds rejects the names of verbs, and
// package model those of a factory's methods.
var embeddedMethods = map[typeName][]string{
	{runtimes[Listwatch]["listers"].path, "Lister"}: {"List"},
}

// unqualified returns a type as text without the names of packages, which depend on the file.
func unqualified(of ast.Expr) string {
	return qualifier.ReplaceAllString(types.ExprString(of), "")
}

var qualifier = regexp.MustCompile(`\w+\.`)

// hides returns the imports of a file that a parameter or variable of a function hides.
func hides(imports map[string]string, syntax *ast.File) []string {
	var names []string
	for _, decl := range syntax.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(f, func(node ast.Node) bool {
			for _, ident := range defined(node) {
				if _, taken := imports[ident.Name]; taken && !slices.Contains(names, ident.Name) {
					names = append(names, ident.Name)
				}
			}
			return true
		})
	}
	return names
}

// cycle returns the packages on the path from s to the package called back, starting with that one,
// or nil if s does not lead there.
func (n *names) cycle(s *scope, back string, seen map[string]bool) []string {
	if seen == nil {
		seen = map[string]bool{}
	}
	seen[s.path] = true
	for _, u := range s.files {
		for _, name := range slices.Sorted(maps.Keys(u.imports)) {
			p := u.imports[name]
			if p == back {
				return []string{s.path}
			}
			if next := n.packages[p]; next != nil && !seen[p] {
				if via := n.cycle(next, back, seen); via != nil {
					return append([]string{s.path}, via...)
				}
			}
		}
	}
	return nil
}

// importNames returns the paths that a file imports, by name.
func importNames(syntax *ast.File) map[string]string {
	imports := map[string]string{}
	for _, spec := range syntax.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		if spec.Name != nil {
			imports[spec.Name.Name] = p
		} else {
			imports[path.Base(p)] = p
		}
	}
	return imports
}

// declared returns the names that a declaration adds to its package.
func declared(decl ast.Decl) []string {
	var idents []string
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv == nil && decl.Name.Name != "init" {
			idents = append(idents, decl.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				idents = append(idents, spec.Name.Name)
			case *ast.ValueSpec:
				for _, ident := range spec.Names {
					if ident.Name != "_" {
						idents = append(idents, ident.Name)
					}
				}
			}
		}
	}
	return idents
}

// defined returns the parameters and variables that a node of a function defines.
func defined(node ast.Node) []*ast.Ident {
	var idents []*ast.Ident
	add := func(exprs ...ast.Expr) {
		for _, e := range exprs {
			if ident, ok := e.(*ast.Ident); ok {
				idents = append(idents, ident)
			}
		}
	}
	switch node := node.(type) {
	case *ast.FuncDecl:
		if node.Recv != nil {
			for _, f := range node.Recv.List {
				idents = append(idents, f.Names...)
			}
		}
	case *ast.FuncType:
		for _, list := range []*ast.FieldList{node.Params, node.Results} {
			if list == nil {
				continue
			}
			for _, f := range list.List {
				idents = append(idents, f.Names...)
			}
		}
	case *ast.AssignStmt:
		if node.Tok == token.DEFINE {
			add(node.Lhs...)
		}
	case *ast.RangeStmt:
		if node.Tok == token.DEFINE {
			add(node.Key, node.Value)
		}
	case *ast.ValueSpec:
		idents = append(idents, node.Names...)
	}
	return idents
}

// receiver returns the name of the type of a method.
func receiver(f *ast.FuncDecl) string {
	expr := f.Recv.List[0].Type
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	if ident, ok := expr.(*ast.Ident); ok {
		return ident.Name
	}
	return ""
}

// typeName returns the type that an expression in the file names, ignoring pointers and type
// arguments.
func (u unit) typeName(expr ast.Expr) typeName {
	switch e := expr.(type) {
	case *ast.StarExpr:
		return u.typeName(e.X)
	case *ast.IndexExpr:
		return u.typeName(e.X)
	case *ast.IndexListExpr:
		return u.typeName(e.X)
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			return typeName{u.imports[x.Name], e.Sel.Name}
		}
	case *ast.Ident:
		return typeName{u.PackagePath, e.Name}
	}
	return typeName{}
}
