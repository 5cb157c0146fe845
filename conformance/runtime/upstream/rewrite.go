package upstream

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// source is a Go file of a package, rewritten.
type source struct {
	name   string // without a directory
	text   []byte
	syntax *ast.File
	given  bool // nothing of it may be dropped
}

// rewritten is a package of client-go in the form that is compiled: its tests, and its other files
// too if it is taken whole.
type rewritten struct {
	path  string // below k8s.io/client-go
	whole bool
	dir   string // of its source
	fset  *token.FileSet
	// By the names in package clauses: the package itself, and its external tests.
	sources map[string][]*source
	tests   Tests
}

// importPath returns the import path of a rewritten package of client-go. Its last element names
// the package's test binary.
func importPath(path string) string { return below + strings.ReplaceAll(path, "/", "_") }

// rewrite reads a package of client-go and replaces imports. standIn, if given, is imported with a
// dot: for the compiler, its exported names belong to the package, and the package's other names do
// not exist.
func rewrite(fset *token.FileSet, dir, path, stand string, replace func(string) string) (*rewritten, error) {
	r := &rewritten{
		path: path, whole: stand == "", dir: filepath.Join(dir, filepath.FromSlash(path)),
		fset: fset, sources: map[string][]*source{},
	}
	entries, err := os.ReadDir(r.dir)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		name := entry.Name()
		if filepath.Ext(name) != ".go" || !r.whole && !strings.HasSuffix(name, "_test.go") {
			continue
		}
		if match, err := build.Default.MatchFile(r.dir, name); err != nil || !match {
			continue
		}
		text, err := os.ReadFile(filepath.Join(r.dir, name))
		if err != nil {
			return nil, err
		}
		clause, err := parser.ParseFile(token.NewFileSet(), name, text, parser.PackageClauseOnly)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		changed, err := replaceImports(name, string(text), replace)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if stand != "" && !strings.HasSuffix(clause.Name.Name, "_test") {
			// On the line of the package clause, so that lines keep their numbers.
			after := int(clause.Name.End() - clause.FileStart)
			changed = changed[:after] + fmt.Sprintf("; import . %q", stand) + changed[after:]
		}
		s := &source{name: name, text: []byte(changed)}
		s.given = !strings.HasSuffix(name, "_test.go")
		if err := r.parse(s); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// parse parses a file and adds it to the package.
func (r *rewritten) parse(s *source) (err error) {
	s.syntax, err = parser.ParseFile(r.fset, r.path+"/"+s.name, s.text, parser.SkipObjectResolution|parser.ParseComments)
	if err == nil {
		name := s.syntax.Name.Name
		r.sources[name] = append(r.sources[name], s)
	}
	return err
}

// standIn adds a file that declares, using ours, names that client-go has and ours does not export.
// Declarations of these names in tests are removed. An alias of an interface may replace a struct:
// type assertions to a pointer to it become assertions to the interface.
func (r *rewritten) standIn(text []byte) error {
	in := &source{name: "standin_test.go", text: text, given: true}
	if err := r.parse(in); err != nil {
		return err
	}
	declared := map[string]bool{}
	for _, u := range unitsOf(in) {
		for _, name := range u.names {
			declared[name] = !u.imports
		}
	}
	for _, s := range r.sources[in.syntax.Name.Name] {
		if s == in {
			continue
		}
		for _, u := range unitsOf(s) {
			if !u.imports && slices.ContainsFunc(u.names, func(name string) bool { return declared[name] }) {
				s.cut(r.fset, u.node)
			}
		}
		ast.Inspect(s.syntax, func(node ast.Node) bool {
			if assertion, ok := node.(*ast.TypeAssertExpr); ok {
				if pointer, ok := assertion.Type.(*ast.StarExpr); ok && isAlias(in, pointer.X) {
					s.text[r.fset.Position(pointer.Star).Offset] = ' '
					assertion.Type = pointer.X
				}
			}
			return true
		})
	}
	return nil
}

// isAlias reports whether an expression is the name of an alias that a file declares.
func isAlias(s *source, expr ast.Expr) bool {
	name, ok := expr.(*ast.Ident)
	return ok && slices.ContainsFunc(unitsOf(s), func(u unit) bool {
		if group, ok := u.node.(*ast.GenDecl); ok {
			alias, ok := group.Specs[0].(*ast.TypeSpec)
			return ok && alias.Assign.IsValid() && alias.Name.Name == name.Name
		}
		return false
	})
}

// imports returns the import paths of all files.
func (r *rewritten) imports() []string {
	var paths []string
	for _, sources := range r.sources {
		for _, s := range sources {
			for _, spec := range s.syntax.Imports {
				paths = append(paths, strings.Trim(spec.Path.Value, `"`))
			}
		}
	}
	return paths
}

// cut removes a declaration, or a part of one, from a file. Its lines stay, empty, so that failures
// have client-go's line numbers.
func (s *source) cut(fset *token.FileSet, node ast.Node) {
	from, to := node.Pos(), node.End()
	if doc := docOf(node); doc != nil {
		from = doc.Pos()
	}
	for i := fset.Position(from).Offset; i < fset.Position(to).Offset; i++ {
		if s.text[i] != '\n' {
			s.text[i] = ' '
		}
	}
	s.syntax.Decls = slices.DeleteFunc(s.syntax.Decls, func(decl ast.Decl) bool {
		if group, ok := decl.(*ast.GenDecl); ok && decl != node {
			group.Specs = slices.DeleteFunc(group.Specs, func(spec ast.Spec) bool { return spec == node })
		}
		return decl == node
	})
}

func docOf(node ast.Node) *ast.CommentGroup {
	switch node := node.(type) {
	case *ast.FuncDecl:
		return node.Doc
	case *ast.GenDecl:
		return node.Doc
	case *ast.TypeSpec:
		return node.Doc
	case *ast.ValueSpec:
		return node.Doc
	}
	return nil
}
