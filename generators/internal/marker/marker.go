// Package marker reads the comment markers that say what to generate.
//
// A marker is a comment line "+name" or "+name=value". [ParseType] reads those
// above a type, [ParsePackage] those of a package. The grammar is that of
// client-gen, lister-gen and informer-gen v0.37, and kubebuilder's
// +kubebuilder:resource:path=,scope= beside it. Every fault is reported at its
// line; where code-generator passes over one in silence, this package does not.
package marker

import (
	"go/token"
	"strings"

	"k8s.io/gengo/v2"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
)

// tag is one marker.
type tag struct {
	name  string
	value string
	// hasValue tells "+name=" from "+name".
	hasValue bool
	pos      token.Position
}

// tagsOf returns the markers in comment lines, in their order.
func tagsOf(lines []load.Line) []tag {
	var tags []tag
	for _, line := range lines {
		for name, values := range gengo.ExtractCommentTags("+", []string{line.Text}) {
			tags = append(tags, tag{
				name:     name,
				value:    values[0],
				hasValue: strings.Contains(line.Text, "="),
				pos:      line.Pos,
			})
		}
	}
	return tags
}

// Mentions reports whether one of the lines is a genclient marker, and where.
func Mentions(lines []load.Line) (token.Position, bool) {
	for _, t := range tagsOf(lines) {
		if strings.HasPrefix(t.name, "genclient") {
			return t.pos, true
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
	// Off holds the tools that "+k8s:TOOL=false" turns off for the package.
	Off map[string]bool
	// At is where GroupName stands.
	At token.Position
}

// ParsePackage reads the markers in the comments of a package.
func ParsePackage(lines []load.Line, diags *diag.List) Package {
	p := Package{Off: map[string]bool{}}
	for _, t := range tagsOf(lines) {
		switch t.name {
		case "groupName":
			if p.HasGroupName {
				if t.value != p.GroupName {
					diags.Errorf(t.pos, "+groupName=%s contradicts +groupName=%s at line %d; keep one", t.value, p.GroupName, p.At.Line)
				}
				continue
			}
			if !validGroup(t.value) {
				diags.Errorf(t.pos, "%q is no API group: want lowercase letters, digits, '-' and '.', as in apps.example.com", t.value)
				continue
			}
			p.GroupName, p.HasGroupName, p.At = t.value, true, t.pos
		case "groupGoName":
			if !token.IsIdentifier(t.value) {
				diags.Errorf(t.pos, "%q is no Go name: want letters and digits, as in +groupGoName=Apps", t.value)
				continue
			}
			if p.GroupGoName == "" {
				p.GroupGoName = t.value
			}
		case "k8s:client-gen", "k8s:lister-gen", "k8s:informer-gen":
			if t.value == "false" {
				p.Off[strings.TrimPrefix(t.name, "k8s:")] = true
			}
		}
	}
	return p
}

// validGroup reports whether a name can be an API group: a DNS subdomain
// (RFC 1123), or empty for the core group.
func validGroup(name string) bool {
	if name == "" {
		return true
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" ||
			strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") {
			return false
		}
	}
	return true
}
