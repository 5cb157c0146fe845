package generators

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/kinds"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/model"
)

// A run of [All] can name some of the packages whose clients are in the output directory. It also reads the others, so
// that their clients stay: the scheme of the earlier clientset lists them, and clients of views name theirs. Packages
// without clients can have apply configurations, whose directories have the last two elements of their paths.

// earlier returns the packages of the output directory that are not among the sources, except those that the options
// exclude, those that do not exist any more, and those whose place in the output a source takes.
func (r *run) earlier(place Place, sources []kinds.Source) []*load.Package {
	if len(r.opts.Groups) > 0 {
		return nil
	}
	named := kinds.Packages(sources)
	list := slices.Clone(named)
	add := func(path string) {
		if slices.ContainsFunc(list, func(p *load.Package) bool { return lastTwo(p.Path) == lastTwo(path) }) {
			return
		}
		if p, err := sources[0].Package.Import(path); err == nil && !r.excluded(p) {
			list = append(list, p)
		}
	}
	set := filepath.Join(place.Dir, "clientset", r.opts.all.name())
	r.registered = append(registeredIn(filepath.Join(set, "scheme", "register.go")), viewedIn(filepath.Join(set, "typed"))...)
	for _, path := range r.registered {
		add(path)
	}
	dirs := slices.DeleteFunc(earlierApply(place.Below(applyDir).Dir), func(dir string) bool {
		return slices.ContainsFunc(list, func(p *load.Package) bool { return lastTwo(p.Path) == dir })
	})
	for i := 0; i < len(list) && len(dirs) > 0; i++ { // the list grows
		list[i].Files(func(f *load.File) bool {
			for _, spec := range f.Syntax.Imports {
				path, err := strconv.Unquote(spec.Path.Value)
				if err == nil && slices.Contains(dirs, lastTwo(path)) {
					add(path)
				}
			}
			return true
		}, dirs...)
	}
	return list[len(named):]
}

// lastTwo returns the last two elements of an import path, which are the directories of group and version.
func lastTwo(importPath string) string {
	above, version := path.Split(importPath)
	return path.Join(path.Base(above), version)
}

// earlierApply returns the directories of earlier apply configurations, as GROUP/VERSION.
func earlierApply(root string) []string {
	files, _ := filepath.Glob(filepath.Join(root, "*", "*", "*.go")) // the pattern is valid
	var dirs []string
	for _, name := range files {
		if dir, err := filepath.Rel(root, filepath.Dir(name)); err == nil {
			dirs = append(dirs, filepath.ToSlash(dir))
		}
	}
	return slices.Compact(dirs)
}

// registeredIn returns the import paths of the packages whose AddToScheme a Go file uses; none if it cannot be read.
func registeredIn(name string) []string {
	return qualifiers(name, func(n ast.Node) (ast.Expr, bool) {
		selector, ok := n.(*ast.SelectorExpr)
		return selector, ok && selector.Sel.Name == "AddToScheme"
	})
}

// viewedIn returns the import paths of the packages of views that have clients in the directories below root.
func viewedIn(root string) []string {
	files, _ := filepath.Glob(filepath.Join(root, "*", "*", "*.go")) // the pattern is valid
	var paths []string
	for _, name := range files {
		paths = append(paths, qualifiers(name, func(n ast.Node) (ast.Expr, bool) {
			literal, ok := n.(*ast.CompositeLit)
			if !ok {
				return nil, false
			}
			view, ok := literal.Type.(*ast.IndexListExpr)
			if !ok {
				return nil, false
			}
			generic, ok := view.X.(*ast.SelectorExpr)
			object, isPointer := view.Indices[0].(*ast.StarExpr)
			if !ok || generic.Sel.Name != "View" || !isPointer {
				return nil, false
			}
			return object.X, true
		})...)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// qualifiers returns the import paths of the packages in the qualified names that find returns for nodes of a Go file,
// sorted; none if the file cannot be read.
func qualifiers(name string, find func(ast.Node) (ast.Expr, bool)) []string {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		return nil
	}
	imports := map[string]string{} // by name
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err == nil && spec.Name != nil {
			imports[spec.Name.Name] = path
		}
	}
	var paths []string
	ast.Inspect(file, func(n ast.Node) bool {
		if e, ok := find(n); ok {
			if selector, ok := e.(*ast.SelectorExpr); ok {
				if x, ok := selector.X.(*ast.Ident); ok && imports[x.Name] != "" {
					paths = append(paths, imports[x.Name])
				}
			}
		}
		return true
	})
	slices.Sort(paths)
	return slices.Compact(paths)
}

// nothing reports whether the named packages request nothing: they have no kinds and no markers of other generators,
// and no client of an earlier run that is to be removed.
func (r *run) nothing(in *input) bool {
	named := func(path string) bool {
		return slices.ContainsFunc(in.packages, func(p *load.Package) bool { return p.Path == path })
	}
	switch {
	case len(in.api.Manifests) > 0, r.manifested:
		return false
	case slices.ContainsFunc(r.registered, named):
		return false
	case slices.ContainsFunc(in.api.Versions(), func(v *model.Version) bool { return len(v.Kinds) > 0 && named(v.Types.Path) }):
		return false
	case slices.ContainsFunc(in.api.Structs, func(p *model.StructPackage) bool { return named(p.Types.Path) }):
		return false
	}
	return !slices.ContainsFunc(in.api.Packages, func(p *model.APIPackage) bool { return requests(p) && named(p.Types.Path) })
}

// excluded reports whether the options exclude a package.
func (r *run) excluded(p *load.Package) bool {
	return slices.ContainsFunc(r.opts.Exclude, func(pattern string) bool { return r.matcher(pattern)(p) })
}

// shownPackages returns the directories of packages below the directory of the run, and the import paths of others.
func (r *run) shownPackages(list []*load.Package) []string {
	var names []string
	for _, p := range list {
		name := p.Path
		if rel, err := filepath.Rel(r.opts.Dir, p.Dir); err == nil && p.Module.Main && !strings.HasPrefix(rel, "..") {
			name = "./" + filepath.ToSlash(rel)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
