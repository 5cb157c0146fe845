package marker

import (
	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
)

// PackageWords are words in all files with markers of a package.
var PackageWords = []string{"+groupName", "+groupGoName", "-gen=false", "+k8s:register-gen"}

// OfPackage parses the markers of a package: those in all comments of doc.go, like code-generator, and if extended is
// set, those in the package comments of other files. Otherwise it warns about the latter.
func OfPackage(p *load.Package, extended bool, diags *diag.List) Package {
	var doc, elsewhere []load.Line
	p.Files(func(f *load.File) bool {
		if f.Base() == "doc.go" {
			doc = append(doc, f.Comments()...)
		} else if f.Syntax.Doc != nil {
			elsewhere = append(elsewhere, f.Lines(f.Syntax.Doc)...)
		}
		return true
	}, PackageWords...)
	if extended {
		return ParsePackage(append(doc, elsewhere...), diags)
	}
	markers := ParsePackage(doc, diags)
	other := ParsePackage(elsewhere, new(diag.List)) // ignored markers cannot be errors
	newName := other.HasGroupName && (!markers.HasGroupName || markers.GroupName != other.GroupName)
	newGoName := other.GroupGoName != "" && markers.GroupGoName != other.GroupGoName
	if newName || newGoName {
		diags.Warnf(other.At, "marker is ignored because code-generator reads +groupName and +groupGoName only in doc.go; move it there")
	}
	return markers
}

// TypeLines returns the comments that apply to a type. In code-generator, they include those of the preceding
// declaration if it has only one line; if extended is set, they do not.
func TypeLines(t *load.Type, extended bool, diags *diag.List) []load.Line {
	if t.Borrowed == nil || extended {
		return t.OwnLines()
	}
	if pos, ok := Mentions(t.File.Lines(t.Borrowed)); ok {
		diags.Warnf(pos, "code-generator also applies this marker to type %s, two lines below; insert a blank line above type %s", t.Name, t.Name)
	}
	return t.Lines()
}
