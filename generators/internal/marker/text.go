package marker

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/load"
)

// TypeText returns the doc comment of a type without its markers.
func TypeText(t *load.Type) string {
	if t.Doc == nil || t.Doc == t.Borrowed {
		return ""
	}
	return Text(t.Doc)
}

// Text returns the text of a comment without its markers.
func Text(doc *ast.CommentGroup) string {
	text := strings.Split(doc.Text(), "\n")
	text = slices.DeleteFunc(text, func(line string) bool { return strings.HasPrefix(line, "+") })
	text = slices.CompactFunc(text, func(a, b string) bool { return a == "" && b == "" })
	return strings.TrimSpace(strings.Join(text, "\n"))
}
