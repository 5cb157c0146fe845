// Package marker parses the comment markers that control generation.
//
// A marker is a comment line "+name" or "+name=value". [ParseType] parses the markers above
// a type, and [OfPackage] those of a package. [CheckMisses] reports lines that are almost markers. The syntax equals that of client-gen,
// lister-gen and informer-gen v0.37, plus kubebuilder's
// +kubebuilder:resource:path=,scope=. Every invalid marker is reported at its position: as
// an error if code-generator stops too, as suspect if no server accepts the value, and otherwise as
// a warning.
package marker

import (
	"go/token"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/gengo/v2"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/model"
)

// Tag is one marker.
type Tag = model.Marker

// Tags returns the markers in comment lines, in order.
func Tags(lines []load.Line) []Tag {
	var tags []Tag
	for _, line := range lines {
		if !strings.HasPrefix(strings.TrimLeft(line.Text, " "), "+") {
			continue
		}
		//nolint:staticcheck // client-gen uses it; its successor has another syntax
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

// Mentions reports whether one of the lines is a genclient marker, and its position.
func Mentions(lines []load.Line) (token.Position, bool) {
	for _, t := range Tags(lines) {
		if strings.HasPrefix(t.Name, "genclient") {
			return t.Pos, true
		}
	}
	return token.Position{}, false
}

// Package contains the markers of a package.
type Package struct {
	// GroupName is the API group, and HasGroupName reports whether it is set: the empty name
	// is the core group.
	GroupName    string
	HasGroupName bool
	// GroupGoName is the group's name in Go; empty if not set.
	GroupGoName string
	// Register reports whether the registration of the types is generated, and RegisterAt is the
	// position of the marker that requests it.
	Register   bool
	RegisterAt token.Position
	// Off contains the tools that "+k8s:TOOL=false" disables for the package.
	Off map[string]bool
	// At is the position of the GroupName marker or, without one, of GroupGoName.
	At token.Position
}

// ParsePackage parses the markers in the comments of a package.
func ParsePackage(lines []load.Line, diags *diag.List) Package {
	p := Package{Off: map[string]bool{}}
	for _, t := range Tags(lines) {
		switch t.Name {
		case "groupName":
			if p.HasGroupName {
				if t.Value != p.GroupName {
					diags.Warnf(t.Pos, "+groupName=%s contradicts +groupName=%s at %s:%d; keep one", t.Value, p.GroupName, filepath.Base(p.At.Filename), p.At.Line)
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
			p.register(t, diags)
		case "k8s:client-gen", "k8s:lister-gen", "k8s:informer-gen", "k8s:applyconfiguration-gen":
			if t.Value == "false" {
				p.Off[strings.TrimPrefix(t.Name, "k8s:")] = true
			}
		}
	}
	return p
}

// register reads a marker of register-gen. Every value but "false" requests the registration.
func (p *Package) register(t Tag, diags *diag.List) {
	if p.RegisterAt.IsValid() && p.Register != (t.Value != "false") {
		diags.Warnf(t.Pos, "+%s=%s contradicts line %d; keep one", t.Name, t.Value, p.RegisterAt.Line)
		return
	}
	p.Register, p.RegisterAt = t.Value != "false", t.Pos
	p.Off["register-gen"] = !p.Register
}
