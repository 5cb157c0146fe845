package generators

import (
	"path/filepath"
	"slices"

	"github.com/listwatch/listwatch/generators/internal/emit"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/tree"
)

// around is what a run of [All] finds beside its packages: whether there are a clientset, generated
// CustomResourceDefinitions in their default directory, and a directory config in a module.
type around struct {
	clientset, definitions, config bool
}

// around looks for what is beside packages, whose output directory is p. Without a clientset, the rest does not matter.
func (o AllOptions) around(p Place, packages []*load.Package) around {
	if !o.isClientset(p) {
		return around{}
	}
	return around{
		clientset: true,
		definitions: slices.ContainsFunc(packages, func(p *load.Package) bool {
			earlier := tree.Tree{Dir: filepath.Join(p.Module.Dir, filepath.FromSlash(DefaultCRDDir)), Mark: emit.Generated("gen-crd"), Flat: true}
			plan, err := earlier.Plan()
			return err == nil && len(plan.Changes) > 0
		}),
		config: slices.ContainsFunc(packages, func(p *load.Package) bool { return exists(filepath.Join(p.Module.Dir, "config")) }),
	}
}

// decide returns the options of a run of [All] without what a project with an earlier clientset has from elsewhere:
// CustomResourceDefinitions, except where some were generated before, and roles and webhooks if it has no directory
// config. A directory in the options requests them in any case.
func (o RunOptions) decide(a around) RunOptions {
	if !a.clientset {
		return o
	}
	o.CRDs = o.CRDs && (o.all.CRDDir != "" || a.definitions)
	o.Permissions = o.Permissions && (o.all.RBACDir != "" || a.config)
	o.Webhooks = o.Webhooks && (o.all.WebhookDir != "" || a.config)
	return o
}

// isClientset reports whether there is a clientset already.
func (o AllOptions) isClientset(p Place) bool {
	return exists(filepath.Join(p.Dir, "clientset", o.name(), "clientset.go"))
}
