package kinds

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/model"
)

// group groups the versions by directory.
func (r *reader) group(versions []*version) *model.API {
	api := &model.API{}
	byDir := map[string]*model.Group{}
	for _, v := range versions {
		g := byDir[v.src.GroupDir]
		if g == nil {
			g = &model.Group{Dir: v.src.GroupDir, Name: v.src.GroupDir}
			byDir[g.Dir] = g
			api.Groups = append(api.Groups, g)
		}
		v.Group = g
		g.Versions = append(g.Versions, v.Version)
	}
	slices.SortFunc(api.Groups, func(a, b *model.Group) int { return strings.Compare(a.Dir, b.Dir) })
	r.groupNames(versions)
	for _, v := range versions {
		v.GroupGoName = model.Title(v.markers.GroupGoName)
	}
	return api
}

// groupNames sets the name of each group according to the markers of its versions.
func (r *reader) groupNames(versions []*version) {
	named := map[*model.Group]*version{}
	for _, v := range versions {
		if !v.markers.HasGroupName {
			continue
		}
		if first := named[v.Group]; first == nil {
			named[v.Group] = v
			v.Group.Name = v.markers.GroupName
		} else if v.markers.GroupName != v.Group.Name {
			r.Diags.Warnf(v.markers.At, "+groupName=%s contradicts +groupName=%s in %s, another version of the group in directory %s; use one name for all versions",
				v.markers.GroupName, v.Group.Name, first.Types.Path, v.Group.Dir)
		}
	}
}

// nameGroups sets the Go names of versions without a +groupGoName: the first label of the
// group, or more labels if another group has the same name. It then sets the import names of
// the packages of types.
func (r *reader) nameGroups(api *model.API) {
	labels := map[string]int{} // number of additional labels in the name, by group
	goName := func(v *model.Version) string {
		if v.GroupGoName != "" {
			return v.GroupGoName
		}
		return model.GroupGoName(v.Group.NonEmptyName(), 1+labels[v.Group.Name])
	}
	for grown := true; grown; {
		grown = false
		groups := map[string]map[string]bool{} // groups by Go name
		for _, v := range api.Versions() {
			folded := strings.ToLower(goName(v)) // import names are lower case
			if groups[folded] == nil {
				groups[folded] = map[string]bool{}
			}
			groups[folded][v.Group.Name] = true
		}
		grow := map[string]bool{}
		for _, v := range api.Versions() {
			longest := labels[v.Group.Name] == strings.Count(v.Group.Name, ".")
			if v.GroupGoName == "" && len(groups[strings.ToLower(goName(v))]) > 1 && !longest {
				grow[v.Group.Name] = true
			}
		}
		for group := range grow {
			labels[group]++
			grown = true
		}
	}
	r.imports = Imports{}
	maps.Copy(r.imports, r.Imports)
	for _, v := range api.Versions() {
		v.GroupGoName = goName(v)
		v.Types.Alias = cmp.Or(r.Imports[v.Types.Path], v.TypesAlias())
		r.imports[v.Types.Path] = v.Types.Alias
	}
}

// checkGroups reports versions that would have the same output directory or Go name.
func (r *reader) checkGroups(api *model.API) {
	type place struct{ dir, version string }
	places := map[place]*model.Version{}
	names := map[string]*model.Version{}
	for _, v := range api.Versions() {
		at := place{strings.ToLower(v.Group.Dir), v.Dir()}
		if other := places[at]; other != nil {
			r.Diags.Errorf(v.Pos, "packages %s and %s would both be generated into %s/%s; rename the directory above one of them, or exclude one with --exclude=%s",
				other.Types.Path, v.Types.Path, at.dir, at.version, v.Types.Path)
			continue
		}
		places[at] = v
		if !model.IsExported(v.GroupGoName) {
			r.Diags.Errorf(v.Pos, "cannot derive a Go name from API group %q; name it with +groupGoName in doc.go, as in +groupGoName=Apps", v.Group.Name)
			continue
		}
		if !model.IsExported(model.Title(v.NonEmptyName())) {
			r.Diags.Errorf(v.Pos, "cannot derive a Go name from version %q; rename the directory to a version such as v1", v.NonEmptyName())
			continue
		}
		folded := strings.ToLower(v.GoName())
		if other := names[folded]; other != nil {
			r.Diags.Errorf(v.Pos, "packages %s and %s are both named %s in Go; give one of them a +groupGoName, or exclude one with --exclude=%s", other.Types.Path, v.Types.Path, v.GoName(), v.Types.Path)
			continue
		}
		names[folded] = v
	}
}

// checkPlurals reports kinds of a version with the same plural, or whose names differ only in
// case.
func (r *reader) checkPlurals(v *version) {
	resources, plurals, folded := map[string]*model.Kind{}, map[string]*model.Kind{}, map[string]*model.Kind{}
	for _, k := range v.Kinds {
		lower := strings.ToLower(k.Name)
		if other := folded[lower]; other != nil {
			r.Diags.Errorf(k.Pos, "kinds %s and %s differ only in case and would share a file; rename one", other.Name, k.Name)
			continue
		}
		folded[lower] = k
		if other := resources[k.Resource]; other != nil && k.View == nil {
			r.Diags.Warnf(k.Pos, "kinds %s and %s both have the resource name %q; change one with +resourceName", other.Name, k.Name, k.Resource)
		} else if other := plurals[k.Names.Plural]; other != nil {
			r.Diags.Errorf(k.Pos, "kinds %s and %s both have the plural %s; change one with --plural-exceptions=%s:PLURAL", other.Name, k.Name, k.Names.Plural, k.Name)
		}
		if r.Clients && (k.Names.Plural == "RESTClient" || r.Fakes && k.Names.Plural == "Fake") {
			r.Diags.Errorf(k.Pos, "plural of kind %s is %s, the name of a method or field of every client; change it with --plural-exceptions=%s:PLURAL", k.Name, k.Names.Plural, k.Name)
		}
		if k.View == nil {
			resources[k.Resource] = k
		}
		plurals[k.Names.Plural] = k
	}
}

// checkInstall reports internal versions if the install package of a group is missing, since a
// clientset with an internal version imports those of all groups. It returns the versions that get clients.
func (r *reader) checkInstall(versions []*version) []*version {
	internal := func(v *version) bool { return v.Internal() }
	i := slices.IndexFunc(versions, internal)
	if i < 0 {
		return versions
	}
	first := versions[i]
	for _, v := range versions {
		install := v.InstallPath()
		if _, err := v.src.Package.Import(install); !errors.Is(err, load.ErrNotFound) {
			continue
		}
		external := slices.DeleteFunc(slices.Clone(versions), internal)
		if r.ExternalFirst && len(external) > 0 {
			r.Diags.Warnf(first.Pos, "package %s is an internal version and gets no clients, because the clientset would import package %s, which does not exist; remove +genclient from its types, or add that package with a func Install(*runtime.Scheme)",
				first.Types.Path, install)
			return external
		}
		r.Diags.Suspectf(first.Pos, "package %s is an internal version, so the clientset imports package %s, which does not exist; add it with a func Install(*runtime.Scheme)%s",
			first.Types.Path, install, leaveOut(first.src.Package))
		break
	}
	return versions
}
