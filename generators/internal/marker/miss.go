package marker

import (
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/parallel"
)

// CheckMisses warns about lines in the comments of packages that are [Near] a marker: about deepcopy functions only if
// copies is set, and not about the markers of generators in doc.go if named reports that [CheckGenerator] checks them.
func CheckMisses(packages []*load.Package, copies, named bool, diags *diag.List) {
	parallel.Each(len(packages), func(i int) {
		packages[i].FilesWhere(func(f *load.File) bool {
			for _, line := range f.Comments() {
				meant, ok := Near(line)
				if !ok || !copies && IsCopy(meant) || named && f.Base() == "doc.go" && IsAboutGenerator(line.Text) {
					continue
				}
				at := strings.IndexByte(line.Text, '+')
				line.Pos.Column += at
				var edits []diag.Edit
				if at == 0 { // otherwise it has an asterisk before it, with which no marker has an effect
					edits = []diag.Edit{{Line: line.Pos.Line, Column: line.Pos.Column, Old: line.Text, New: meant}}
				}
				diags.Fix(edits...).Warnf(line.Pos, "%q has no effect; did you mean %s?", line.Text, meant)
			}
			return true
		}, MayMiss)
	})
}
