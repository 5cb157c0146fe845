package generators

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"

	"github.com/listwatch/listwatch/generators/internal/emit"
	"github.com/listwatch/listwatch/generators/internal/tree"
	"github.com/listwatch/listwatch/generators/model"
)

// applyDir is the directory of the apply configurations that [All] generates.
const applyDir = "applyconfiguration"

// check validates the options that only [All] has.
func (o AllOptions) check() error {
	if o.Apply != "" && !slices.Contains(Choices, o.Apply) {
		return fmt.Errorf("%w: --apply-configurations=%s; want one of %v", ErrUsage, o.Apply, Choices)
	}
	for _, part := range o.Skip {
		if !slices.Contains(Parts, part) {
			return fmt.Errorf("%w: --skip=%s; want some of %v", ErrUsage, part, Parts)
		}
	}
	if o.Apply == Yes && o.ApplyConfigurations != "" {
		return fmt.Errorf("%w: --apply-configurations=true and --apply-configuration-package are mutually exclusive", ErrUsage)
	}
	return nil
}

// applies reports whether apply configurations are generated into a directory.
func (o AllOptions) applies(p Place) bool {
	switch {
	case o.ApplyConfigurations != "" || o.Apply == No:
		return false
	case o.Apply == Yes || exists(filepath.Join(p.Dir, applyDir)):
		return true
	}
	return !o.Only && !o.isClientset(p)
}

// allEmitter combines the emitters, each in its own directory.
func allEmitter(opts AllOptions) (Emitter, error) {
	apply, err := ApplyConfigurationEmitter(opts.apply())
	if err != nil {
		return nil, err
	}
	if err = opts.check(); err != nil {
		return nil, err
	}
	if err = opts.ClientsetOptions.check(); err != nil {
		return nil, err
	}
	beside, err := opts.beside()
	if err != nil {
		return nil, err
	}
	return EmitterFunc(func(in *Input) ([]Tree, error) {
		parts := beside
		var trees []Tree
		switch {
		case hasKinds(in.API) || len(in.API.Structs) > 0:
			clients, err := opts.clients(in, apply)
			if err != nil {
				return nil, err
			}
			parts = slices.Concat(clients, beside)
		case len(in.registered) > 0:
			trees = opts.stale(in)
		}
		for _, p := range parts {
			below := *in
			below.Place = in.Place.Below(p.dir)
			if p.dir == "" {
				below.API = own(in.API)
			}
			list, err := p.emitter.Plan(&below)
			if err != nil {
				return nil, err
			}
			for i := range list {
				list[i].advice = advice[list[i].Tool]
			}
			trees = append(trees, list...)
		}
		return trees, nil
	}), nil
}

// advice is what to do about hand-written files in place of those of a part.
var advice = map[string]string{
	"gen-crd":      "choose another directory with --crd-dir, or leave the part out with --skip=crd",
	"gen-deepcopy": "or leave the part out with --skip=deepcopy",
	"gen-register": "or leave the part out with --skip=register",
	"gen-rbac":     "choose another directory with --rbac-dir, or leave the part out with --skip=rbac",
	"gen-webhook":  "choose another directory with --webhook-dir, or leave the part out with --skip=webhook",
}

// clients returns the emitters of the parts that kinds have.
func (o AllOptions) clients(in *Input, apply Emitter) ([]part, error) {
	informers, err := InformerEmitter(InformerOptions{
		VersionedClientset: in.Place.Below("clientset", o.name()).Pkg,
		SingleDirectory:    o.SingleDirectory,
	})
	if err != nil {
		return nil, err
	}
	clients := o.ClientsetOptions
	applies := o.applies(in.Place) && len(in.API.Structs) > 0
	if applies {
		clients.ApplyConfigurations = in.Place.Below(applyDir).Pkg
		withoutApply(in)
	}
	clientset, err := ClientsetEmitter(clients)
	if err != nil {
		return nil, err
	}
	parts := []part{{"informers", informers}, {"clientset", clientset}, {"listers", ListerEmitter()}}
	if applies {
		parts = append(parts, part{applyDir, apply})
	}
	return parts, nil
}

// stale returns trees without files, which remove the clients of an earlier run. It warns about those of another
// generator.
func (o AllOptions) stale(in *Input) []Tree {
	set := filepath.Join(in.Place.Below("clientset", o.name()).Dir, "clientset.go")
	if text, err := os.ReadFile(set); err == nil && !tree.Marked(text, "// ", emit.Generated("gen-clientset")) {
		in.Warnf(token.Position{Filename: set, Line: 1, Column: 1}, "no type has clients any more, but another generator wrote this clientset; delete its directory")
	}
	return []Tree{
		{Tool: "gen-clientset", Place: in.Place.Below("clientset", o.name())},
		{Tool: "gen-lister", Place: in.Place.Below("listers")},
		{Tool: "gen-informer", Place: in.Place.Below("informers")},
		{Tool: "gen-applyconfiguration", Place: in.Place.Below(applyDir)},
	}
}

// beside returns the emitters of the parts that only packages with markers for them have.
func (o AllOptions) beside() ([]part, error) {
	var parts []part
	if !slices.Contains(o.Skip, "deepcopy") {
		parts = append(parts, part{"", DeepCopyEmitter()})
	}
	if !slices.Contains(o.Skip, "register") {
		parts = append(parts, part{"", RegisterEmitter()})
	}
	if !slices.Contains(o.Skip, "crd") {
		crds := o.CRDs
		crds.Options = o.Options
		crds.OutputDir = o.CRDDir
		emitter, err := CRDEmitter(crds)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part{"", emitter})
	}
	if !slices.Contains(o.Skip, "rbac") {
		roles := o.RBAC
		roles.Options, roles.OutputDir = o.Options, o.RBACDir
		emitter, err := RBACEmitter(roles)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part{"", emitter})
	}
	if !slices.Contains(o.Skip, "webhook") {
		hooks := o.Webhooks
		hooks.Options, hooks.OutputDir = o.Options, o.WebhookDir
		emitter, err := WebhookEmitter(hooks)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part{"", emitter})
	}
	return parts, nil
}

// part is one of the emitters of [All] with its directory; those that write into API packages have
// none.
type part struct {
	dir     string
	emitter Emitter
}

// withoutApply removes the verb apply from kinds whose packages have no apply configurations: those
// of internal versions, and those that opt out. It also removes methods that apply a type of a
// package that is not generated.
func withoutApply(in *Input) {
	generated := map[string]bool{}
	for _, p := range in.API.Structs {
		for _, s := range p.Structs {
			generated[p.Types.Path+"."+s.Name] = true
		}
	}
	for _, v := range in.API.Versions() {
		none := v.Internal() || v.Off["applyconfiguration-gen"]
		for _, k := range v.Kinds {
			if none {
				k.Skip = append(k.Skip, "apply", "applyStatus")
			}
			k.Methods = slices.DeleteFunc(k.Methods, func(m *model.Method) bool {
				if m.Verb != "apply" || none {
					return m.Verb == "apply"
				}
				input := m.Input.Package.Path + "." + m.Input.Name
				if !generated[input] {
					in.Warnf(k.Pos, "there is no method %s, because no apply configuration of %s is generated; add %s to the packages", m.Name, input, m.Input.Package.Path)
				}
				return !generated[input]
			})
		}
	}
}

// own returns the API with only the packages of main modules: nothing is written into dependencies,
// whose files are in the module cache.
func own(api *model.API) *model.API {
	result := *api
	result.Packages = slices.DeleteFunc(slices.Clone(api.Packages), func(p *model.APIPackage) bool { return !p.Module.Main })
	result.Manifests = slices.DeleteFunc(slices.Clone(api.Manifests), func(m *model.Manifests) bool { return !m.Module.Main })
	return &result
}
