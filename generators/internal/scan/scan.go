// Package scan builds the model from the packages of a run: it finds the marked types, parses their
// markers, and checks that the code for them can be generated.
//
// A [Source] is a package with its group and version. Some input has no meaning for code-generator:
// kubebuilder's markers, a +groupName outside doc.go, a Status in an embedded struct. With
// [Options.Extended], this input is used; without it, scan ignores it like code-generator and adds
// a warning.
package scan

import (
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/internal/parallel"
	"github.com/listwatch/listwatch/generators/internal/resolve"
	"github.com/listwatch/listwatch/generators/internal/schema"
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

// Options configure [Scan].
type Options struct {
	// Extended uses input that code-generator ignores.
	Extended bool
	// Clients reports whether clients are generated, which need a kind's list type, and Fakes
	// whether fakes are, which need its fields.
	Clients, Fakes bool
	// Imports maps import paths to the names under which generated code always imports them.
	Imports map[string]string
	// PluralExceptions maps kinds to their plurals.
	PluralExceptions map[string]string
	// IncludedTypes maps "group/version" to the types to use, marked or not. The group is
	// its API name or its directory name.
	IncludedTypes map[string][]string
	// ReadStructs reads the structs of kinds with the verb apply, and Structs lists more structs
	// to read, by the import paths of their packages.
	ReadStructs bool
	Structs     map[string][]string
	// TypeDecls reads the types that packages declare.
	TypeDecls bool
	// PackagesOnly reads the packages, but no kinds.
	PackagesOnly bool
	// Copies plans the deepcopy functions of packages.
	Copies bool
	// Registers plans the registrations of packages.
	Registers bool
	// Permissions and Webhooks read the markers about programs, of the sources and of Programs, which are read for them alone.
	Permissions, Webhooks bool
	Programs              []*load.Package
	// CRDs selects what is read of CustomResourceDefinitions; nil for nothing. Resolver and Diags in it
	// are set by Scan.
	CRDs *schema.Options
	// Slow warns about fields of kinds that runtime/codec decodes slowly.
	Slow bool
	// LintRules are the rules with which packages are checked.
	LintRules []string
	// Diags receives errors and warnings.
	Diags *diag.List
}

// Scan returns the model of the sources. Versions of a group are in the order of the sources,
// groups in the order of their directory names.
func Scan(sources []Source, opts Options) *model.API {
	s := &scanner{Options: opts, plurals: model.NewPlurals(opts.PluralExceptions), resolver: resolve.New(), methodsOf: map[*load.Type][]marker.Method{}}
	s.parseAhead(sources)
	s.lintTypes(sources)
	var versions []*version
	for _, src := range sources {
		s.lint(src.Package)
		if s.PackagesOnly {
			continue
		}
		if v := s.version(src); v != nil {
			versions = append(versions, v)
		}
	}
	s.unmatched()
	api := s.group(versions)
	s.nameGroups(api)
	s.checkGroups(api)
	api.Packages = packages(sources, versions)
	if s.Copies {
		s.copies(api.Packages, sources)
	}
	if s.Registers {
		s.registers(api.Packages, sources)
	}
	if s.CRDs != nil {
		s.definitions(api.Packages, sources)
		s.served(api)
	}
	if s.Permissions || s.Webhooks {
		api.Manifests = s.manifests(sources)
	}
	if s.Clients {
		s.checkInstall(versions)
	}
	if s.Slow {
		s.slowFields(sources, versions)
	}
	for _, v := range versions {
		if s.Clients {
			for i, kind := range v.Kinds {
				s.methods(v, kind, v.found[i])
			}
		}
		s.checkPlurals(v)
	}
	if s.ReadStructs {
		s.structs(api, sources, versions)
	}
	if s.TypeDecls {
		s.typeDecls(api.Packages, sources)
	}
	return api
}

// parseAhead concurrently parses the files that are always needed, and looks for near misses
// of markers in all files.
func (s *scanner) parseAhead(sources []Source) {
	parallel.Each(len(sources), func(i int) {
		p := sources[i].Package
		s.nearMisses(p)
		p.Files(func(*load.File) bool { return true }, packageWords...)
		p.Files(func(*load.File) bool { return true }, typeWord)
	})
}

// Words in all files with markers of a package, and of types.
var packageWords = []string{"+groupName", "+groupGoName", "-gen=false", "+k8s:register-gen"}

const typeWord = "genclient"

type scanner struct {
	Options
	plurals   *model.Plurals
	resolver  *resolve.Resolver
	methodsOf map[*load.Type][]marker.Method // those of kinds
	aliases   map[string]string              // import path to import name
	// kinds are the kinds that were found, and names the keys of versions in
	// IncludedTypes.
	kinds, names []string
}

// version is a version under construction.
type version struct {
	*model.Version
	src     Source
	markers marker.Package
	// found contains the types of Kinds, in the same order.
	found []found
}

// found is a marked type.
type found struct {
	decl    *load.Type
	markers marker.Type
}

// version reads one package. It returns nil if there is nothing to generate.
func (s *scanner) version(src Source) *version {
	v := &version{
		src:     src,
		markers: s.packageMarkers(src.Package, new(diag.List)), // errors matter only in packages with kinds
		Version: &model.Version{Types: model.Package{Path: src.Package.Path}, Pos: packagePos(src.Package)},
	}
	v.Off = v.markers.Off
	if doc := src.Package.DocFile(); doc != nil {
		v.Markers = marker.Tags(doc.Comments())
	}
	types := s.marked(src)
	if names, ok := s.included(v); ok {
		types = s.only(v, names)
	}
	if len(types) == 0 && !src.Named {
		return nil
	}
	v.markers = s.packageMarkers(src.Package, s.Diags)
	if mixed := src.Package.Mixed; mixed != "" {
		s.Diags.Errorf(v.Pos, "directory contains files of packages %s; move the files of one package elsewhere", mixed)
	}
	if v.src.GroupDir == "" {
		s.groupByPath(v, types)
	}
	v.Name = v.src.Version
	for _, f := range types {
		s.kinds = append(s.kinds, f.decl.Name)
		if kind := s.kind(v, f); kind != nil {
			v.Kinds = append(v.Kinds, kind)
			v.found = append(v.found, f)
			s.methodsOf[f.decl] = f.markers.Methods
		}
	}
	s.declarations(v)
	return v
}

// packagePos returns the position of a package in messages: the start of doc.go, or of its
// first file.
func packagePos(p *load.Package) token.Position {
	return token.Position{Filename: p.Main(), Line: 1, Column: 1}
}

// packageMarkers parses the markers of a package: all comments of doc.go, like
// code-generator, and with Extended, the package comments of other files.
func (s *scanner) packageMarkers(p *load.Package, diags *diag.List) marker.Package {
	var doc, elsewhere []load.Line
	p.Files(func(f *load.File) bool {
		if f.Base() == "doc.go" {
			doc = append(doc, f.Comments()...)
		} else if f.Syntax.Doc != nil {
			elsewhere = append(elsewhere, f.Lines(f.Syntax.Doc)...)
		}
		return true
	}, packageWords...)
	if s.Extended {
		return marker.ParsePackage(append(doc, elsewhere...), diags)
	}
	markers := marker.ParsePackage(doc, diags)
	other := marker.ParsePackage(elsewhere, new(diag.List)) // ignored markers cannot be errors
	newName := other.HasGroupName && (!markers.HasGroupName || markers.GroupName != other.GroupName)
	newGoName := other.GroupGoName != "" && markers.GroupGoName != other.GroupGoName
	if newName || newGoName {
		diags.Warnf(other.At, "marker is ignored because code-generator reads +groupName and +groupGoName only in doc.go; move it there")
	}
	return markers
}

// marked returns the types of a package that are marked +genclient, in the order of the generated
// code.
func (s *scanner) marked(src Source) []found {
	var types []found
	first := map[string]token.Position{} // by the type's name
	src.Package.Files(func(f *load.File) bool {
		owned := map[token.Pos]bool{}
		for _, t := range f.Types() {
			for _, group := range t.Comments {
				owned[group.Pos()] = true
			}
			if at, again := first[t.Name]; again {
				s.Diags.Errorf(t.Pos(), "type %s is already declared at %s:%d; remove one declaration", t.Name, filepath.Base(at.Filename), at.Line)
				continue
			}
			first[t.Name] = t.Pos()
			if m := marker.ParseType(s.lines(t), s.Diags); m.GenClient {
				types = append(types, found{decl: t, markers: m})
			}
		}
		for _, group := range f.Syntax.Comments {
			if owned[group.Pos()] {
				continue
			}
			if pos, ok := marker.Mentions(f.Lines(group)); ok {
				s.Diags.Fix(attach(f, group)...).Warnf(pos, "marker is not attached to a type and is ignored; move it to the doc comment of the type, or to a comment one blank line above that")
			}
		}
		return true
	}, typeWord)
	sortFound(types)
	return types
}

// nearMisses reports comment lines that resemble markers; markers about deepcopy functions only if
// these are planned.
func (s *scanner) nearMisses(p *load.Package) {
	p.FilesWhere(func(f *load.File) bool {
		for _, line := range f.Comments() {
			if meant, ok := marker.Near(line); ok && (s.Copies || !marker.IsCopy(meant)) && !s.linted(f, line) {
				at := strings.IndexByte(line.Text, '+')
				line.Pos.Column += at
				var edits []diag.Edit
				if at == 0 { // else it has an asterisk before it, with which no marker has an effect
					edits = []diag.Edit{{Line: line.Pos.Line, Column: line.Pos.Column, Old: line.Text, New: meant}}
				}
				s.Diags.Fix(edits...).Warnf(line.Pos, "%q has no effect; did you mean %s?", line.Text, meant)
			}
		}
		return true
	}, marker.MayMiss)
}

// lines returns the comments that apply to a type. In code-generator, they include those of
// the preceding declaration if it has only one line.
func (s *scanner) lines(t *load.Type) []load.Line {
	if t.Borrowed == nil || s.Extended {
		return t.OwnLines()
	}
	if pos, ok := marker.Mentions(t.File.Lines(t.Borrowed)); ok {
		s.Diags.Warnf(pos, "code-generator also applies this marker to type %s, two lines below; insert a blank line above type %s", t.Name, t.Name)
	}
	return t.Lines()
}

func sortFound(types []found) {
	slices.SortStableFunc(types, func(a, b found) int {
		return strings.Compare(model.Private(a.decl.Name), model.Private(b.decl.Name))
	})
}

// included returns the types in --included-types-overrides for a version.
func (s *scanner) included(v *version) ([]string, bool) {
	dir, version := v.src.GroupDir, v.src.Version
	if dir == "" {
		dir, version = path.Base(path.Dir(v.src.Package.Path)), path.Base(v.src.Package.Path)
	}
	names := []string{dir + "/" + version}
	if v.markers.HasGroupName {
		names = append(names, v.markers.GroupName+"/"+version)
	}
	s.names = append(s.names, names...)
	for _, name := range names {
		if types, ok := s.IncludedTypes[name]; ok {
			return types, true
		}
	}
	return nil, false
}

// only returns the named types of a package, marked or not.
func (s *scanner) only(v *version, names []string) []found {
	var types []found
	for _, name := range names {
		decl := v.src.Package.Lookup(name)
		if decl == nil {
			s.Diags.Suspectf(v.Pos, "type %s, named by --included-types-overrides, is not declared in package %s; declare it, or remove it from the flag", name, v.src.Package.Path)
			continue
		}
		types = append(types, found{decl: decl, markers: marker.ParseType(s.lines(decl), s.Diags)})
	}
	sortFound(types)
	return types
}

// groupByPath derives group and version from the path of a package: the last two elements, or
// only the last for internal types, which have no JSON names.
func (s *scanner) groupByPath(v *version, types []found) {
	p := v.src.Package.Path
	if s.internal(types) {
		v.src.GroupDir, v.src.Version = path.Base(p), ""
		if versionName.MatchString(path.Base(p)) {
			s.Diags.Warnf(types[0].decl.Pos(), "ObjectMeta of type %s has no JSON name, so package %s is read as the internal version of group %q; if it is not, add the tag `json:\"metadata,omitempty\"`",
				types[0].decl.Name, p, path.Base(p))
		}
		return
	}
	v.src.GroupDir, v.src.Version = path.Base(path.Dir(p)), path.Base(p)
	if v.src.GroupDir == "." || v.src.GroupDir == "/" {
		s.Diags.Errorf(v.Pos, "path of package %s contains no group and version; move the types to a directory such as apis/GROUP/v1", p)
	}
}

// versionName matches version names according to the API conventions.
var versionName = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// internal reports whether the types belong to an internal version. The first type with
// ObjectMeta determines it.
func (s *scanner) internal(types []found) bool {
	for _, f := range types {
		if meta, _ := f.decl.Field("ObjectMeta", true); meta != nil {
			return !strings.Contains(meta.Tag, "json")
		}
	}
	return false
}

// declarations looks up the package's declarations about its group. Missing ones are not an
// error if they are generated: by this run, or another one.
func (s *scanner) declarations(v *version) {
	p := v.src.Package
	generated := s.registration(p, v.markers, new(diag.List)) != nil
	v.GroupVersionVar = "SchemeGroupVersion"
	v.HasResource = p.Declares("Resource") || generated
	if !generated && !p.Declares("SchemeGroupVersion") && p.Declares("GroupVersion") {
		v.GroupVersionVar = "GroupVersion"
	}
	var missing []string
	if !generated && !p.Declares(v.GroupVersionVar) {
		missing = append(missing, "variable "+v.GroupVersionVar)
	}
	if s.Clients && !generated && !p.Declares("AddToScheme") {
		missing = append(missing, "function AddToScheme")
	}
	if len(missing) == 0 || len(v.Kinds) == 0 {
		return
	}
	s.Diags.Suspectf(v.Pos, "package %s does not declare %s, which generated code uses; declare it as register.go of Kubernetes API packages does, or add +k8s:register-gen=package to doc.go to have gen-all or gen-register generate it%s",
		p.Path, strings.Join(missing, " and "), leaveOut(p))
}

// leaveOut returns the advice to exclude a package.
func leaveOut(p *load.Package) string { return "; or exclude the package with --exclude=" + p.Path }
