package scan

import (
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/program"
	"github.com/listwatch/listwatch/generators/model"
)

// manifests reads the markers about programs. Those of dependencies are not the run's, except for a command that replaces controller-gen.
func (s *scanner) manifests(sources []Source) []*model.Manifests {
	list := slices.Clone(s.Programs)
	for _, src := range sources {
		if p := src.Package; s.Diags.Lenient || p.Module.Main || p.Module.Path == "" {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b *load.Package) int { return strings.Compare(a.Path, b.Path) })
	return program.Read(slices.Compact(list), program.Options{Permissions: s.Permissions, Webhooks: s.Webhooks, Diags: s.Diags})
}
