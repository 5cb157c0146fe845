// Package program reads the markers about programs, as controller-gen v0.23 does: the permissions that they need, and
// their webhooks.
//
// # Terms
//
// A program is any package: unlike other markers, +kubebuilder:rbac, +kubebuilder:webhook and
// +kubebuilder:webhookconfiguration are not about API types. Such a marker stands in a comment of a package that documents no
// declaration, wherever in the file. In the doc comment of a function or type it has no effect.
//
// # Operations
//
// [Read] returns what the markers of packages request, by module. [Mentions] reports whether a package has any.
//
// # Checks
//
// What controller-gen refuses is an error. What API servers refuse is suspect input. Markers without effect, misspelled ones, and
// verbs and names that match nothing are warnings.
package program

import (
	"bytes"
	"errors"
	"go/ast"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/kubemarker"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/model"
)

// Options configure [Read].
type Options struct {
	// Permissions and Webhooks select the markers.
	Permissions, Webhooks bool
	// Diags receives errors and warnings.
	Diags *diag.List
}

// The names of the markers.
const (
	rbac          = "kubebuilder:rbac"
	webhook       = "kubebuilder:webhook"
	configuration = "kubebuilder:webhookconfiguration"
)

// Read returns what the markers in packages request, sorted by the paths of their modules; nothing of modules without such
// markers.
func Read(packages []*load.Package, opts Options) []*model.Manifests {
	packages = slices.Clone(packages)
	slices.SortFunc(packages, func(a, b *load.Package) int { return strings.Compare(a.Path, b.Path) })
	var all []*model.Manifests
	for _, p := range packages {
		m := model.Module{Path: p.Module.Path, Dir: p.Module.Dir, Main: p.Module.Main}
		i := slices.IndexFunc(all, func(known *model.Manifests) bool { return known.Module == m })
		if i < 0 {
			i = len(all)
			all = append(all, &model.Manifests{Module: m})
		}
		r := &reader{Options: opts, to: all[i]}
		p.FilesWhere(func(f *load.File) bool {
			r.file(f)
			return true
		}, mayMark)
	}
	all = slices.DeleteFunc(all, func(m *model.Manifests) bool { return len(m.Permissions) == 0 && len(m.Webhooks) == 0 })
	for _, m := range all {
		unique(m, opts.Diags)
	}
	slices.SortStableFunc(all, func(a, b *model.Manifests) int { return strings.Compare(a.Module.Path, b.Module.Path) })
	return all
}

// Mentions reports whether the text of a package looks as if it had one of the markers.
func Mentions(p *load.Package) bool {
	found := false
	p.FilesWhere(func(*load.File) bool { return false }, func(src []byte) bool {
		found = found || MentionsIn(src)
		return false
	})
	return found
}

// MentionsIn reports whether a text looks as if it had one of the markers.
func MentionsIn(src []byte) bool {
	return bytes.Contains(src, []byte("+"+rbac+":")) || bytes.Contains(src, []byte("+"+webhook+":"))
}

// mayMark reports whether a text may contain a marker or a near miss of one.
func mayMark(src []byte) bool {
	return bytes.Contains(src, []byte("+kubebuilder:")) || bytes.Contains(src, []byte(":rbac:")) || bytes.Contains(src, []byte(":webhook:"))
}

// reader reads the markers of one package.
type reader struct {
	Options
	to *model.Manifests
	// configured are the markers +kubebuilder:webhookconfiguration of the package, the mutating one first.
	configured [2]*kubemarker.Marker
}

// file reads the markers in a file.
func (r *reader) file(f *load.File) {
	groups, others := kubemarker.Split(f)
	for _, line := range kubemarker.Lines(f, groups...) {
		if def := r.lookup(line.Text); def != nil {
			r.marker(def, line)
		}
	}
	for _, group := range others {
		r.misplaced(f, group)
	}
	for _, group := range f.Syntax.Comments {
		for _, line := range f.Lines(group) {
			r.nearMiss(line)
		}
	}
}

// lookup returns the definition of a marker that is read, and nil for other markers.
func (r *reader) lookup(text string) *kubemarker.Definition {
	def, _ := kubemarker.Lookup(text, kubemarker.OnProgram)
	if def == nil || !r.reads(def.Name) {
		return nil
	}
	return def
}

// reads reports whether the options select the marker with a name.
func (r *reader) reads(name string) bool {
	return name == rbac && r.Permissions || name != rbac && r.Webhooks
}

// marker reads one marker.
func (r *reader) marker(def *kubemarker.Definition, line load.Line) {
	m, err := kubemarker.Parse(def, false, line.Text, line.Pos)
	var fault *kubemarker.Error
	if errors.As(err, &fault) {
		r.Diags.Errorf(fault.Pos, "%s", fault.Message)
		return
	}
	switch def.Name {
	case rbac:
		r.permission(m)
	case webhook:
		r.webhook(m)
	case configuration:
		r.configuration(m)
	}
}

// misplaced warns about markers in a comment that belongs to a declaration.
func (r *reader) misplaced(f *load.File, group *ast.CommentGroup) {
	lines := slices.DeleteFunc(kubemarker.Lines(f, group), func(line load.Line) bool { return r.lookup(line.Text) == nil })
	if len(lines) == 0 {
		return
	}
	name := r.lookup(lines[0].Text).Name
	if !slices.ContainsFunc(f.Syntax.Decls, func(decl ast.Decl) bool { return kubemarker.Documents(decl, group) }) {
		r.Diags.Warnf(lines[0].Pos, "+%s has no effect inside of a declaration; move it to a comment of its own, outside", name)
		return
	}
	var edits []diag.Edit
	var text strings.Builder
	for _, line := range lines {
		edits = append(edits, diag.Edit{Line: line.Pos.Line, Column: line.Pos.Column, Old: line.Text, Cut: true})
		text.WriteString("// " + line.Text + "\n")
	}
	top := f.Package.Position(group.Pos()).Line
	edits = append([]diag.Edit{{Line: top, Column: 1, New: text.String() + "\n"}}, edits...)
	r.Diags.Fix(edits...).Warnf(lines[0].Pos, "+%s has no effect in the doc comment of a declaration; move it above, with an empty line between", name)
}

// nearMiss warns about a line that is probably meant to be one of the markers.
func (r *reader) nearMiss(line load.Line) {
	text := strings.TrimSpace(line.Text)
	line.Pos.Column += strings.Index(line.Text, text)
	bare := strings.TrimPrefix(text, "+")
	name, arguments := bare, ""
	if i := strings.IndexByte(bare, '='); i >= 0 {
		name = bare[:i]
	}
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		name, arguments = name[:i], bare[i:]
	}
	above, last, ok := strings.Cut(name, ":")
	if !ok || arguments == "" || strings.ContainsAny(name, " \t") {
		return
	}
	meant := nearest(above, last)
	switch {
	case meant == "" || !r.reads(meant):
	case line.Block && name == meant:
		r.Diags.Warnf(line.Pos, "+%s has no effect in a comment with /* and */; write it in a line comment", meant)
	case !line.Block && (name != meant || bare == text):
		written := text[:len(text)-len(arguments)]
		r.Diags.Fix(diag.Edit{Line: line.Pos.Line, Column: line.Pos.Column, Old: written, New: "+" + meant}).
			Warnf(line.Pos, "%s has no effect; did you mean +%s?", written, meant)
	}
}

// nearest returns the marker that a name is, or is probably meant to be: its part before the colon, and that after it. It is
// empty if there is none.
func nearest(above, last string) string {
	if above != "kubebuilder" && marker.Nearest(above, []string{"kubebuilder"}) == "" {
		return ""
	}
	for _, name := range []string{rbac, webhook, configuration} {
		own := strings.TrimPrefix(name, "kubebuilder:")
		if strings.EqualFold(last, own) || above == "kubebuilder" && sortedLetters(last) == sortedLetters(own) {
			return name
		}
	}
	if def, _ := kubemarker.Lookup("+"+above+":"+last, kubemarker.OnPackage|kubemarker.OnType|kubemarker.OnField); def != nil || above != "kubebuilder" {
		return ""
	}
	return marker.Nearest("kubebuilder:"+last, []string{rbac, webhook, configuration})
}

func sortedLetters(text string) string {
	letters := []byte(strings.ToLower(text))
	slices.Sort(letters)
	return string(letters)
}
