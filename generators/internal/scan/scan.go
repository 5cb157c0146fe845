// Package scan makes the model of the packages that a run reads: it finds the
// types that are marked, reads their markers, and checks that what the markers
// ask for can be printed.
//
// A [Source] is a package and the group and version that its path says. Where
// the source of a package says more than code-generator reads (kubebuilder's
// markers, a +groupName outside doc.go, a Status that an embedded struct brings),
// [Options.Extended] decides: with it, what is said counts; without it, the model
// is what code-generator would make of it, and a warning says so.
package scan

import (
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/internal/model"
)

// Source is a package to read.
type Source struct {
	Package *load.Package
	// GroupDir and Version are what the path says of group and version. An empty
	// GroupDir says that the package's own path decides.
	GroupDir, Version string
	// Named says that the package was asked for by name, so that it is part of
	// the output even if no type in it is marked.
	Named bool
}

// Options say how sources are read.
type Options struct {
	// Extended makes count what code-generator does not read.
	Extended bool
	// Clients says that clients are emitted, which need a kind's list type, and Fakes
	// that fakes are, which need what is in it.
	Clients, Fakes bool
	// Imports holds the names under which emitted code imports packages of its own, by
	// path.
	Imports map[string]string
	// PluralExceptions maps kinds to their plurals.
	PluralExceptions map[string]string
	// IncludedTypes maps "group/version" to the only types wanted of it, marked
	// or not. The group is named as in the API or by its folder.
	IncludedTypes map[string][]string
	// LintRules are the rules, of this package, that packages are held to.
	LintRules []string
	// Diags takes the faults.
	Diags *diag.List
}

// Scan returns the model of the sources. Versions of a group stand in the order
// of the sources, groups in the order of their folders' names.
func Scan(sources []Source, opts Options) *model.API {
	s := &scanner{Options: opts, plurals: model.NewPlurals(opts.PluralExceptions)}
	s.parseAhead(sources)
	var versions []*version
	for _, src := range sources {
		if v := s.version(src); v != nil {
			versions = append(versions, v)
		}
	}
	s.unmatched()
	api := s.group(versions)
	s.nameGroups(api)
	s.checkGroups(api)
	if s.Clients {
		s.checkInstall(versions)
	}
	for _, v := range versions {
		if s.Clients {
			for i, kind := range v.Kinds {
				s.methods(v, kind, v.found[i])
			}
		}
		s.checkPlurals(v)
	}
	return api
}

// parseAhead parses the files that are read in any case, and looks for near misses of
// markers in all, several packages at a time.
func (s *scanner) parseAhead(sources []Source) {
	var wg sync.WaitGroup
	for _, src := range sources {
		wg.Go(func() {
			s.nearMisses(src.Package)
			src.Package.Files(func(*load.File) bool { return true }, packageWords...)
			src.Package.Files(func(*load.File) bool { return true }, typeWord)
		})
	}
	wg.Wait()
}

// The words by which files are found that can hold markers of a package, and of
// types.
var packageWords = []string{"+groupName", "+groupGoName", "-gen=false", "+k8s:register-gen"}

const typeWord = "genclient"

type scanner struct {
	Options
	plurals *model.Plurals
	aliases map[string]string // import path to the name under which it is imported
	// kinds and names are the kinds that were found, and the names that versions have
	// in IncludedTypes.
	kinds, names []string
}

// version is a version in the making.
type version struct {
	*model.Version
	src     Source
	markers marker.Package
	// found holds what the kinds, in their order, were made of.
	found []found
}

// found is a marked type.
type found struct {
	decl    *load.Type
	markers marker.Type
}

// version reads one package. It returns nil if nothing is to be made of it.
func (s *scanner) version(src Source) *version {
	v := &version{
		src:     src,
		markers: s.packageMarkers(src.Package, new(diag.List)), // faults count in packages with kinds
		Version: &model.Version{Types: model.Package{Path: src.Package.Path}, Pos: packagePos(src.Package)},
	}
	v.Off = v.markers.Off
	s.lint(src.Package)
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
		s.placeByPath(v, types)
	}
	v.Name = v.src.Version
	for _, f := range types {
		s.kinds = append(s.kinds, f.decl.Name)
		if kind := s.kind(v, f); kind != nil {
			v.Kinds = append(v.Kinds, kind)
			v.found = append(v.found, f)
		}
	}
	s.declarations(v)
	return v
}

// packagePos returns the place of a package in messages: the top of doc.go, or of
// its first file.
func packagePos(p *load.Package) token.Position {
	return token.Position{Filename: p.Main(), Line: 1, Column: 1}
}

// packageMarkers reads the markers of a package: all comments of doc.go, as
// code-generator does, and where Extended, the package comments of other files.
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
	other := marker.ParsePackage(elsewhere, new(diag.List)) // faults in what does not count do not either
	newName := other.HasGroupName && (!markers.HasGroupName || markers.GroupName != other.GroupName)
	newGoName := other.GroupGoName != "" && markers.GroupGoName != other.GroupGoName
	if newName || newGoName {
		diags.Warnf(other.At, "marker is ignored because code-generator reads +groupName and +groupGoName only in doc.go; move it there")
	}
	return markers
}

// marked returns the types of a package that bear +genclient, in the order in
// which they are printed.
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
				s.Diags.Warnf(pos, "marker is not attached to a type and is ignored; move it to the doc comment of the type, or to a comment one blank line above that")
			}
		}
		return true
	}, typeWord)
	sortFound(types)
	return types
}

// nearMisses reports the lines of comments that are almost markers.
func (s *scanner) nearMisses(p *load.Package) {
	p.FilesWhere(func(f *load.File) bool {
		for _, line := range f.Comments() {
			if meant, ok := marker.Near(line); ok && !s.linted(f, line) {
				line.Pos.Column += strings.IndexByte(line.Text, '+')
				s.Diags.Suspectf(line.Pos, "%q has no effect; did you mean %s?", line.Text, meant)
			}
		}
		return true
	}, marker.MayMiss)
}

// lines returns the comments that count for a type. Code-generator counts those of the
// declaration above it too if that has one line.
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

// included returns the types that --included-types-overrides names for a version.
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

// placeByPath takes group and version from the path of a package: the last two
// elements, or only the last for internal types, which have no JSON names.
func (s *scanner) placeByPath(v *version, types []found) {
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

// versionName matches what a version is called by the API conventions.
var versionName = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// internal reports whether the types are of an internal version: the first that
// has ObjectMeta decides.
func (s *scanner) internal(types []found) bool {
	for _, f := range types {
		if meta, _ := f.decl.Field("ObjectMeta", true); meta != nil {
			return !strings.Contains(meta.Tag, "json")
		}
	}
	return false
}

// declarations finds out what the package offers to refer to its group. What it lacks
// may still come: register-gen declares all of it.
func (s *scanner) declarations(v *version) {
	p := v.src.Package
	v.GroupVersionVar = "SchemeGroupVersion"
	v.HasResource = p.Declares("Resource") || v.markers.Register
	if !p.Declares("SchemeGroupVersion") && p.Declares("GroupVersion") {
		v.GroupVersionVar = "GroupVersion"
	}
	var missing []string
	if !p.Declares(v.GroupVersionVar) {
		missing = append(missing, "variable "+v.GroupVersionVar)
	}
	if s.Clients && !p.Declares("AddToScheme") {
		missing = append(missing, "function AddToScheme")
	}
	if len(missing) == 0 || len(v.Kinds) == 0 || v.markers.Register {
		return
	}
	s.Diags.Suspectf(v.Pos, "package %s does not declare %s, which generated code uses; declare it as register.go of Kubernetes API packages does, or add +k8s:register-gen=package to doc.go and run register-gen%s",
		p.Path, strings.Join(missing, " and "), leaveOut(p))
}

// leaveOut returns advice on a package that is not meant to be read.
func leaveOut(p *load.Package) string { return "; or exclude the package with --exclude=" + p.Path }
