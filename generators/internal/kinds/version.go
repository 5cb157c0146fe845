package kinds

import (
	"go/ast"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/internal/versions"
	"github.com/listwatch/listwatch/generators/model"
)

// version is a version under construction.
type version struct {
	*model.Version
	src     Source
	markers marker.Package
}

// version reads one package. It returns nil if there is nothing to generate.
func (r *reader) version(src Source) *version {
	v := &version{
		src:     src,
		markers: marker.OfPackage(src.Package, r.Extended, new(diag.List)), // errors matter only in packages with kinds
		Version: &model.Version{Types: model.Package{Path: src.Package.Path}, Pos: src.Package.Pos()},
	}
	v.Off = v.markers.Off
	if doc := src.Package.DocFile(); doc != nil {
		v.Markers = marker.Tags(doc.Comments())
	}
	types := r.marked(src)
	if names, ok := r.included(v); ok {
		types = r.only(v, names)
	}
	if len(types) == 0 && !src.Named {
		return nil
	}
	v.markers = marker.OfPackage(src.Package, r.Extended, r.Diags)
	if mixed := src.Package.Mixed; mixed != "" {
		r.Diags.Errorf(v.Pos, "directory contains files of packages %s; move the files of one package elsewhere", mixed)
	}
	if v.src.GroupDir == "" {
		r.groupByPath(v, types)
	}
	v.Name = v.src.Version
	for _, f := range types {
		r.kinds = append(r.kinds, f.Type.Name)
		if kind := r.kind(v, f); kind != nil {
			v.Kinds = append(v.Kinds, kind)
			r.declarations[kind] = f
		}
	}
	return v
}

// marked returns the types of a package that are marked +genclient, in the order of the generated
// code.
func (r *reader) marked(src Source) []Declaration {
	var types []Declaration
	first := map[string]token.Position{} // by the type's name
	src.Package.Files(func(f *load.File) bool {
		for _, t := range f.Types() {
			if at, again := first[t.Name]; again {
				r.Diags.Errorf(t.Pos(), "type %s is already declared at %s:%d; remove one declaration", t.Name, filepath.Base(at.Filename), at.Line)
				continue
			}
			first[t.Name] = t.Pos()
			if m := marker.ParseType(marker.TypeLines(t, r.Extended, r.Diags), r.Diags); m.GenClient {
				types = append(types, Declaration{t, m})
			}
		}
		for _, group := range unattached(f, typeWord) {
			if pos, ok := marker.Mentions(f.Lines(group)); ok {
				r.Diags.Fix(attach(f, group)...).Warnf(pos, "marker is not attached to a type and is ignored; move it to the doc comment of the type, or to a comment one blank line above that")
			}
		}
		return true
	}, typeWord)
	sortFound(types)
	return types
}

// unattached returns the comments of a file that contain a word and belong to no type.
func unattached(f *load.File, word string) []*ast.CommentGroup {
	owned := map[token.Pos]bool{}
	for _, t := range f.Types() {
		for _, group := range t.Comments {
			owned[group.Pos()] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(f.Syntax.Comments), func(group *ast.CommentGroup) bool {
		return owned[group.Pos()] || !slices.ContainsFunc(group.List, func(c *ast.Comment) bool { return strings.Contains(c.Text, word) })
	})
}

func sortFound(types []Declaration) {
	slices.SortStableFunc(types, func(a, b Declaration) int {
		return strings.Compare(model.Private(a.Type.Name), model.Private(b.Type.Name))
	})
}

// included returns the types in --included-types-overrides for a version.
func (r *reader) included(v *version) ([]string, bool) {
	dir, version := v.src.GroupDir, v.src.Version
	if dir == "" {
		dir, version = path.Base(path.Dir(v.src.Package.Path)), path.Base(v.src.Package.Path)
	}
	names := []string{dir + "/" + version}
	if v.markers.HasGroupName {
		names = append(names, v.markers.GroupName+"/"+version)
	}
	r.names = append(r.names, names...)
	for _, name := range names {
		if types, ok := r.IncludedTypes[name]; ok {
			return types, true
		}
	}
	return nil, false
}

// only returns the named types of a package, marked or not.
func (r *reader) only(v *version, names []string) []Declaration {
	var types []Declaration
	for _, name := range names {
		decl := v.src.Package.Lookup(name)
		if decl == nil {
			r.Diags.Suspectf(v.Pos, "type %s, named by --included-types-overrides, is not declared in package %s; declare it, or remove it from the flag", name, v.src.Package.Path)
			continue
		}
		types = append(types, Declaration{decl, marker.ParseType(marker.TypeLines(decl, r.Extended, r.Diags), r.Diags)})
	}
	sortFound(types)
	return types
}

// groupByPath derives group and version from the path of a package: the last two elements, or
// only the last for internal types, which have no JSON names.
func (r *reader) groupByPath(v *version, types []Declaration) {
	p := v.src.Package.Path
	if r.internal(types) {
		v.src.GroupDir, v.src.Version = path.Base(p), ""
		if versions.IsVersion(path.Base(p)) {
			r.Diags.Warnf(types[0].Type.Pos(), "ObjectMeta of type %s has no JSON name, so package %s is read as the internal version of group %q; if it is not, add the tag `json:\"metadata,omitempty\"`",
				types[0].Type.Name, p, path.Base(p))
		}
		return
	}
	v.src.GroupDir, v.src.Version = path.Base(path.Dir(p)), path.Base(p)
	if v.src.GroupDir == "." || v.src.GroupDir == "/" {
		r.Diags.Errorf(v.Pos, "path of package %s contains no group and version; move the types to a directory such as apis/GROUP/v1", p)
	}
}

// internal reports whether the types belong to an internal version. The first type with
// ObjectMeta determines it.
func (r *reader) internal(types []Declaration) bool {
	for _, f := range types {
		if meta, _ := f.Type.Field("ObjectMeta", true); meta != nil {
			return !strings.Contains(meta.Tag, "json")
		}
	}
	return false
}

// leaveOut returns the advice to exclude a package.
func leaveOut(p *load.Package) string { return "; or exclude the package with --exclude=" + p.Path }
