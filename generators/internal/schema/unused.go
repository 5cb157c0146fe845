package schema

import (
	"bytes"
	"go/ast"
	"slices"

	"github.com/listwatch/listwatch/generators/internal/kubemarker"
	"github.com/listwatch/listwatch/generators/internal/load"
)

// Types that no kind of the run consists of have no effect on the CRDs. What is wrong with the text of their markers is
// a warning, as another run may use them.

// unused checks the markers of the types of a package that no schema refers to.
func (r *reader) unused(p *load.Package) {
	if skips(p) {
		return
	}
	used := r.used()
	p.FilesWhere(func(f *load.File) bool {
		for _, t := range f.Types() {
			if !used[t] {
				r.unusedType(t)
			}
		}
		return true
	}, func(src []byte) bool { return bytes.Contains(src, []byte("// +")) })
}

// unusedType checks the markers of a type and of its fields that are part of the JSON.
func (r *reader) unusedType(t *load.Type) {
	groups, _ := typeComments(t)
	r.unusedMarkers(t.File, kubemarker.OnType, groups)
	s, ok := t.Spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, field := range s.Fields.List {
		if tag, ok := tagOf(field); ok && !tag.skip {
			r.unusedMarkers(t.File, kubemarker.OnField, fieldComments(t.File, s, field))
		}
	}
}

// unusedMarkers warns about the markers in comments that cannot be parsed.
func (r *reader) unusedMarkers(f *load.File, place kubemarker.Place, groups []*ast.CommentGroup) {
	for _, line := range kubemarker.Lines(f, groups...) {
		if _, fault := r.parseLine(f, place, line); fault != nil {
			r.Diags.Warnf(fault.Pos, "%s", fault.Message)
		}
	}
}

// skips reports whether a package has the marker +kubebuilder:skip.
func skips(p *load.Package) bool {
	found := false
	p.Files(func(f *load.File) bool {
		found = slices.ContainsFunc(packageLines(f), func(line load.Line) bool { return line.Text == skipMarker })
		return !found
	}, skipMarker)
	return found
}

// skipMarker leaves a package out.
const skipMarker = "+kubebuilder:skip"
