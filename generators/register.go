package generators

import (
	"io/fs"

	"github.com/listwatch/listwatch/generators/model"
	"github.com/listwatch/listwatch/templates"
)

// RegisterEmitter returns the emitter of [Register]. Its input must be read with Registers of
// [RunOptions].
func RegisterEmitter() Emitter {
	return EmitterFunc(func(in *Input) ([]Tree, error) {
		text, err := fs.Sub(templates.FS, "register")
		if err != nil {
			return nil, err
		}
		var trees []Tree
		for _, p := range in.API.Packages {
			// Without a file, the tree removes the one that was generated earlier.
			tree := Tree{Tool: "gen-register", Place: Place{p.Dir, p.Types.Path}, Flat: true, Templates: text}
			if p.Register != nil {
				tree.Files = []File{{
					Path: model.RegisterFile, PackageName: p.Name, Constraint: "!" + DefaultBuildTag,
					Template: "register.go.tmpl", Data: p.Register, Pos: p.Pos,
				}}
			}
			trees = append(trees, tree)
		}
		return trees, nil
	})
}
