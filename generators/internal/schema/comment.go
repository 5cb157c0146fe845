package schema

import (
	"go/ast"
	"go/token"
	"slices"
	"sort"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/kubemarker"
	"github.com/listwatch/listwatch/generators/internal/load"
)

// The markers of a declaration are those in its doc comment, and in the closest other comment above
// it, however far away, as long as nothing else is between.

// above returns the last comment that starts between two positions, except for one on the line of the
// first, which belongs to what ends there.
func above(f *load.File, from, to token.Pos) *ast.CommentGroup {
	groups := f.Syntax.Comments
	i := sort.Search(len(groups), func(i int) bool { return groups[i].Pos() >= to })
	if i == 0 || groups[i-1].Pos() < from {
		return nil
	}
	group := groups[i-1]
	if line(f, group.Pos()) == line(f, from) && (i < 2 || groups[i-2].Pos() < from) {
		return nil
	}
	return group
}

func line(f *load.File, pos token.Pos) int { return f.Package.Position(pos).Line }

// declaration returns the declaration of a type, and where what is before it ends.
func declaration(t *load.Type) (decl *ast.GenDecl, before token.Pos) {
	decls := t.File.Syntax.Decls
	i := sort.Search(len(decls), func(i int) bool { return decls[i].End() > t.Spec.Pos() })
	decl, _ = decls[i].(*ast.GenDecl)
	before = t.File.Syntax.Name.End()
	if i > 0 {
		before = decls[i-1].End()
	}
	return decl, before
}

// typeComments returns the comments with the markers of a type, and its doc comment.
func typeComments(t *load.Type) (groups []*ast.CommentGroup, doc *ast.CommentGroup) {
	decl, before := declaration(t)
	start := t.Spec.Pos()
	if doc = t.Spec.Doc; !decl.Lparen.IsValid() {
		start = decl.Pos()
		if doc == nil {
			doc = decl.Doc
		}
	} else {
		before = decl.Lparen
		if i := slices.Index(decl.Specs, ast.Spec(t.Spec)); i > 0 {
			before = decl.Specs[i-1].End()
		}
	}
	if doc != nil {
		start = doc.Pos()
	}
	return []*ast.CommentGroup{above(t.File, before, start), doc}, doc
}

// fieldComments returns the comments with the markers of a field of a struct.
func fieldComments(f *load.File, s *ast.StructType, field *ast.Field) []*ast.CommentGroup {
	before := s.Fields.Opening
	if i := slices.Index(s.Fields.List, field); i > 0 {
		last := s.Fields.List[i-1]
		before = last.End()
	}
	start := field.Pos()
	if field.Doc != nil {
		start = field.Doc.Pos()
	}
	return []*ast.CommentGroup{above(f, before, start), field.Doc}
}

// packageLines returns the markers of a package in a file.
func packageLines(f *load.File) []load.Line {
	groups, _ := kubemarker.Split(f)
	return kubemarker.Lines(f, groups...)
}

// description returns the text of a doc comment without markers, lines that start with TODO, and what
// follows a line of dashes.
func description(doc *ast.CommentGroup) string {
	if doc == nil {
		return ""
	}
	var rest ast.CommentGroup
	block := false
	for _, c := range doc.List {
		text, isLine := strings.CutPrefix(c.Text, "//")
		if isLine && strings.HasPrefix(strings.TrimSpace(text), "+") {
			continue
		}
		block = block || !isLine
		rest.List = append(rest.List, c)
	}
	if len(rest.List) == 0 {
		return ""
	}
	var lines []string
	fenced := false
	for text := range strings.Lines(rest.Text()) {
		text = strings.TrimSuffix(text, "\n")
		if block {
			text = strings.TrimSpace(text)
		}
		if strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~") {
			fenced = !fenced
		}
		if !fenced && strings.HasPrefix(text, "---") {
			break
		}
		if fenced || !strings.HasPrefix(text, "TODO") {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n")
}
