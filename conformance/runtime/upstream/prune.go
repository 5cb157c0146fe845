package upstream

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unit is what is retained or dropped as one: a function, a type, a variable, an import, a group of
// constants.
type unit struct {
	source *source
	node   ast.Node
	names  []string // that it declares; for a method the type's name, a dot, and its own name

	test, imports bool
}

// pruner drops what does not compile from the files of one package, until the rest compiles.
type pruner struct {
	fset  *token.FileSet
	check func(files []*ast.File) []types.Error
	units []unit // that are left
	// What dropped names lack, excluding methods that are dropped with their types; and what tests
	// lack.
	lacking map[string][]string
	lost    map[string][]string
}

// prune drops what does not compile from the files of a package, and returns the tests that are
// left, and for the others what they lack.
func prune(fset *token.FileSet, sources []*source, check func([]*ast.File) []types.Error) (kept []string, lost map[string][]string, err error) {
	p := &pruner{fset: fset, check: check, lacking: map[string][]string{}, lost: map[string][]string{}}
	for _, s := range sources {
		p.units = append(p.units, unitsOf(s)...)
	}
	for {
		var files []*ast.File
		for _, s := range sources {
			files = append(files, s.syntax)
		}
		faults := check(files)
		if len(faults) == 0 {
			break
		}
		if err := p.drop(faults); err != nil {
			return nil, nil, err
		}
	}
	for _, u := range p.units {
		if u.test {
			kept = append(kept, u.names...)
		}
	}
	return kept, p.lost, nil
}

// drop drops the units with errors.
func (p *pruner) drop(faults []types.Error) error {
	lacks := map[ast.Node][]string{}
	for _, fault := range faults {
		i := slices.IndexFunc(p.units, func(u unit) bool { return u.node.Pos() <= fault.Pos && fault.Pos < u.node.End() })
		if i < 0 || p.units[i].source.given {
			return fmt.Errorf("%s: error in a declaration that cannot be dropped: %w", p.fset.Position(fault.Pos), fault)
		}
		lacks[p.units[i].node] = append(lacks[p.units[i].node], p.lack(fault)...)
	}
	for _, u := range p.units {
		why, ok := lacks[u.node]
		if !ok {
			continue
		}
		slices.Sort(why)
		why = slices.Compact(why)
		for _, name := range u.names {
			if u.test {
				p.lost[name] = why
			} else {
				name = name[strings.LastIndex(name, ".")+1:]
				p.lacking[name] = append(p.lacking[name], why...)
			}
		}
		u.source.cut(p.fset, u.node)
	}
	p.units = slices.DeleteFunc(p.units, func(u unit) bool { _, gone := lacks[u.node]; return gone })
	return nil
}

// lacks matches the compiler's errors about missing names.
var lacks = regexp.MustCompile(`^undefined: (\S+)$` +
	`|has no field or method (\w+)` +
	`|cannot refer to unexported (?:field|method) (?:\w+\.)*(\w+)` +
	`|unknown field (\w+) in struct literal` +
	`|could not import (\S+)`)

// lack returns what is missing at the position of an error: names, or the compiler's message. What
// a dropped declaration lacks is missing for its users as well.
func (p *pruner) lack(fault types.Error) []string {
	if strings.Contains(fault.Msg, "imported and not used") {
		return nil
	}
	match := lacks.FindStringSubmatch(fault.Msg)
	if match == nil {
		first, _, _ := strings.Cut(fault.Msg, "\n")
		return []string{first}
	}
	name := cmp.Or(match[1:]...)
	if why, ok := p.lacking[name]; ok {
		return why
	}
	return []string{name}
}

func unitsOf(s *source) []unit {
	var units []unit
	for _, decl := range s.syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			units = append(units, unit{source: s, node: decl, names: []string{nameOf(decl)}, test: isTest(decl)})
		case *ast.GenDecl:
			if decl.Tok == token.CONST || !decl.Lparen.IsValid() {
				u := unit{source: s, node: decl, imports: decl.Tok == token.IMPORT}
				for _, spec := range decl.Specs {
					u.names = append(u.names, namesOf(spec)...)
				}
				units = append(units, u)
				continue
			}
			for _, spec := range decl.Specs {
				units = append(units, unit{source: s, node: spec, names: namesOf(spec), imports: decl.Tok == token.IMPORT})
			}
		}
	}
	return units
}

func nameOf(decl *ast.FuncDecl) string {
	if decl.Recv == nil {
		return decl.Name.Name
	}
	receiver := decl.Recv.List[0].Type
	for {
		switch of := receiver.(type) {
		case *ast.Ident:
			return of.Name + "." + decl.Name.Name
		case *ast.StarExpr:
			receiver = of.X
		case *ast.IndexExpr:
			receiver = of.X
		default:
			return decl.Name.Name
		}
	}
}

func namesOf(spec ast.Spec) []string {
	var names []string
	switch spec := spec.(type) {
	case *ast.ImportSpec:
		if spec.Name != nil {
			return []string{spec.Name.Name}
		}
		path := strings.Trim(spec.Path.Value, `"`)
		return []string{path[strings.LastIndex(path, "/")+1:]}
	case *ast.TypeSpec:
		return []string{spec.Name.Name}
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			names = append(names, name.Name)
		}
	}
	return names
}

// isTest reports whether a function is a test, as the go command does.
func isTest(f *ast.FuncDecl) bool {
	rest, ok := strings.CutPrefix(f.Name.Name, "Test")
	first, _ := utf8.DecodeRuneInString(rest)
	return ok && f.Recv == nil && f.Name.Name != "TestMain" && (rest == "" || !unicode.IsLower(first)) &&
		len(f.Type.Params.List) == 1
}

// checker type-checks rewritten packages, against each other and against compiled packages. It is a
// types.Importer.
type checker struct {
	fset     *token.FileSet
	compiled map[string]*types.Package
	whole    map[string]*rewritten // by import path
	checked  map[string]*types.Package
}

// Import implements types.Importer.
func (c *checker) Import(path string) (*types.Package, error) {
	if pkg := c.checked[path]; pkg != nil {
		return pkg, nil
	}
	if r := c.whole[path]; r != nil {
		return c.ofWhole(path, r)
	}
	if pkg := c.compiled[path]; pkg != nil {
		return pkg, nil
	}
	return nil, errors.New("not found")
}

// ofWhole type-checks a package that is taken whole, except its tests.
func (c *checker) ofWhole(path string, r *rewritten) (*types.Package, error) {
	var files []*ast.File
	for _, sources := range r.sources {
		for _, s := range sources {
			if s.given {
				files = append(files, s.syntax)
			}
		}
	}
	pkg, faults := c.check(path, files)
	if len(faults) > 0 {
		return nil, fmt.Errorf("%s does not compile: %w", r.path, faults[0])
	}
	c.checked[path] = pkg
	return pkg, nil
}

// check type-checks the files of a package.
func (c *checker) check(path string, files []*ast.File) (*types.Package, []types.Error) {
	var faults []types.Error
	conf := types.Config{Importer: c, Error: func(err error) {
		var fault types.Error
		if errors.As(err, &fault) {
			faults = append(faults, fault)
		}
	}}
	pkg, _ := conf.Check(path, c.fset, files, nil)
	return pkg, faults
}
