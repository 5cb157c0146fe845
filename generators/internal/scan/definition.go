package scan

import (
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/resolve"
	"github.com/listwatch/listwatch/generators/internal/schema"
	"github.com/listwatch/listwatch/generators/model"
)

// definitions sets the CustomResourceDefinitions of the packages.
func (s *scanner) definitions(packages []*model.APIPackage, sources []Source) {
	var list []*load.Package
	seen := map[string]bool{}
	for _, src := range sources {
		if !seen[src.Package.Path] {
			seen[src.Package.Path] = true
			list = append(list, src.Package)
		}
	}
	resolve.Ahead(list)
	opts := *s.CRDs
	opts.Resolver, opts.Diags = s.resolver, s.Diags
	found := schema.Read(list, opts)
	for _, p := range packages {
		p.CRDs = found[p.Types.Path]
	}
}
