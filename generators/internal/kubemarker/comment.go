package kubemarker

import (
	"go/ast"
	"sort"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/load"
)

// Lines returns the lines that are markers in comments of a file. A comment can be nil.
func Lines(f *load.File, groups ...*ast.CommentGroup) []load.Line {
	var lines []load.Line
	for _, group := range groups {
		if group == nil {
			continue
		}
		for _, line := range f.Lines(group) {
			if !IsMarker(line) {
				continue
			}
			text := strings.TrimSpace(line.Text)
			line.Pos.Column += strings.IndexByte(line.Text, '+')
			line.Text = text
			lines = append(lines, line)
		}
	}
	return lines
}

// Split splits the comments of a file into those of its package and others. Those of the package are the package comment,
// and comments outside of declarations that document none.
func Split(f *load.File) (pkg, others []*ast.CommentGroup) {
	decls := f.Syntax.Decls
	for _, group := range f.Syntax.Comments {
		i := sort.Search(len(decls), func(i int) bool { return decls[i].End() > group.Pos() })
		if i < len(decls) && (decls[i].Pos() <= group.Pos() || Documents(decls[i], group)) {
			others = append(others, group)
			continue
		}
		pkg = append(pkg, group)
	}
	return pkg, others
}

// Documents reports whether a comment is the doc comment of a declaration.
func Documents(decl ast.Decl, group *ast.CommentGroup) bool {
	switch decl := decl.(type) {
	case *ast.GenDecl:
		return decl.Doc == group
	case *ast.FuncDecl:
		return decl.Doc == group
	}
	return false
}
