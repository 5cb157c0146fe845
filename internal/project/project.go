// Package project is the first API package and controller of a new module, which "gen-all init" writes.
//
// An [API] names a kind, its group and its version; [Default] derives them from the path of the module, and
// [API.Check] validates them. [API.Files] are the files of the project, except for those that are generated from
// them. Package project writes nothing.
package project

import (
	"bytes"
	"embed"
	"go/format"
	"path"
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
}

// File is a file of a project.
type File struct {
	// Path is the slash-separated path below the root directory.
	Path string
	Text []byte
}

//go:embed files/*.tmpl
var files embed.FS

var templates = template.Must(template.New("").Option("missingkey=error").ParseFS(files, "files/*.tmpl"))

// Files returns the files of the project. The API must be valid.
func (a API) Files() ([]File, error) {
	dir := a.Dir()
	var list []File
	for _, f := range []struct{ template, path string }{
		{"doc.go", path.Join(dir, "doc.go")},
		{"types.go", path.Join(dir, "types.go")},
		{"generate.go", "generate.go"},
		{"main.go", "main.go"},
		{"controller.go", "controller.go"},
		{"controller_test.go", "controller_test.go"},
	} {
		var b bytes.Buffer
		if err := templates.ExecuteTemplate(&b, f.template+".tmpl", names{a}); err != nil {
			return nil, err
		}
		text, err := format.Source(b.Bytes()) // imports are sorted by paths that depend on the names
		if err != nil {
			return nil, err
		}
		list = append(list, File{f.path, text})
	}
	return list, nil
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

// ListersDir is the directory of the listers below that of all listers.
func (n names) ListersDir() string { return path.Join(n.label(), n.version().Dir()) }

// Resource is the value of the marker +kubebuilder:resource; empty for its defaults.
func (n names) Resource() string {
	var settings []string
	if n.API.Plural != "" {
		settings = append(settings, "path="+n.API.Plural)
	}
	if n.Cluster {
		settings = append(settings, "scope=Cluster")
	}
	return strings.Join(settings, ",")
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
