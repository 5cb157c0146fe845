package generators

import (
	"path"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/emit"
	"github.com/listwatch/listwatch/generators/internal/model"
)

// listerOutput returns the tree of the listers in p.
func listerOutput(p place) output {
	return output{
		tool: "gen-lister", upstream: "lister-gen", templates: "lister",
		place: p,
		files: func(api *model.API, _ *diag.List) []emit.File {
			var files []emit.File
			for _, g := range api.Groups {
				for _, v := range g.Versions {
					files = append(files, listerFiles(p, v)...)
				}
			}
			return files
		},
	}
}

// listerDir returns the folder of the listers of a version.
func listerDir(v *model.Version) string {
	return path.Join(strings.ToLower(v.Group.Dir), v.Dir())
}

// listerKind is a kind as the template of its lister sees it.
type listerKind struct {
	*model.Kind
	// Expanded is true if a hand-written file adds methods to the lister.
	Expanded bool
}

// Singular returns the resource that not-found errors name.
func (k *listerKind) Singular() string { return strings.ToLower(k.Name) }

// listerFiles lists the files of the listers of one version.
func listerFiles(p place, v *model.Version) []emit.File {
	const expansion = "expansion_generated.go"
	dir := listerDir(v)
	var kinds []*model.Kind
	for _, k := range v.Kinds {
		if k.HasLister() {
			kinds = append(kinds, k)
		}
	}
	if len(kinds) == 0 {
		return nil
	}
	plain := withoutExpansion(kinds, p.below(dir).Dir, expansion)
	files := []emit.File{{Path: expansion, Template: "expansion.go.tmpl", Data: plain, Pos: v.Pos}}
	for _, k := range kinds {
		files = append(files, emit.File{
			Path:     model.FileName("", k.Name, expansion),
			Template: "lister.go.tmpl", Data: &listerKind{k, !slices.Contains(plain, k)}, Pos: k.Pos,
		})
	}
	for i := range files {
		files[i].Path = path.Join(dir, files[i].Path)
		files[i].PackagePath = path.Join(p.Pkg, dir)
		files[i].PackageName = v.PackageName()
	}
	return files
}
