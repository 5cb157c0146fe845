package generators

import (
	"go/token"
	"os"
	"path/filepath"

	"github.com/listwatch/listwatch/generators/model"
)

// withoutExpansion returns the kinds that have no hand-written expansion in a
// folder, where the generated ones stand in a file of the name own.
func withoutExpansion(kinds []*model.Kind, dir, own string) []*model.Kind {
	var rest []*model.Kind
	for _, k := range kinds {
		if k.Names.ExpansionFile == own || !exists(filepath.Join(dir, k.Names.ExpansionFile)) {
			rest = append(rest, k)
		}
	}
	return rest
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// pos returns the place that stands for the whole input in messages.
func pos(api *model.API) token.Position {
	for _, v := range api.Versions() {
		return v.Pos
	}
	return token.Position{}
}
