package lint

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
)

// mark is a marker as the rules see it.
type mark struct {
	// name is the text before the arguments, such as kubebuilder:validation:MaxLength, value the
	// text after the equals sign, and text the whole marker after the plus sign.
	name, value, text string
	line              load.Line
}

// withArguments are the beginnings of markers whose last part is the name of an argument.
var withArguments = []string{
	"kubebuilder:validation:XValidation", "kubebuilder:validation:items:XValidation", "kubebuilder:printcolumn", "kubebuilder:resource", "kubebuilder:subresource:scale",
	"kubebuilder:selectablefield", "kubebuilder:deprecatedversion", "kubebuilder:metadata",
}

// marks returns the markers among lines.
func marks(lines []load.Line) []mark {
	var found []mark
	for _, l := range lines {
		text, ok := strings.CutPrefix(strings.TrimSpace(l.Text), "+")
		if !ok || text == "" {
			continue
		}
		m := mark{text: text, line: l}
		m.name, m.value, _ = strings.Cut(text, "=")
		m.name = strings.TrimRight(m.name, ": ")
		if m.name == "default:value" {
			m.name = "default"
		}
		for _, base := range withArguments {
			if rest, ok := strings.CutPrefix(text, base+":"); ok {
				m.name, m.value = base, rest
			}
		}
		found = append(found, m)
	}
	return found
}

// find returns the first marker with one of the names, or nil.
func find(marks []mark, names ...string) *mark {
	i := slices.IndexFunc(marks, func(m mark) bool { return slices.Contains(names, m.name) })
	if i < 0 {
		return nil
	}
	return &marks[i]
}

func (f *field) has(names ...string) bool { return find(f.markers, names...) != nil }

// cut returns the edit that removes the line of a marker.
func (m *mark) cut() []diag.Edit {
	if m.line.Block {
		return nil
	}
	return []diag.Edit{{Line: m.line.Pos.Line, Column: m.line.Pos.Column, Old: m.line.Text, Cut: true}}
}

// rename returns the edit that replaces the text of a marker.
func (m *mark) rename(text string) []diag.Edit {
	return []diag.Edit{{Line: m.line.Pos.Line, Column: m.line.Pos.Column, Old: m.line.Text, New: "+" + text}}
}

// fieldLines returns the lines of the comments of a field: its doc comment, and the one above that.
func fieldLines(file *load.File, s *ast.StructType, index int) []load.Line {
	f := s.Fields.List[index]
	from, to := s.Fields.Opening, f.Pos()
	if f.Doc != nil {
		to = f.Doc.Pos()
	}
	if index > 0 {
		last := s.Fields.List[index-1]
		from = last.End()
		if last.Comment != nil {
			from = last.Comment.End()
		}
	}
	var lines []load.Line
	if above := closest(file, from, to); above != nil {
		lines = append(lines, file.Lines(above)...)
	}
	if f.Doc != nil {
		lines = append(lines, file.Lines(f.Doc)...)
	}
	return lines
}

// closest returns the last comment between two positions that starts on a line of its own.
func closest(file *load.File, from, to token.Pos) *ast.CommentGroup {
	var found *ast.CommentGroup
	for _, g := range file.Syntax.Comments {
		if g.Pos() > from && g.End() < to && file.Package.Position(g.Pos()).Line > file.Package.Position(from).Line {
			found = g
		}
	}
	return found
}

// below returns the edit that adds a line after the marker.
func (m *mark) below(text string) []diag.Edit {
	if m.line.Block {
		return nil
	}
	return []diag.Edit{{Line: m.line.Pos.Line, Column: m.line.Pos.Column, New: text + "\n"}}
}

// position returns the position of a field, or of a type if the field is nil.
func (f *field) position(t *typ) token.Position {
	if f == nil {
		return t.pos
	}
	return f.pos
}
