// Package project is the first API package and controller of a new module, which "gen-all init" writes.
//
// An [API] names a kind, its group and its version; [Default] derives them from the path of the module, and
// [API.Check] validates them. [API.Files] are the files of the project, except for those that are generated from
// them; with [API.Deploy], also those that it needs in production. Package project writes nothing.
package project

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"go/format"
	"path"
	"strconv"
	"strings"
	"text/template"
	"unicode"

	"github.com/listwatch/listwatch/generators"
	"github.com/listwatch/listwatch/generators/model"
)

// API is the API of a new project: one kind.
type API struct {
	// Module is the import path of the project's root directory.
	Module string
	// Group is the API group, such as storage.example.com, and Version its version, such as v1.
	Group, Version string
	// Kind is the name of the type, such as Database.
	Kind string
	// Plural is the resource name of the kind; empty for its English plural.
	Plural string
	// Cluster is whether objects of the kind are in no namespace.
	Cluster bool
	// Deploy is whether the project has what production needs: a program with leader election, health and metrics, its
	// image, manifests and CI.
	Deploy bool
	// Go is the version of Go in the image, such as 1.26.
	Go string
}

// File is a file of a project.
type File struct {
	// Path is the slash-separated path below the root directory.
	Path string
	Text []byte
}

//go:embed files/*.tmpl files/deploy/*.tmpl
var files embed.FS

// Files returns the files of the project. The API must be valid.
func (a API) Files() ([]File, error) {
	dir := a.Dir()
	list := []struct{ template, path string }{
		{"doc.go", path.Join(dir, "doc.go")},
		{"types.go", path.Join(dir, "types.go")},
		{"generate.go", "generate.go"},
		{"controller.go", "controller.go"},
		{"controller_test.go", "controller_test.go"},
	}
	if a.Deploy {
		list = append(list, deployed(a)...)
	} else {
		list = append(list, struct{ template, path string }{"main.go", "main.go"})
	}
	var made []File
	for _, f := range list {
		text, err := a.text(f.template)
		if err != nil {
			return nil, err
		}
		made = append(made, File{f.path, text})
	}
	return made, nil
}

// deployed are the files of a project that is deployed.
func deployed(a API) []struct{ template, path string } {
	return []struct{ template, path string }{
		{"deploy/main.go", "main.go"},
		{"deploy/operator.go", "operator.go"},
		{"deploy/operator_test.go", "operator_test.go"},
		{"deploy/Dockerfile", "Dockerfile"},
		{"deploy/dockerignore", ".dockerignore"},
		{"deploy/ci.yaml", ".github/workflows/ci.yaml"},
		{"deploy/crd_kustomization.yaml", "config/crd/kustomization.yaml"},
		{"deploy/default_kustomization.yaml", "config/default/kustomization.yaml"},
		{"deploy/manager.yaml", "config/manager/manager.yaml"},
		{"deploy/manager_kustomization.yaml", "config/manager/kustomization.yaml"},
		{"deploy/rbac_kustomization.yaml", "config/rbac/kustomization.yaml"},
		{"deploy/service_account.yaml", "config/rbac/service_account.yaml"},
		{"deploy/sample.yaml", fmt.Sprintf("config/samples/%s_%s_%s.yaml", a.label(), a.Version, strings.ToLower(a.Kind))},
	}
}

// text returns the text of a file.
func (a API) text(name string) ([]byte, error) {
	source, err := files.ReadFile("files/" + name + ".tmpl")
	if err != nil {
		return nil, err
	}
	parsed, err := template.New(name).Option("missingkey=error").Parse(string(source))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err = parsed.Execute(&b, names{a}); err != nil {
		return nil, err
	}
	if path.Ext(name) != ".go" {
		return b.Bytes(), nil
	}
	return format.Source(b.Bytes()) // imports are sorted by paths that depend on the names
}

// Patterns returns the packages from which the rest of the project is generated: with Deploy, also the program, whose
// markers request roles.
func (a API) Patterns() string {
	if a.Deploy {
		return "./..."
	}
	return "./apis/..."
}

// Dir returns the slash-separated path of the API package below the root directory.
func (a API) Dir() string { return path.Join("apis", a.label(), a.Version) }

// label returns the first label of the group.
func (a API) label() string {
	label, _, _ := strings.Cut(a.Group, ".")
	return label
}

// names are the names in the files of a project. Those in generated code are the model's.
type names struct{ API }

func (n names) version() *model.Version {
	group := &model.Group{Name: n.Group, Dir: n.Group}
	return &model.Version{Name: n.Version, Group: group, GroupGoName: model.GroupGoName(n.Group, 1)}
}

// Alias is the import name of the API package.
func (n names) Alias() string { return n.version().TypesAlias() }

// Accessor is the clientset's method for the version, FactoryMethod the informer factory's for the group.
func (n names) Accessor() string { return n.version().Accessor() }

func (n names) FactoryMethod() string {
	return model.FactoryMethod(n.version().GroupGoName, generators.Listwatch.FactoryMethods()...)
}

// VersionGo is the version in the names of methods.
func (n names) VersionGo() string { return n.version().VersionGoName() }

// Plural is the kind in the names of methods.
func (n names) Plural() string { return model.NewPlurals(nil).KindNames(n.Kind).Plural }

// VersionDir is the directory of the version below those of all listers and of all clients.
func (n names) VersionDir() string { return path.Join(n.label(), n.version().Dir()) }

// Resource is the value of the marker +kubebuilder:resource; empty for its defaults.
func (n names) Resource() string {
	var settings []string
	if n.API.Plural != "" || n.Deploy { // manifests contain the name
		settings = append(settings, "path="+n.ResourceName())
	}
	if n.Cluster {
		settings = append(settings, "scope=Cluster")
	}
	return strings.Join(settings, ",")
}

// ResourceName is the name of the resource in paths. Without Deploy, the generators derive it from the kind.
func (n names) ResourceName() string { return cmp.Or(n.API.Plural, strings.ToLower(n.Plural())) }

// Base is the name of the project as a part of names in a cluster.
func (n names) Base() string {
	base := strings.Trim(notLabel.ReplaceAllString(strings.ToLower(n.Program()), "-"), "-")
	for _, suffix := range []string{"-operator", "-controller"} {
		base = strings.TrimSuffix(base, suffix)
	}
	base = cmp.Or(base, n.label())
	return strings.TrimRight(base[:min(len(base), maxBase)], "-")
}

// maxBase keeps names that contain Base below 63 characters.
const maxBase = 40

// Name is the name of the controller's lease, label and image, and Namespace that of its namespace.
func (n names) Name() string { return n.Base() + "-controller" }

func (n names) Namespace() string { return n.Base() + "-system" }

// KindText is the kind in YAML. In old YAML, some words are no strings.
func (n names) KindText() string {
	switch strings.ToLower(n.Kind) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return strconv.Quote(n.Kind)
	}
	return n.Kind
}

// Program is the name of the program that "go build" makes, and Title the first word of its package comment.
func (n names) Program() string { return path.Base(trimMajor(n.Module)) }

func (n names) Title() string { return model.Title(n.Program()) }

// Things are objects of the kind in a sentence: "web sites" for WebSite.
func (n names) Things() string { return words(n.Plural()) }

// words returns a name in CamelCase as words: in lower case, except for initialisms.
func words(name string) string {
	var list []string
	runes := []rune(name)
	start := 0
	for i := 1; i <= len(runes); i++ {
		if i < len(runes) && !begins(runes, i) {
			continue
		}
		word := string(runes[start:i])
		if len(word) == 1 || !unicode.IsUpper(runes[start+1]) {
			word = strings.ToLower(word)
		}
		list = append(list, word)
		start = i
	}
	return strings.Join(list, " ")
}

// begins reports whether a word begins at i: an upper-case letter after a lower-case one, or before one.
func begins(runes []rune, i int) bool {
	if !unicode.IsUpper(runes[i]) {
		return false
	}
	return !unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])
}
