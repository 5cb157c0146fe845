package scan

import (
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/resolve"
	"github.com/listwatch/listwatch/generators/internal/slow"
)

// slowFields warns about the fields of kinds, declared in the packages of the run, that are decoded slowly.
func (s *scanner) slowFields(sources []Source, versions []*version) {
	var packages, withKinds []*load.Package
	for _, src := range sources {
		packages = append(packages, src.Package)
	}
	for _, v := range versions {
		if !v.Internal() && len(v.found) > 0 {
			withKinds = append(withKinds, v.src.Package)
		}
	}
	resolve.Ahead(withKinds)
	for _, v := range versions {
		if v.Internal() {
			continue
		}
		for _, f := range v.found {
			slow.Check(s.resolver.Decl(f.decl), packages, s.Diags)
		}
	}
}
