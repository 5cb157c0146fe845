package aliases

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// docs are the comments of a package's symbols, by name, as written, each line with its slashes.
type docs map[string]string

// parseDocs reads the comments of files, and joins errors to err.
func parseDocs(files []string, err error) (docs, error) {
	found := docs{}
	for _, name := range files {
		f, parseErr := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if parseErr != nil {
			return nil, errors.Join(err, parseErr)
		}
		for _, decl := range f.Decls {
			found.add(decl)
		}
	}
	return found, err
}

// add reads the comments of a declaration. That of a group with one specification is the specification's.
func (d docs) add(decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv == nil {
			d[decl.Name.Name] = text(decl.Doc)
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			var doc *ast.CommentGroup
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				doc = spec.Doc
			case *ast.ValueSpec:
				doc = spec.Doc
			}
			if doc == nil && len(decl.Specs) == 1 {
				doc = decl.Doc
			}
			for _, name := range declares(&ast.GenDecl{Specs: []ast.Spec{spec}}) {
				d[name.Name] = text(doc)
			}
		}
	}
}

// text returns a comment without directives.
func text(doc *ast.CommentGroup) string {
	if doc == nil {
		return ""
	}
	var lines strings.Builder
	for line := range strings.Lines(doc.Text()) {
		lines.WriteString(strings.TrimRight("// "+line, " \n") + "\n")
	}
	return lines.String()
}
