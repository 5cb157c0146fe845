// Package kinds builds the model of the clients: groups, versions, kinds and methods.
//
// # Terms
//
// A [Source] is a package with its group and version. A kind is a type with the marker +genclient. Some input has no
// meaning for code-generator: kubebuilder's markers, a +groupName outside doc.go, a Status in an embedded struct. With
// [Options.Extended], this input is used; without it, it is ignored like in code-generator, with a warning.
//
// # Operations
//
// [Read] finds the kinds of sources, parses their markers, names everything, and checks that clients can be generated.
package kinds

import (
	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/internal/parallel"
	"github.com/listwatch/listwatch/generators/model"
)

// Source is a package to read.
type Source struct {
	Package *load.Package
	// GroupDir and Version are the directory names of group and version. If GroupDir is
	// empty, both are derived from the package's path.
	GroupDir, Version string
	// Named reports whether the package was requested individually. It is then part of the
	// output even if none of its types are marked.
	Named bool
}

// Packages returns the packages of sources, each once, in their order.
func Packages(sources []Source) []*load.Package {
	seen := map[*load.Package]bool{}
	var list []*load.Package
	for _, s := range sources {
		if !seen[s.Package] {
			seen[s.Package] = true
			list = append(list, s.Package)
		}
	}
	return list
}

// Options configure [Read].
type Options struct {
	// Extended uses input that code-generator ignores.
	Extended bool
	// Clients reports whether clients are generated, which need methods and a kind's list type, and Fakes
	// whether fakes are, which need its fields.
	Clients, Fakes bool
	// PackagesOnly reads the packages, but no kinds.
	PackagesOnly bool
	// Imports are the names under which generated code always imports packages.
	Imports Imports
	// Views reads views. Without it, their markers are ignored with a warning.
	Views bool
	// PluralExceptions maps kinds to their plurals.
	PluralExceptions map[string]string
	// IncludedTypes maps "group/version" to the types to use, marked or not. The group is
	// its API name or its directory name.
	IncludedTypes map[string][]string
	// ExternalFirst leaves out internal versions, with a warning, if a clientset of them would not compile and there are
	// external versions.
	ExternalFirst bool
	// Diags receives errors and warnings.
	Diags *diag.List
}

// Found is what [Read] finds.
type Found struct {
	// API is the model: its groups, and its packages without the parts that other generators need.
	API *model.API
	// Declarations are those of the kinds.
	Declarations map[*model.Kind]Declaration
	// Viewed are the types of the kinds of which views have some fields.
	Viewed map[*model.Kind]*load.Type
	// Imports are the names of the packages that generated code imports.
	Imports Imports
}

// External returns the declarations of kinds of external versions.
func (f *Found) External() []*load.Type {
	var list []*load.Type
	for _, v := range f.API.Versions() {
		if v.Internal() {
			continue
		}
		for _, k := range v.Kinds {
			list = append(list, f.Declarations[k].Type)
		}
	}
	return list
}

// Declaration is a marked type.
type Declaration struct {
	Type    *load.Type
	Markers marker.Type
}

// Read returns the model of the sources. Versions of a group are in the order of the sources,
// groups in the order of their directory names.
func Read(sources []Source, opts Options) *Found {
	r := newReader(opts)
	parseAhead(Packages(sources))
	var versions []*version
	for _, src := range sources {
		if r.PackagesOnly {
			break
		}
		if v := r.version(src); v != nil {
			versions = append(versions, v)
		}
	}
	versions = r.views(sources, versions)
	r.unmatched()
	if r.Clients {
		versions = r.checkInstall(versions)
	}
	api := r.group(versions)
	r.nameGroups(api)
	r.checkGroups(api)
	api.Packages = packages(sources, versions)
	for _, v := range versions {
		if r.Clients {
			for _, kind := range v.Kinds {
				r.methods(v, kind)
			}
		}
		r.checkPlurals(v)
	}
	r.nameViews(api)
	return &Found{API: api, Declarations: r.declarations, Viewed: r.viewed, Imports: r.imports}
}

func newReader(opts Options) *reader {
	return &reader{
		Options: opts, plurals: model.NewPlurals(opts.PluralExceptions),
		declarations: map[*model.Kind]Declaration{}, viewed: map[*model.Kind]*load.Type{},
	}
}

// parseAhead concurrently parses the files that are always needed.
func parseAhead(packages []*load.Package) {
	parallel.Each(len(packages), func(i int) {
		packages[i].Files(func(*load.File) bool { return true }, marker.PackageWords...)
		packages[i].Files(func(*load.File) bool { return true }, typeWord, marker.ViewName)
	})
}

// typeWord is in all files with markers of types.
const typeWord = "genclient"

// reader is the state of one call of Read.
type reader struct {
	Options
	plurals      *model.Plurals
	declarations map[*model.Kind]Declaration
	viewed       map[*model.Kind]*load.Type
	imports      Imports
	// kinds are the kinds that were found, and names the keys of versions in
	// IncludedTypes.
	kinds, names []string
}
