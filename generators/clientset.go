package generators

import (
	"fmt"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"github.com/listwatch/listwatch/generators/model"
	"github.com/listwatch/listwatch/templates"
)

// name returns the clientset's package and folder.
func (o ClientsetOptions) name() string {
	if o.Name == "" {
		return "versioned"
	}
	return o.Name
}

// check finds fault with the name, which becomes a package, a folder and an element of
// import paths, and with import paths.
func (o ClientsetOptions) check() error {
	name := o.name()
	pkg := model.Identifier(name)
	if !token.IsIdentifier(pkg) || pkg == "main" || pkg == "_" || strings.Contains(name, "/") || module.CheckImportPath(name) != nil {
		return fmt.Errorf("%w: invalid clientset name %q, which must be valid as a Go package name and a directory; choose another --clientset-name, such as versioned", ErrUsage, name)
	}
	return checkImportPath("--apply-configuration-package", o.ApplyConfigurations)
}

// apiPath returns the path below which the server serves a group.
func (o ClientsetOptions) apiPath(g *model.Group) string {
	switch {
	case g.Name == "":
		return "/api"
	case o.APIPath == "":
		return "/apis"
	}
	return o.APIPath
}

// ClientsetEmitter returns the emitter of [Clientset]. The run's [RunOptions] replace the
// fields of opts that they have too. It returns an error that wraps [ErrUsage] if opts are
// invalid.
func ClientsetEmitter(opts ClientsetOptions) (Emitter, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	return EmitterFunc(func(in *Input) ([]Tree, error) {
		if !in.Clients || !in.Fakes && !opts.NoFake {
			return nil, fmt.Errorf("%w: the model is not checked for a clientset; set Clients and Fakes of RunOptions", ErrUsage)
		}
		text, err := fs.Sub(templates.FS, "clientset")
		if err != nil {
			return nil, err
		}
		keep := ""
		if opts.Only {
			keep = "typed" // another run generated what is there
		}
		c := clientset{opts: opts, runtime: in.Runtime, root: in.Place.Below(opts.name())}
		files := c.files(in.API.Without("client-gen"))
		return []Tree{{Tool: "gen-clientset", Place: c.root, Keep: keep, Templates: text, Files: files}}, nil
	}), nil
}

// clientset lists the files of a clientset.
type clientset struct {
	opts    ClientsetOptions
	runtime Runtime
	root    Place
}

func (c clientset) files(api *model.API) []File {
	data := clientsetData{Clientset: model.Package{Path: c.root.Pkg, Alias: "clientset"}}
	if c.opts.ApplyConfigurations != "" {
		data.TypeConverter = model.Package{Path: c.opts.ApplyConfigurations, Alias: "applyconfiguration"}
	}
	for _, g := range api.Groups {
		for _, v := range g.Versions {
			data.Versions = append(data.Versions, c.version(g, v))
		}
	}
	set := []File{{
		Path: "clientset.go", PackageName: model.Identifier(c.opts.name()),
		Template: "clientset.go.tmpl", Data: data,
	}}
	set = append(set, c.in("scheme", "scheme", "Package scheme holds the scheme of the clientset: the Go types of its kinds.",
		File{Path: "register.go", Template: "scheme.go.tmpl", Data: c.scheme(api)})...)
	if !c.opts.NoFake {
		set = append(set, c.in("fake", "fake", "Package fake holds a clientset that answers from memory, for tests.",
			File{Path: "clientset_generated.go", Template: "fake_clientset.go.tmpl", Data: data},
			c.fakeScheme(api),
		)...)
	}
	if !c.opts.Only {
		for _, v := range data.Versions {
			set = append(set, c.typed(v)...)
		}
	}
	return set
}

// in puts files into a package of their own. The package comment is in the first file, or for
// client-go, which has it there, in doc.go.
func (c clientset) in(dir, name, doc string, files ...File) []File {
	if c.runtime == ClientGo {
		files = append([]File{{Path: "doc.go"}}, files...)
	}
	files[0].Doc = doc
	for i := range files {
		files[i].Path = path.Join(dir, files[i].Path)
		files[i].PackageName = name
	}
	return files
}

// version returns a version with the packages that are emitted for it.
func (c clientset) version(g *model.Group, v *model.Version) *clientVersion {
	client := c.root.Below(typedDir(g, v)).Pkg
	data := &clientVersion{
		Version:  v,
		Client:   model.Package{Path: client, Alias: v.Types.Alias + "client"},
		Fake:     model.Package{Path: path.Join(client, "fake"), Alias: v.Types.Alias + "fake"},
		Scheme:   model.Package{Path: path.Join(c.root.Pkg, "scheme"), Alias: "scheme"},
		APIPath:  c.opts.apiPath(g),
		Protobuf: c.opts.PrefersProtobuf,
	}
	plain := c.plain(data)
	for _, k := range v.Kinds {
		data.Kinds = append(data.Kinds, newClientKind(k, data, c.opts.ApplyConfigurations, !slices.Contains(plain, k)))
	}
	return data
}

// expansion is the file of the expansions that nobody has written, for client-go; in
// the other flavour they are beside the clients.
const expansion = "generated_expansion.go"

// plain returns the kinds of a version that have no hand-written expansion.
func (c clientset) plain(v *clientVersion) []*model.Kind {
	return withoutExpansion(v.Version.Kinds, c.root.Below(typedDir(v.Group, v.Version)).Dir, expansion)
}

func typedDir(g *model.Group, v *model.Version) string {
	return path.Join("typed", strings.ToLower(g.Dir), v.Dir())
}

// scheme returns the clientset's scheme. That of an internal clientset needs the
// conversions too, which the groups' install packages register.
func (c clientset) scheme(api *model.API) schemeData {
	dir := filepath.Join(c.root.Dir, "scheme")
	data := schemeData{Versions: api.Versions(), Custom: exists(filepath.Join(dir, "register_custom.go"))}
	if !isInternal(api) {
		return data
	}
	for _, g := range api.Groups {
		data.Install = append(data.Install, model.Package{
			Path:  g.Versions[0].InstallPath(),
			Alias: strings.ToLower(g.Versions[0].GroupGoName) + "install",
		})
	}
	return data
}

// isInternal reports whether a clientset has clients of internal versions.
func isInternal(api *model.API) bool {
	return slices.ContainsFunc(api.Versions(), (*model.Version).Internal)
}

// fakeScheme returns the file of the fake clientset's scheme. It registers the types itself for client-go, whose
// generator does so, and without the conversions of an internal clientset.
func (c clientset) fakeScheme(api *model.API) File {
	if c.runtime == ClientGo || isInternal(api) {
		return File{Path: "register.go", Template: "scheme.go.tmpl", Data: schemeData{Versions: api.Versions(), Private: true}}
	}
	return File{
		Path: "register.go", Template: "fake_scheme.go.tmpl",
		Data: fakeSchemeData{model.Package{Path: path.Join(c.root.Pkg, "scheme"), Alias: "clientsetscheme"}, views(api)},
	}
}

// views returns the kinds that are views.
func views(api *model.API) []*model.Kind {
	var list []*model.Kind
	for _, v := range api.Versions() {
		for _, k := range v.Kinds {
			if k.View != nil {
				list = append(list, k)
			}
		}
	}
	return list
}

// typed lists the files of the clients of one group and version, and their fakes.
func (c clientset) typed(v *clientVersion) []File {
	dir := typedDir(v.Group, v.Version)
	client := v.Group.Dir + "_client.go"
	files := []File{{Path: client, Template: "group.go.tmpl", Data: v, Pos: v.Pos}}
	if c.runtime == ClientGo {
		files = append(files, File{Path: expansion, Template: "expansion.go.tmpl", Data: c.plain(v)})
	}
	fakes := []File{{Path: "fake_" + client, Template: "fake_group.go.tmpl", Data: v, Pos: v.Pos}}
	for _, k := range v.Kinds {
		files = append(files, File{
			Path:     model.FileName("", k.Name, "doc.go", expansion, client),
			Template: "kind.go.tmpl", Data: k, Pos: k.Pos,
		})
		if k.HasOwn() || c.runtime == ClientGo {
			fakes = append(fakes, File{
				Path:     model.FileName("fake_", k.Name, "fake_"+client),
				Template: "fake_kind.go.tmpl", Data: k, Pos: k.Pos,
			})
		}
	}
	set := c.in(dir, v.PackageName(), "Package "+v.PackageName()+" holds the clients of the kinds of "+v.Title()+".", files...)
	if !c.opts.NoFake {
		set = append(set, c.in(path.Join(dir, "fake"), "fake", "Package fake holds fake clients of the kinds of "+v.Title()+", for tests.", fakes...)...)
	}
	return set
}
