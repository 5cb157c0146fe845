package kinds

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
)

// attach returns the edits that move the genclient markers of a comment to the type that follows
// it, or none if another declaration follows.
func attach(f *load.File, group *ast.CommentGroup) []diag.Edit {
	t := follower(f, group)
	if t == nil {
		return nil
	}
	present := map[string]bool{}
	for _, l := range t.OwnLines() {
		present[l.Text] = true
	}
	var cuts []diag.Edit
	var text strings.Builder
	for _, l := range f.Lines(group) {
		if _, ok := marker.Mentions([]load.Line{l}); !ok {
			continue
		}
		if l.Block {
			return nil
		}
		cuts = append(cuts, diag.Edit{Line: l.Pos.Line, Column: l.Pos.Column, Old: l.Text, Cut: true})
		if !present[l.Text] {
			text.WriteString("// " + l.Text + "\n")
		}
	}
	if text.Len() == 0 {
		return cuts
	}
	top := t.Spec.Pos()
	if t.Doc != nil {
		top = t.Doc.Pos()
	}
	return append(cuts, diag.Edit{Line: f.Package.Position(top).Line, Column: 1, New: text.String()})
}

// follower returns the type that the first declaration after a comment declares alone, or nil.
func follower(f *load.File, group *ast.CommentGroup) *load.Type {
	i := slices.IndexFunc(f.Syntax.Decls, func(d ast.Decl) bool { return d.End() > group.Pos() })
	if i < 0 || f.Syntax.Decls[i].Pos() < group.Pos() {
		return nil
	}
	decl, ok := f.Syntax.Decls[i].(*ast.GenDecl)
	if !ok || decl.Tok != token.TYPE || decl.Lparen.IsValid() {
		return nil
	}
	j := slices.IndexFunc(f.Types(), func(t *load.Type) bool { return t.Spec == decl.Specs[0] })
	return f.Types()[j]
}
