package generators

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/model"
	"github.com/listwatch/listwatch/templates"
)

// ListerEmitter returns the emitter of [Lister].
func ListerEmitter() Emitter {
	return EmitterFunc(func(in *Input) ([]Tree, error) {
		text, err := fs.Sub(templates.FS, "lister")
		if err != nil {
			return nil, err
		}
		var files []File
		for _, v := range in.API.Without("lister-gen").Versions() {
			files = append(files, listerFiles(in.Place, v)...)
		}
		return []Tree{{Tool: "gen-lister", Place: in.Place, Templates: text, Files: files}}, nil
	})
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
func (k *listerKind) Singular() string { return strings.ToLower(k.Of()) }

// listerFiles lists the files of the listers of one version.
func listerFiles(p Place, v *model.Version) []File {
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
	plain := withoutExpansion(kinds, p.Below(dir).Dir, expansion)
	files := []File{{Path: expansion, Template: "expansion.go.tmpl", Data: plain, Pos: v.Pos}}
	for _, k := range kinds {
		files = append(files, File{
			Path:     model.FileName("", k.Name, expansion),
			Template: "lister.go.tmpl", Data: &listerKind{k, !slices.Contains(plain, k)}, Pos: k.Pos,
		})
	}
	for i := range files {
		files[i].Path = path.Join(dir, files[i].Path)
		files[i].PackageName = v.PackageName()
	}
	return files
}
