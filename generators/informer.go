package generators

import (
	"cmp"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/model"
	"github.com/listwatch/listwatch/templates"
)

// check finds fault with import paths.
func (o InformerOptions) check() error {
	return cmp.Or(
		checkImportPath("--versioned-clientset-package", o.VersionedClientset),
		checkImportPath("--internal-clientset-package", o.InternalClientset),
		checkImportPath("--listers-package", o.Listers),
	)
}

// InformerEmitter returns the emitter of [Informer]. The run's [Options] replace those in
// opts. It returns an error that wraps [ErrUsage] if opts are invalid.
func InformerEmitter(opts InformerOptions) (Emitter, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	return EmitterFunc(func(in *Input) ([]Tree, error) {
		text, err := fs.Sub(templates.FS, "informer")
		if err != nil {
			return nil, err
		}
		return informerTrees(in, opts, text), nil
	}), nil
}

// informerTrees returns the trees of the informers: one of the external versions, and one of
// the internal.
func informerTrees(in *Input, opts InformerOptions, text fs.FS) []Tree {
	external, internal := in.Place.Below("externalversions"), in.Place.Below("internalversion")
	if opts.SingleDirectory {
		external, internal = in.Place, in.Place
	}
	if opts.VersionedClientset == "" {
		opts.VersionedClientset = in.Place.beside("clientset", "versioned")
	}
	if opts.InternalClientset == "" {
		opts.InternalClientset = opts.VersionedClientset
	}
	if opts.Listers == "" {
		opts.Listers = in.Place.beside("listers")
	}
	api := in.API.Without("informer-gen")
	tree := func(at Place, clientset string, internal bool) Tree {
		i := informers{
			in:        in,
			root:      at,
			clientset: model.Package{Path: clientset, Alias: "clientset"},
			listers:   opts.Listers,
			shared:    model.Package{Path: path.Join(at.Pkg, "internalinterfaces"), Alias: "internalinterfaces"},
		}
		return Tree{Tool: "gen-informer", Place: at, Templates: text, Files: i.files(api, internal)}
	}
	return []Tree{
		tree(external, opts.VersionedClientset, false),
		tree(internal, opts.InternalClientset, true),
	}
}

// informers lists the files of a factory.
type informers struct {
	in        *Input
	root      Place
	clientset model.Package
	listers   string
	shared    model.Package
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

func (i informers) files(api *model.API, internal bool) []File {
	data := &factoryData{Clientset: i.clientset, Shared: i.shared}
	var files []File
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
		File{Path: "factory.go", PackageName: base, Template: "factory.go.tmpl", Data: data},
		File{Path: "generic.go", PackageName: base, Template: "generic.go.tmpl", Data: data},
		File{Path: "internalinterfaces/factory_interfaces.go", PackageName: "internalinterfaces", Template: "interfaces.go.tmpl", Data: data},
	)
	for n := range files {
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
			i.in.Warnf(v.Pos, "group %s is named %s in Go here but %s in another version, and a factory needs one name; give all versions the same +groupGoName",
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
	data.MethodName = model.FactoryMethod(goName, i.in.Runtime.FactoryMethods()...)
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
func (i informers) groupFiles(g *informerGroup) []File {
	files := []File{{
		Path: path.Join(g.Dir, "interface.go"), PackageName: g.PackageName(),
		Template: "group.go.tmpl", Data: g, Pos: g.Versions[0].Pos,
	}}
	for _, v := range g.Versions {
		dir := path.Join(g.Dir, v.Dir())
		files = append(files, File{
			Path: path.Join(dir, "interface.go"), PackageName: v.PackageName(),
			Template: "version.go.tmpl", Data: v, Pos: v.Pos,
		})
		for _, k := range v.Kinds {
			files = append(files, File{
				Path: path.Join(dir, model.FileName("", k.Name, "interface.go")), PackageName: v.PackageName(),
				Template: "kind.go.tmpl", Data: k, Pos: k.Pos,
			})
		}
	}
	return files
}
