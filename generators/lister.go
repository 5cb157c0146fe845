package generators

import (
	"path"
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
					files = append(files, listerFiles(p, &versionData{Version: v})...)
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

// listerFiles lists the files of the listers of one version.
func listerFiles(p place, v *versionData) []emit.File {
	dir, expansion := listerDir(v.Version), "expansion_generated.go"
	var kinds []*model.Kind
	var files []emit.File
	for _, k := range v.Kinds {
		if k.HasLister() {
			kinds = append(kinds, k)
			files = append(files, emit.File{
				Path:     model.FileName("", k.Name, expansion),
				Template: "lister.go.tmpl", Data: &kindData{Kind: k, Version: v}, Pos: k.Pos,
			})
		}
	}
	if len(kinds) == 0 {
		return nil
	}
	files = append(files, emit.File{
		Path: expansion, Template: "expansion.go.tmpl",
		Data: withoutExpansion(kinds, p.below(dir).Dir, expansion), Pos: v.Pos,
	})
	for i := range files {
		files[i].Path = path.Join(dir, files[i].Path)
		files[i].PackagePath = path.Join(p.Pkg, dir)
		files[i].PackageName = v.PackageName()
	}
	return files
}
