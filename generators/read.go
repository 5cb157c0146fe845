package generators

import (
	"fmt"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/deepcopy"
	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/kinds"
	"github.com/listwatch/listwatch/generators/internal/lint"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/internal/program"
	"github.com/listwatch/listwatch/generators/internal/register"
	"github.com/listwatch/listwatch/generators/internal/resolve"
	"github.com/listwatch/listwatch/generators/internal/schema"
	"github.com/listwatch/listwatch/generators/internal/slow"
	"github.com/listwatch/listwatch/generators/internal/structs"
	"github.com/listwatch/listwatch/generators/internal/view"
	"github.com/listwatch/listwatch/generators/model"
)

// input is what a run has read.
type input struct {
	// packages are those that the options name.
	packages  []*load.Package
	api       *model.API
	elsewhere *elsewhere
}

// read finds the API packages, determines what is generated for them, and builds their model.
func (r *run) read() (*input, error) {
	sources, err := r.find()
	if err != nil {
		return nil, err
	}
	in := &input{packages: kinds.Packages(sources)}
	opts := r.opts
	if r.opts.all != nil {
		if place, err := r.place(in.packages); err == nil { // the error is returned when the output is planned
			sources = r.withEarlier(place, sources)
			opts = opts.decide(r.opts.all.around(place, kinds.Packages(sources)))
		}
	}
	in.elsewhere = r.elsewhere(sources)
	in.api = opts.model(sources, r.programs(in.elsewhere, opts), in.elsewhere.find, &r.diags)
	r.step("parse")
	if err := r.diags.Err(r.opts.Dir); err != nil {
		return nil, err
	}
	if !r.opts.Kindless && !r.opts.PackagesOnly && r.nothing(in) {
		return nil, fmt.Errorf("%w in %s; add // +genclient above each type that needs a client", ErrNoTypes, plural(len(in.packages), "package"))
	}
	return in, nil
}

// withEarlier adds the packages of earlier clients to sources.
func (r *run) withEarlier(place Place, sources []kinds.Source) []kinds.Source {
	for _, p := range r.earlier(place, sources) {
		sources = append(sources, kinds.Source{Package: p})
		r.report.Clients = append(r.report.Clients, r.shownPackages([]*load.Package{p})...)
	}
	if len(r.report.Clients) > 0 {
		slices.SortFunc(sources, func(a, b kinds.Source) int { return strings.Compare(a.Package.Path, b.Package.Path) })
	}
	return sources
}

// model builds the model of sources and reports what is wrong with them: each step adds a part that the options request.
// Programs are read for their markers about permissions and webhooks alone, and elsewhere finds more versions of kinds;
// it may be nil.
func (o RunOptions) model(sources []kinds.Source, programs []*load.Package, elsewhere schema.Finder, diags *diag.List) *model.API {
	packages := kinds.Packages(sources)
	resolver := resolve.New()
	extended := o.Runtime == Listwatch || !o.Lenient
	if o.CRDs { // in one run of the go command, before steps look for single packages
		resolve.Ahead(packages)
	}
	marker.CheckMisses(packages, o.Copies, slices.Contains(o.LintRules, lint.KnownTagsOnly), diags)
	found := kinds.Read(sources, kinds.Options{
		Extended: extended, Clients: o.Clients, Fakes: o.Fakes, PackagesOnly: o.PackagesOnly,
		Views:         o.Runtime == Listwatch,
		ExternalFirst: o.all != nil,
		Imports:       o.Runtime.Imports(), PluralExceptions: o.PluralExceptions, IncludedTypes: o.IncludedTypes, Diags: diags,
	})
	api := found.API
	view.Read(found, resolver, diags)
	registrations := register.Plan(packages, extended, o.registrationDiags(diags))
	register.Declare(api, packages, registrations, o.Clients, diags)
	var copies map[string]*model.Copies
	if o.Copies {
		copies = deepcopy.Plan(packages, resolver, !diags.Lenient, o.Runtime == Listwatch, diags)
	}
	var definitions map[string][]*model.CRD
	if o.CRDs {
		definitions = schema.Read(packages, o.schemas(resolver, elsewhere, diags))
	}
	for _, p := range api.Packages {
		p.Copies, p.CRDs = copies[p.Types.Path], definitions[p.Types.Path]
		if o.Registers {
			p.Register = registrations[p.Types.Path]
		}
	}
	schema.CheckClients(api, diags)
	if o.Permissions || o.Webhooks {
		api.Manifests = program.Read(slices.Concat(programs, o.own(packages)), program.Options{Permissions: o.Permissions, Webhooks: o.Webhooks, Diags: diags})
	}
	if o.Structs {
		api.Structs = structs.Read(found, packages, structs.Options{Extended: extended, More: o.MoreStructs})
	}
	if o.TypeDecls {
		structs.Declarations(found, packages)
	}
	if o.all != nil && o.Runtime != ClientGo {
		slow.Check(found.External(), packages, resolver, diags)
	}
	lint.Check(packages, resolver, o.LintRules, diags)
	return api
}

// registrationDiags returns where to report about registrations: nowhere if another run generates them.
func (o RunOptions) registrationDiags(diags *diag.List) *diag.List {
	if o.Registers {
		return diags
	}
	return &diag.List{Lenient: diags.Lenient}
}

// schemas returns the options with which the schemas of CustomResourceDefinitions are read.
func (o RunOptions) schemas(resolver *resolve.Resolver, elsewhere schema.Finder, diags *diag.List) schema.Options {
	return schema.Options{
		AllowDangerousTypes: o.Schemas.AllowDangerousTypes,
		All:                 o.all != nil,
		EmbeddedObjectMeta:  o.Schemas.GenerateEmbeddedObjectMeta,
		IgnoreUnexported:    o.Schemas.IgnoreUnexportedFields,
		MarkedOnly:          o.Schemas.MarkedOnly,
		Elsewhere:           elsewhere,
		Resolver:            resolver,
		Diags:               diags,
	}
}

// own returns the packages whose markers about permissions and webhooks count. Those of dependencies do only for a
// command that replaces controller-gen.
func (o RunOptions) own(packages []*load.Package) []*load.Package {
	return slices.DeleteFunc(slices.Clone(packages), func(p *load.Package) bool {
		return !o.Lenient && !p.Module.Main && p.Module.Path != ""
	})
}

// hasKinds reports whether the API has a kind.
func hasKinds(api *model.API) bool {
	return slices.ContainsFunc(api.Versions(), func(v *model.Version) bool { return len(v.Kinds) > 0 })
}

// requests reports whether a package requests anything that needs no kinds.
func requests(p *model.APIPackage) bool {
	return p.Copies != nil && len(p.Copies.Types) > 0 || p.Register != nil || len(p.CRDs) > 0 || len(p.Views) > 0
}
