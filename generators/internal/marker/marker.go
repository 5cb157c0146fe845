// Package marker reads the comment markers that say what to generate.
//
// A marker is a comment line "+name" or "+name=value". [ParseType] reads those
// above a type, [ParsePackage] those of a package. The grammar is that of
// client-gen, lister-gen and informer-gen v0.37, and kubebuilder's
// +kubebuilder:resource:path=,scope= beside it. Every fault is reported at its
// line: an error where code-generator stops too, suspect where it is silent.
package marker

import (
	"go/token"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/gengo/v2"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/model"
)

// Tag is one marker.
type Tag struct {
	Name  string
	Value string
	// HasValue tells "+name=" from "+name".
	HasValue bool
	Pos      token.Position
}

// Tags returns the markers in comment lines, in their order.
func Tags(lines []load.Line) []Tag {
	var tags []Tag
	for _, line := range lines {
		//nolint:staticcheck // client-gen reads markers with it; what succeeds it has another grammar
		for name, values := range gengo.ExtractCommentTags("+", []string{line.Text}) {
			tags = append(tags, Tag{
				Name:     name,
				Value:    values[0],
				HasValue: strings.Contains(line.Text, "="),
				Pos:      line.Pos,
			})
		}
	}
	return tags
}

// Mentions reports whether one of the lines is a genclient marker, and where.
func Mentions(lines []load.Line) (token.Position, bool) {
	for _, t := range Tags(lines) {
		if strings.HasPrefix(t.Name, "genclient") {
			return t.Pos, true
		}
	}
	return token.Position{}, false
}

// Package holds the markers of a package.
type Package struct {
	// GroupName is the API group and HasGroupName says that one is given: the
	// empty name is the core group.
	GroupName    string
	HasGroupName bool
	// GroupGoName is the group's name in Go, empty if none is given.
	GroupGoName string
	// Register says that register-gen declares what clients need of the package.
	Register bool
	// Off holds the tools that "+k8s:TOOL=false" turns off for the package.
	Off map[string]bool
	// At is where GroupName stands or, if there is none, GroupGoName.
	At token.Position
}

// ParsePackage reads the markers in the comments of a package.
func ParsePackage(lines []load.Line, diags *diag.List) Package {
	p := Package{Off: map[string]bool{}}
	for _, t := range Tags(lines) {
		switch t.Name {
		case "groupName":
			if p.HasGroupName {
				if t.Value != p.GroupName {
					diags.Suspectf(t.Pos, "+groupName=%s contradicts +groupName=%s at %s:%d; keep one", t.Value, p.GroupName, filepath.Base(p.At.Filename), p.At.Line)
				}
				continue
			}
			if t.Value != "" {
				if len(validation.IsDNS1123Subdomain(t.Value)) > 0 {
					diags.Suspectf(t.Pos, "invalid API group %q; use lowercase letters, digits, hyphens and dots, as in storage.example.com", t.Value)
				}
			}
			p.GroupName, p.HasGroupName, p.At = t.Value, true, t.Pos
		case "groupGoName":
			if !model.IsExported(model.Title(t.Value)) {
				diags.Errorf(t.Pos, "invalid Go name %q; use ASCII letters and digits and start with a letter, as in +groupGoName=Apps", t.Value)
				continue
			}
			if p.GroupGoName == "" {
				p.GroupGoName = t.Value
			}
			if !p.At.IsValid() {
				p.At = t.Pos
			}
		case "k8s:register-gen":
			p.Register = p.Register || t.Value == "package"
		case "k8s:client-gen", "k8s:lister-gen", "k8s:informer-gen":
			if t.Value == "false" {
				p.Off[strings.TrimPrefix(t.Name, "k8s:")] = true
			}
		}
	}
	return p
}
