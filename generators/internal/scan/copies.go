package scan

import (
	"github.com/listwatch/listwatch/generators/internal/deepcopy"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/parallel"
	"github.com/listwatch/listwatch/generators/internal/resolve"
	"github.com/listwatch/listwatch/generators/model"
)

// copies plans the deepcopy functions of the packages. A command that replaces deepcopy-gen reads the
// markers as that does.
func (s *scanner) copies(list []*model.APIPackage, sources []Source) {
	all := map[string]*load.Package{}
	var packages []*load.Package
	for _, src := range sources {
		if all[src.Package.Path] == nil {
			all[src.Package.Path] = src.Package
			packages = append(packages, src.Package)
		}
	}
	planner := deepcopy.New(packages, s.resolver, !s.Diags.Lenient, s.Diags)
	var wanted []*load.Package
	for _, p := range packages {
		if planner.Wants(p) {
			wanted = append(wanted, p)
		}
	}
	parallel.Each(len(wanted), func(i int) { wanted[i].Files(func(*load.File) bool { return true }, "type") })
	resolve.Ahead(wanted)
	for _, p := range list {
		p.Copies = planner.Plan(all[p.Types.Path])
	}
}
