// Package snippets finds the Go code in doc comments and documents, and type-checks it.
//
// # Terms
//
// A snippet is an indented block of the doc comment of an exported declaration or of a package that
// others can import, or a block of a document that is fenced as Go. It is a list of declarations, a list
// of statements, or an expression. Its import declarations and the variables of the code around it are
// left out; a [Context] has them. An ellipsis in place of a statement or in a block stands for more code.
//
// # Operations
//
// [InModule] and [InDocument] find snippets, [Context.Check] checks them.
package snippets

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Snippet is a piece of code in a text.
type Snippet struct {
	// Where names the text: the directory of a package and the name of a declaration, or a document and a line.
	Where string
	Text  string
}

// InModule returns the indented blocks of the doc comments in the module whose root is the directory module,
// relative to root. Commands and generated code are left out.
func InModule(root, module string) ([]Snippet, error) {
	var found []Snippet
	dir := filepath.Join(root, module)
	err := EachPackage(dir, func(pkg string) error {
		files, err := filepath.Glob(filepath.Join(dir, pkg, "*.go"))
		if err != nil {
			return err
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			inFile, err := inFile(text, path.Join(module, pkg))
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			found = append(found, inFile...)
		}
		return nil
	})
	return found, err
}

// EachPackage calls visit with the directory, relative to dir, of each package of the module with the root
// dir that other modules can import, in order.
func EachPackage(dir string, visit func(pkg string) error) error {
	return filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if at != dir {
			if name := d.Name(); name == "testdata" || name == "internal" || strings.HasPrefix(name, ".") {
				return fs.SkipDir
			}
			if _, err = os.Stat(filepath.Join(at, "go.mod")); err == nil {
				return fs.SkipDir // another module
			}
		}
		name, err := packageName(at)
		if err != nil || name == "" || name == "main" {
			return err
		}
		pkg, err := filepath.Rel(dir, at)
		if err != nil {
			return err
		}
		return visit(filepath.ToSlash(pkg))
	})
}

// packageName returns the name of the package in a directory, or "" if there is none.
func packageName(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", err
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly)
		if err != nil {
			return "", err
		}
		return f.Name.Name, nil
	}
	return "", nil
}

// inFile returns the snippets of a Go file.
func inFile(text []byte, pkg string) ([]Snippet, error) {
	if !bytes.Contains(text, []byte("//\t")) && !bytes.Contains(text, []byte("//  ")) {
		return nil, nil // no doc comment has an indented line
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(f) {
		return nil, err
	}
	var found []Snippet
	add := func(name string, doc *ast.CommentGroup) {
		for _, block := range new(comment.Parser).Parse(doc.Text()).Content {
			if code, ok := block.(*comment.Code); ok {
				found = append(found, Snippet{Where: strings.TrimSuffix(pkg+"."+name, "."), Text: code.Text})
			}
		}
	}
	add("", f.Doc)
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if name := receiver(decl) + decl.Name.Name; isExported(name) {
				add(name, decl.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if name, doc := specDoc(spec); isExported(name) {
					add(name, doc)
					add(name, decl.Doc)
					decl.Doc = nil // it was added once
				}
			}
		}
	}
	return found, nil
}

// receiver returns the name of the type of a method, with a point, or "".
func receiver(decl *ast.FuncDecl) string {
	if decl.Recv == nil {
		return ""
	}
	typ := decl.Recv.List[0].Type
	for {
		switch t := typ.(type) {
		case *ast.StarExpr:
			typ = t.X
		case *ast.IndexExpr:
			typ = t.X
		case *ast.IndexListExpr:
			typ = t.X
		case *ast.Ident:
			return t.Name + "."
		default:
			return "."
		}
	}
}

// isExported reports whether all parts of a name are exported.
func isExported(name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		if !ast.IsExported(part) {
			return false
		}
	}
	return true
}

// specDoc returns the name that a specification declares, of several the first, and its comment.
func specDoc(spec ast.Spec) (string, *ast.CommentGroup) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return spec.Name.Name, spec.Doc
	case *ast.ValueSpec:
		return spec.Names[0].Name, spec.Doc
	default:
		return "", nil
	}
}
