package marker

import (
	"go/token"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
)

// The markers about deepcopy functions: those of deepcopy-gen, and those of controller-gen.
const (
	copyGen           = "k8s:deepcopy-gen"
	copyInterfaces    = "k8s:deepcopy-gen:interfaces"
	copyNonPointer    = "k8s:deepcopy-gen:nonpointer-interfaces"
	kubeObject        = "kubebuilder:object:generate"
	kubeRoot          = "kubebuilder:object:root"
	objectInterface   = "k8s.io/apimachinery/pkg/runtime.Object"
	copyPackage       = "package"
	copyTrue, copyOff = "true", "false"
)

// copyMarkers are the markers about deepcopy functions.
var copyMarkers = []string{copyGen, copyInterfaces, copyNonPointer, kubeObject, kubeRoot}

// IsCopy reports whether a line of a comment starts with a marker about deepcopy functions.
func IsCopy(line string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(line, "+"), "=")
	return slices.Contains(copyMarkers, name)
}

// CopyWords are words in all files with markers about deepcopy functions.
var CopyWords = []string{"+" + copyGen, "+kubebuilder:object"}

// CopyPackage contains the markers of a package about deepcopy functions.
type CopyPackage struct {
	// All reports whether all types are copied, and Off that none is.
	All, Off bool
	// Objects reports whether all types are copied unless their own markers exclude them, as
	// controller-gen reads it.
	Objects bool
}

// Any reports whether one of the markers concerns all types.
func (p CopyPackage) Any() bool { return p.All || p.Off || p.Objects }

// ObjectLines returns the lines that are controller-gen's marker for all types of a package. It reads it wherever no declaration
// follows to which the comment belongs; deepcopy-gen reads its own in package comments alone.
func ObjectLines(lines []load.Line) []load.Line {
	return slices.DeleteFunc(lines, func(line load.Line) bool {
		name, _, _ := strings.Cut(strings.TrimPrefix(line.Text, "+"), "=")
		return strings.TrimSuffix(name, ":") != kubeObject
	})
}

// ParseCopyPackage parses the markers about deepcopy functions in the comments of doc.go, and in the
// package comments of other files, where deepcopy-gen ignores its own; with extended they are used. To the latter belong the
// [ObjectLines] of comments that document nothing.
func ParseCopyPackage(doc, other []load.Line, extended bool, diags *diag.List) CopyPackage {
	var p CopyPackage
	var first Tag
	for _, t := range copyTags(doc) {
		switch {
		case t.Name == copyGen && first.Name != "" && t.Value != first.Value:
			diags.Errorf(t.Pos, "+%s=%s contradicts +%s=%s at line %d; keep one", copyGen, t.Value, copyGen, first.Value, first.Pos.Line)
		case t.Name == copyGen:
			first = t
			p.generate(t, diags)
		case t.Name == kubeObject:
			p.Objects = boolean(t, diags)
		}
	}
	for _, t := range copyTags(other) {
		switch {
		case t.Name == kubeObject:
			p.Objects = boolean(t, diags)
		case t.Name == copyGen && extended:
			p.generate(t, diags)
		case t.Name == copyGen && !p.All:
			diags.Warnf(t.Pos, "marker is ignored because deepcopy-gen reads +%s of packages only in doc.go; move it there", copyGen)
		}
	}
	return p
}

// generate reads the marker +k8s:deepcopy-gen of a package.
func (p *CopyPackage) generate(t Tag, diags *diag.List) {
	switch value := withoutRegister(t, diags); value {
	case copyPackage:
		p.All = true
	case copyOff:
		p.Off = true
	case copyTrue:
		diags.Fix(editValue(t, 0, value, copyPackage)...).Errorf(t.Pos, "+%s=true is for types; for all types of the package, use +%s=package", copyGen, copyGen)
	default:
		unknownValue(t, value, diags, copyPackage, copyOff)
	}
}

// unknownValue adds an error for the first part of a marker's value.
func unknownValue(t Tag, value string, diags *diag.List, candidates ...string) {
	hint, meant := suggest(value, candidates, "")
	diags.Fix(editValue(t, 0, value, meant)...).Errorf(t.Pos, "unknown value %q of +%s%s", value, t.Name, hint)
}

// withoutRegister returns the value of +k8s:deepcopy-gen without the parameter register, which has no
// effect.
func withoutRegister(t Tag, diags *diag.List) string {
	value, params, _ := strings.Cut(t.Value, ",")
	for param := range strings.SplitSeq(params, ",") {
		if name, _, _ := strings.Cut(param, "="); params != "" && name != "register" {
			diags.Errorf(t.Pos, "unknown parameter %q of +%s; remove it", param, copyGen)
		}
	}
	return value
}

// CopyType contains the markers of a type about deepcopy functions.
type CopyType struct {
	// On and Off are deepcopy-gen's markers, Object and NoObject controller-gen's.
	On, Off, Object, NoObject bool
	// Root reports whether the type is a kind according to controller-gen's marker.
	Root bool
	// Interfaces are the interfaces for which functions such as DeepCopyObject are generated, and
	// NonPointer reports whether their receivers are not pointers.
	Interfaces []CopyInterface
	NonPointer bool
	// At is the position of the first marker.
	At token.Position
}

// CopyInterface is an interface in a marker.
type CopyInterface struct {
	Path, Name string
	Pos        token.Position
}

// ParseCopyType parses the markers about deepcopy functions above a type.
func ParseCopyType(lines []load.Line, diags *diag.List) CopyType {
	var p CopyType
	seen := map[string]Tag{}
	for _, t := range copyTags(lines) {
		if !p.At.IsValid() {
			p.At = t.Pos
		}
		first, again := seen[t.Name]
		if again && t.Name != copyInterfaces {
			if t.Value != first.Value || t.Name == copyGen {
				diags.Errorf(t.Pos, "+%s is repeated, also at line %d; keep one", t.Name, first.Pos.Line)
			}
			continue
		}
		seen[t.Name] = t
		p.read(t, diags)
	}
	return p
}

// read reads one marker.
func (p *CopyType) read(t Tag, diags *diag.List) {
	switch t.Name {
	case copyGen:
		switch value := withoutRegister(t, diags); value {
		case copyTrue:
			p.On = true
		case copyOff:
			p.Off = true
		case copyPackage:
			diags.Fix(editValue(t, 0, value, copyTrue)...).Errorf(t.Pos, "+%s=package is for packages, in doc.go; for a type, use +%s=true", copyGen, copyGen)
		default:
			unknownValue(t, value, diags, copyTrue, copyOff)
		}
	case copyNonPointer:
		p.NonPointer = t.Value == copyTrue
		if t.Value != copyTrue && t.Value != copyOff {
			hint, meant := suggest(t.Value, []string{copyTrue, copyOff}, "")
			diags.Fix(editValue(t, 0, t.Value, meant)...).Warnf(t.Pos, "unknown value %q of +%s counts as false%s", t.Value, copyNonPointer, hint)
		}
	case copyInterfaces:
		p.interfaces(t, diags)
	case kubeObject:
		on := boolean(t, diags)
		p.Object, p.NoObject = on, !on
	case kubeRoot:
		p.Root = boolean(t, diags)
	default:
		if _, near := nearName(t.Name); near {
			return // Near reports it
		}
		hint, meant := suggest(t.Name, copyMarkers, "+")
		diags.Fix(rename(t, meant)...).Warnf(t.Pos, "unknown marker +%s%s", t.Name, hint)
	}
}

// interfaces reads a list of interfaces.
func (p *CopyType) interfaces(t Tag, diags *diag.List) {
	for word := range strings.SplitSeq(t.Value, ",") {
		if word == "" {
			continue
		}
		dot := strings.LastIndexByte(word, '.')
		path, name := word[:max(dot, 0)], word[dot+1:]
		switch {
		case word == "runtime.Object" || word == "Object":
			diags.Errorf(t.Pos, "interface %s lacks its import path; use %s", word, objectInterface)
		case dot <= 0 || !token.IsIdentifier(name) || !token.IsExported(name) || strings.ContainsAny(path, " \t\"`"):
			diags.Errorf(t.Pos, "invalid interface %q; use the import path and the name, as in %s", word, objectInterface)
		default:
			p.Interfaces = append(p.Interfaces, CopyInterface{Path: path, Name: name, Pos: t.Pos})
		}
	}
}

// boolean returns the value of one of controller-gen's markers.
func boolean(t Tag, diags *diag.List) bool {
	switch {
	case !t.HasValue:
		diags.Errorf(t.Pos, "+%s lacks a value; use +%s=true or +%s=false", t.Name, t.Name, t.Name)
	case t.Value != copyTrue && t.Value != copyOff:
		unknownValue(t, t.Value, diags, copyTrue, copyOff)
	}
	return t.Value == copyTrue
}

// copyTags returns the markers about deepcopy functions in lines, without comments at their ends.
func copyTags(lines []load.Line) []Tag {
	// Unlike client-gen, deepcopy-gen and controller-gen read markers after a tab.
	lines = slices.Clone(lines)
	for i := range lines {
		lines[i].Text = strings.TrimLeft(lines[i].Text, " \t")
	}
	tags := slices.DeleteFunc(Tags(lines), func(t Tag) bool {
		return t.Name != copyGen && !strings.HasPrefix(t.Name, copyGen+":") && !strings.HasPrefix(t.Name, "kubebuilder:object:")
	})
	for i := range tags {
		if strings.HasPrefix(tags[i].Name, "kubebuilder:") {
			tags[i].Name = strings.TrimSuffix(tags[i].Name, ":") // controller-gen reads := like =
		}
		value, _, _ := strings.Cut(tags[i].Value, " //")
		tags[i].Value = strings.TrimSpace(value)
	}
	return tags
}
