package generators

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/openapi"
	"github.com/listwatch/listwatch/generators/model"
	"github.com/listwatch/listwatch/templates"
)

// metaV1 is the package of the types of metadata.
const metaV1 = "k8s.io/apimachinery/pkg/apis/meta/v1"

// metaConfigurations returns the types of metadata whose apply configurations are part of a
// runtime. Of those of client-go, applyconfiguration-gen does not know the last two.
func metaConfigurations(r Runtime) []string {
	names := []string{
		"Condition", "DeleteOptions", "LabelSelector", "LabelSelectorRequirement", "ManagedFieldsEntry",
		"ObjectMeta", "OwnerReference", "TypeMeta", "GroupResource", "Preconditions",
	}
	if r == ClientGo {
		return names[:8]
	}
	return names
}

// metaPackage returns the package of the apply configurations of metadata.
func metaPackage(r Runtime) string {
	if r == ClientGo {
		return "k8s.io/client-go/applyconfigurations/meta/v1"
	}
	return "github.com/listwatch/listwatch/runtime/applyconfigurations/meta/v1"
}

// external returns the packages of apply configurations of types outside of the input, by
// "package.Type".
func (o ApplyConfigurationOptions) external(r Runtime) map[string]string {
	all := map[string]string{}
	for _, name := range metaConfigurations(r) {
		all[metaV1+"."+name] = metaPackage(r)
	}
	for name, pkg := range o.External {
		all[name] = pkg
	}
	return all
}

// structs returns the types of [ApplyConfigurationOptions.external], by package: they have apply
// configurations too if they are part of the input.
func (o ApplyConfigurationOptions) structs() map[string][]string {
	byPackage := map[string][]string{}
	for name := range o.external(o.Runtime) {
		dot := strings.LastIndexByte(name, '.')
		byPackage[name[:dot]] = append(byPackage[name[:dot]], name[dot+1:])
	}
	for _, names := range byPackage {
		slices.Sort(names)
	}
	return byPackage
}

// check validates the types of apply configurations outside of the input.
func (o ApplyConfigurationOptions) check() error {
	for name, pkg := range o.External {
		dot := strings.LastIndexByte(name, '.')
		if dot <= strings.LastIndexByte(name, '/') || !model.IsExported(name[dot+1:]) {
			return fmt.Errorf("%w: --external-applyconfigurations: %q is not a type; use one such as k8s.io/api/apps/v1.Deployment", ErrUsage, name)
		}
		if err := checkImportPath("--external-applyconfigurations", pkg); err != nil || pkg == "" {
			return fmt.Errorf("%w: --external-applyconfigurations: %q is not an import path; use one such as k8s.io/client-go/applyconfigurations/apps/v1", ErrUsage, pkg)
		}
	}
	return nil
}

// ApplyConfigurationEmitter returns the emitter of [ApplyConfiguration]. The run must have
// Structs of [RunOptions] set. It returns an error that wraps [ErrUsage] if opts are invalid.
func ApplyConfigurationEmitter(opts ApplyConfigurationOptions) (Emitter, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	return EmitterFunc(func(in *Input) ([]Tree, error) {
		if !in.Structs {
			return nil, fmt.Errorf("%w: the model has no structs; set Structs of RunOptions", ErrUsage)
		}
		text, err := fs.Sub(templates.FS, "apply")
		if err != nil {
			return nil, err
		}
		checkStructs(in)
		a := applyConfigurations{root: in.Place, configs: configs{}, schemas: map[*model.Struct]string{}, schema: &openapi.Schema{}}
		if opts.OpenAPISchema != "" {
			if err := a.readSchemas(in, opts.OpenAPISchema); err != nil {
				return nil, err
			}
		}
		for name, pkg := range opts.external(in.Runtime) {
			alias := "metav1ac"
			if !strings.HasPrefix(name, metaV1+".") {
				alias = model.ForeignAlias(name[:strings.LastIndexByte(name, '.')]) + "ac"
			}
			a.configs[name] = model.Package{Path: pkg, Alias: alias}
		}
		return []Tree{{Tool: "gen-applyconfiguration", Place: in.Place, Templates: text, Files: a.files(in)}}, nil
	}), nil
}

// configs contains the packages of the apply configurations of types, by "package.Type".
type configs map[string]model.Package

// applyConfigurations lists the files of apply configurations.
type applyConfigurations struct {
	root    Place
	configs configs
	// schemas contains the names of the kinds' schemas, and schema is what is known of them.
	schemas map[*model.Struct]string
	schema  *openapi.Schema
}

// readSchemas reads the schemas of all kinds that can be applied.
func (a *applyConfigurations) readSchemas(in *Input, file string) error {
	document, err := openapi.Read(file)
	if err != nil {
		return fmt.Errorf("%w: --openapi-schema: %w", ErrUsage, err)
	}
	var roots []string
	for _, p := range in.API.Structs {
		for _, s := range p.Structs {
			if s.Kind == nil || !s.Kind.Marked("apply") && !s.Kind.Marked("applyStatus") {
				continue
			}
			name := openapi.Name(p.Types.Path, s.Name)
			if !document.Has(name) {
				in.Warnf(s.Pos, "--openapi-schema has no definition %s, so there is no Extract%s; generate the schema again, or remove +genclient", name, s.Name)
				continue
			}
			a.schemas[s] = name
			roots = append(roots, name)
		}
	}
	a.schema, err = document.Schema(roots)
	if err != nil {
		return fmt.Errorf("--openapi-schema: %w", err)
	}
	return nil
}

// at returns the place of the apply configurations of a package.
func (a *applyConfigurations) at(p *model.StructPackage) Place {
	return a.root.Below(structDir(p))
}

// checkStructs reports packages that would have the same output directory, and structs that would
// share a file.
func checkStructs(in *Input) {
	places := map[string]*model.StructPackage{}
	for _, p := range in.API.Structs {
		place := structDir(p)
		if other := places[place]; other != nil {
			in.Errorf(p.Pos, "apply configurations of packages %s and %s would both be generated into %s; rename the directory above one of them, or exclude one with --exclude=%s",
				other.Types.Path, p.Types.Path, place, p.Types.Path)
		}
		places[place] = p
		for i, t := range p.Structs {
			if i > 0 && strings.EqualFold(t.Name, p.Structs[i-1].Name) {
				in.Errorf(t.Pos, "types %s and %s differ only in case, and their apply configurations would share a file; rename one", p.Structs[i-1].Name, t.Name)
			}
		}
	}
}

// structDir returns the directory of the apply configurations of a package.
func structDir(p *model.StructPackage) string {
	return strings.ToLower(path.Join(p.GroupDir, p.VersionDir))
}

func (a *applyConfigurations) files(in *Input) []File {
	var packages []*model.StructPackage
	for _, p := range in.API.Structs {
		packages = append(packages, p)
		for _, s := range p.Structs {
			a.configs[p.Types.Path+"."+s.Name] = model.Package{Path: a.at(p).Pkg, Alias: p.Types.Alias + "ac"}
		}
	}
	utils := applyUtils{Internal: a.internal(), Packages: make([]*applyPackage, len(packages))}
	var files []File
	for i, p := range packages {
		pkg := &applyPackage{StructPackage: p, Config: model.Package{Path: a.at(p).Pkg, Alias: p.Types.Alias + "ac"}}
		utils.Packages[i] = pkg
		for _, s := range p.Structs {
			data := a.applyStruct(pkg, s)
			if s.Kind != nil && (!data.Sets("Name") || !data.Sets("Kind")) {
				in.Warnf(s.Pos, "type %s does not embed metav1.TypeMeta and metav1.ObjectMeta with JSON tags, so it has no apply configuration; embed them, or add +genclient:skipVerbs=apply,applyStatus", s.Name)
				continue
			}
			pkg.Configs = append(pkg.Configs, data)
			files = append(files, File{
				Path:        path.Join(structDir(p), model.FileName("", s.Name)),
				PackageName: model.PackageName(strings.ToLower(p.VersionDir), "version"),
				Template:    "struct.go.tmpl", Data: data, Pos: s.Pos,
			})
		}
	}
	slices.SortFunc(utils.Packages, func(x, y *applyPackage) int {
		return strings.Compare(structDir(x.StructPackage), structDir(y.StructPackage))
	})
	if !slices.ContainsFunc(packages, (*model.StructPackage).HasKinds) && in.Runtime == Listwatch {
		return files
	}
	return append(files,
		File{
			Path: "utils.go", PackageName: model.PackageName(path.Base(a.root.Pkg), "apply"),
			Doc: fmt.Sprintf(applyDoc, model.PackageName(path.Base(a.root.Pkg), "apply")), Template: "utils.go.tmpl", Data: utils,
		},
		File{Path: "internal/internal.go", PackageName: "internal", Template: "internal.go.tmpl", Data: a.schema},
	)
}

// applyDoc is the comment of the package with ForKind.
const applyDoc = `Package %[1]s contains apply configurations, one package per API group and version: the types
that requests of server-side apply consist of. Each mirrors an API type, with fields that can be
absent, and has a With method for each field that sets it and returns its receiver, so that calls
can be chained. A constructor sets what identifies an object. None of it is safe for concurrent use.`

func (a *applyConfigurations) internal() model.Package {
	return model.Package{Path: path.Join(a.root.Pkg, "internal"), Alias: "internal"}
}
