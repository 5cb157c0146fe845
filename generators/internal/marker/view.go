package marker

import (
	"go/token"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
)

// ViewName is the name of the marker of views, which is in all files that have some.
const ViewName = "listwatch:view"

// viewExample shows the form of the marker.
const viewExample = "+" + ViewName + "=k8s.io/api/core/v1.Pod"

// View is the marker of a struct with some fields of a kind's type.
type View struct {
	// Path and Name are the package and the name of the kind's type.
	Path, Name string
	At         token.Position
}

// IsView reports whether one of the lines is the marker of a view, and its position.
func IsView(lines []load.Line) (token.Position, bool) {
	for _, t := range Tags(lines) {
		if t.Name == ViewName {
			return t.Pos, true
		}
	}
	return token.Position{}, false
}

// ParseView returns the marker of a view in the lines above a type. It reports false if there is none, or if it is
// invalid.
func ParseView(lines []load.Line, diags *diag.List) (View, bool) {
	var found View
	for _, t := range Tags(lines) {
		if t.Name != ViewName {
			continue
		}
		dot := strings.LastIndexByte(t.Value, '.')
		path, name := t.Value[:max(dot, 0)], t.Value[dot+1:]
		switch {
		case found.At.IsValid():
			diags.Errorf(t.Pos, "+%s is repeated, also at line %d; keep one, and declare another type for another view", ViewName, found.At.Line)
			return View{}, false
		case t.Value == "":
			diags.Errorf(t.Pos, "+%s lacks the type of the kind; name it, as in %s", ViewName, viewExample)
			return View{}, false
		case dot <= strings.LastIndexByte(t.Value, '/') || path == "" || !token.IsIdentifier(name) || !token.IsExported(name) || strings.ContainsAny(path, " \t\"`"):
			diags.Errorf(t.Pos, "invalid type %q; use the import path and the name, as in %s", t.Value, viewExample)
			return View{}, false
		}
		found = View{Path: path, Name: name, At: t.Pos}
	}
	return found, found.At.IsValid()
}
