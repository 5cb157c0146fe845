package kinds

import (
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/model"
)

// packages returns the packages of the sources, each once.
func packages(sources []Source, versions []*version) []*model.APIPackage {
	byPackage := map[*load.Package]*model.Version{}
	for _, v := range versions {
		byPackage[v.src.Package] = v.Version
	}
	var list []*model.APIPackage
	for _, p := range Packages(sources) {
		v := byPackage[p]
		pkg := &model.APIPackage{
			Types: model.Package{Path: p.Path, Alias: model.ForeignAlias(p.Path)}, Name: p.Name, Dir: p.Dir, Module: model.Module{Path: p.Module.Path, Dir: p.Module.Dir, Main: p.Module.Main},
			Version: v, Markers: packageTags(p), Pos: p.Pos(),
		}
		if v != nil {
			pkg.Types = v.Types
		}
		list = append(list, pkg)
	}
	slices.SortFunc(list, func(a, b *model.APIPackage) int { return strings.Compare(a.Types.Path, b.Types.Path) })
	return list
}

// packageTags returns the markers in the comments of a package's doc.go, and in the package
// comments of its other files.
func packageTags(p *load.Package) []marker.Tag {
	var lines []load.Line
	p.Files(func(f *load.File) bool {
		switch {
		case f.Base() == "doc.go":
			lines = append(lines, f.Comments()...)
		case f.Syntax.Doc != nil:
			lines = append(lines, f.Lines(f.Syntax.Doc)...)
		}
		return true
	}, packageMarkers...)
	return marker.Tags(lines)
}

// packageMarkers are words in all files with package markers that some generator reads.
var packageMarkers = []string{"+groupName", "+k8s:", "+kubebuilder:", "+versionName"}
