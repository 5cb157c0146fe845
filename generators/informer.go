package generators

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/emit"
	"github.com/listwatch/listwatch/generators/internal/model"
)

// check finds fault with import paths.
func (o InformerOptions) check() error {
	return cmp.Or(
		checkImportPath("--versioned-clientset-package", o.VersionedClientset),
		checkImportPath("--internal-clientset-package", o.InternalClientset),
		checkImportPath("--listers-package", o.Listers),
	)
}

// informerOutputs returns the trees of the informers in p: one of the external
// versions, and one of the internal.
func informerOutputs(opts InformerOptions, p place) []output {
	external, internal := p.below("externalversions"), p.below("internalversion")
	if opts.SingleDirectory {
		external, internal = p, p
	}
	if opts.VersionedClientset == "" {
		opts.VersionedClientset = p.beside("clientset", "versioned")
	}
	if opts.InternalClientset == "" {
		opts.InternalClientset = opts.VersionedClientset
	}
	if opts.Listers == "" {
		opts.Listers = p.beside("listers")
	}
	tree := func(at place, clientset string, internal bool) output {
		return output{
			tool: "gen-informer", upstream: "informer-gen", templates: "informer",
			place: at,
			files: func(api *model.API, diags *diag.List) []emit.File {
				i := informers{
					root:      at,
					clientset: model.Package{Path: clientset, Alias: "clientset"},
					listers:   opts.Listers,
					runtime:   opts.Runtime,
					shared:    model.Package{Path: path.Join(at.Pkg, "internalinterfaces"), Alias: "internalinterfaces"},
					diags:     diags,
				}
				return i.files(api, internal)
			},
		}
	}
	return []output{
		tree(external, opts.VersionedClientset, false),
		tree(internal, opts.InternalClientset, true),
	}
}

// informers lists the files of a factory.
type informers struct {
	root      place
	clientset model.Package
	listers   string
	shared    model.Package
	runtime   Runtime
	diags     *diag.List
}

// factoryData is a factory of informers as templates see it.
type factoryData struct {
	Groups []*informerGroup
	// Clientset is the clientset that it uses, and Shared the package that it
	// shares with the informers.
	Clientset, Shared model.Package
}

// informerGroup is a group as the templates of its informers see it.
type informerGroup struct {
	*model.Group
	Versions []*informerVersion
	// MethodName is the factory's method for the group.
	MethodName string
	// Informers is the package of the group's informers.
	Informers model.Package
	// Shared is the package that informers and factory share.
	Shared model.Package
}

// informerVersion is a version as the templates of its informers see it.
type informerVersion struct {
	*model.Version
	Kinds []*informerKind
	// Informers and Listers are the packages that are generated for the version, Clientset is
	// that of the clientset, and Shared the package that informers and factory share.
	Informers, Listers, Clientset, Shared model.Package
}

// MethodName returns the name of the group's method for the version.
func (v *informerVersion) MethodName() string { return model.Title(v.NonEmptyName()) }

// APIGroup returns the group's name in the API.
func (v *informerVersion) APIGroup() string { return v.Group.Name }

// informerKind is a kind as the template of its informer sees it.
type informerKind struct {
	*model.Kind
	Version *informerVersion
}

func (i informers) files(api *model.API, internal bool) []emit.File {
	data := &factoryData{Clientset: i.clientset, Shared: i.shared}
	var files []emit.File
	for _, g := range api.Groups {
		group := i.group(g, internal)
		if len(group.Versions) == 0 {
			continue
		}
		data.Groups = append(data.Groups, group)
		files = append(files, i.groupFiles(group)...)
	}
	if len(data.Groups) == 0 {
		return nil
	}
	base := model.PackageName(filepath.Base(i.root.Dir), "informers")
	files = append(files,
		emit.File{Path: "factory.go", PackageName: base, Template: "factory.go.tmpl", Data: data},
		emit.File{Path: "generic.go", PackageName: base, Template: "generic.go.tmpl", Data: data},
		emit.File{Path: "internalinterfaces/factory_interfaces.go", PackageName: "internalinterfaces", Template: "interfaces.go.tmpl", Data: data},
	)
	for n := range files {
		files[n].PackagePath = path.Join(i.root.Pkg, path.Dir(files[n].Path))
		if !files[n].Pos.IsValid() {
			files[n].Pos = data.Groups[0].Versions[0].Pos
		}
	}
	return files
}

// group returns a group with those of its versions that have informers. Versions
// stand in the order of their packages' paths.
func (i informers) group(g *model.Group, internal bool) *informerGroup {
	data := &informerGroup{Group: g, Shared: i.shared}
	goName := ""
	for _, v := range g.Versions {
		if v.Internal() != internal || !slices.ContainsFunc(v.Kinds, (*model.Kind).HasInformer) {
			continue
		}
		if goName != "" && v.GroupGoName != goName {
			i.diags.Suspectf(v.Pos, "group %s is named %s in Go here but %s in another version, and a factory needs one name; give all versions the same +groupGoName",
				g.Name, v.GroupGoName, goName)
		}
		goName = v.GroupGoName // code-generator takes the last
		version := &informerVersion{
			Version:   v,
			Clientset: i.clientset,
			Listers:   model.Package{Path: path.Join(i.listers, listerDir(v)), Alias: v.Types.Alias + "listers"},
			Informers: model.Package{Path: path.Join(i.root.Pkg, g.Dir, v.Dir()), Alias: v.Types.Alias + "informers"},
			Shared:    i.shared,
		}
		for _, k := range v.Kinds {
			if k.HasInformer() {
				version.Kinds = append(version.Kinds, &informerKind{k, version})
			}
		}
		data.Versions = append(data.Versions, version)
	}
	data.MethodName = model.FactoryMethod(goName, i.runtime.FactoryMethods()...)
	data.Informers = model.Package{
		Path:  path.Join(i.root.Pkg, g.Dir),
		Alias: strings.ToLower(goName) + "informers",
	}
	slices.SortStableFunc(data.Versions, func(a, b *informerVersion) int {
		return strings.Compare(a.Types.Path, b.Types.Path)
	})
	return data
}

// groupFiles lists the files of the informers of a group.
func (i informers) groupFiles(g *informerGroup) []emit.File {
	files := []emit.File{{
		Path: path.Join(g.Dir, "interface.go"), PackageName: g.PackageName(),
		Template: "group.go.tmpl", Data: g, Pos: g.Versions[0].Pos,
	}}
	for _, v := range g.Versions {
		dir := path.Join(g.Dir, v.Dir())
		files = append(files, emit.File{
			Path: path.Join(dir, "interface.go"), PackageName: v.PackageName(),
			Template: "version.go.tmpl", Data: v, Pos: v.Pos,
		})
		taken := []string{"interface.go"}
		if i.runtime == Listwatch {
			taken = append(taken, "constructors.go")
			files = append(files, emit.File{
				Path: path.Join(dir, "constructors.go"), PackageName: v.PackageName(),
				Template: "constructors.go.tmpl", Data: v, Pos: v.Pos,
			})
		}
		for _, k := range v.Kinds {
			files = append(files, emit.File{
				Path: path.Join(dir, model.FileName("", k.Name, taken...)), PackageName: v.PackageName(),
				Template: "kind.go.tmpl", Data: k, Pos: k.Pos,
			})
		}
	}
	return files
}
