package scan

import (
	"go/ast"
	"path"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/model"
)

// registered are the names that the generated registration declares, as register-gen's does. It also
// declares Kind if the package does not.
var registered = []string{
	"SchemeGroupVersion", "GroupVersion", "AddToScheme", "Install", "SchemeBuilder", "localSchemeBuilder",
	"addKnownTypes", "Resource", "GroupName",
}

// registers sets the registrations of the packages.
func (s *scanner) registers(list []*model.APIPackage, sources []Source) {
	for _, pkg := range list {
		i := slices.IndexFunc(sources, func(src Source) bool { return src.Package.Path == pkg.Types.Path })
		p := sources[i].Package
		markers := s.packageMarkers(p, new(diag.List))
		pkg.Register = s.registration(p, markers, s.Diags)
		if pkg.Version == nil && (pkg.Register != nil || markers.RegisterAt.IsValid()) {
			s.packageMarkers(p, s.Diags) // those of packages with kinds are checked already
		}
	}
}

// registration returns the registration to generate for a package, or nil if its markers do not
// request one, or if it registers its types itself: what it declares is never declared twice.
func (s *scanner) registration(p *load.Package, markers marker.Package, diags *diag.List) *model.Register {
	if !s.registerRequested(p, markers) {
		return nil
	}
	types := s.registeredTypes(p)
	declared, missing := registration(p)
	useless, advice := "", "remove it"
	switch {
	case types == nil && p.Broken():
		return nil // types may be in the file that is reported
	case types == nil:
		useless = "no type of the package embeds metav1.TypeMeta with a JSON tag, as versioned types do"
		if name := p.LeftOut("TypeMeta"); strings.HasSuffix(name, "_test.go") {
			useless, advice = useless+", except in "+name, "move the types to a file that is not a test"
		} else if name != "" {
			useless, advice = useless+", except in "+name+", which build constraints exclude", "pass its tags with --build-tag"
		}
	case p.Has("register.go"):
		useless = "register.go registers the types"
	case len(declared) > 0 && len(missing) > 0:
		some, rest := strings.Join(declared, ", "), strings.Join(missing, " and ")
		diags.Errorf(p.DeclaredAt(declared[0], model.RegisterFile),
			"package %s declares %s but not %s, so the registration of its types can be neither generated nor used; declare %s as well, or rename or remove %s to have everything generated",
			p.Path, some, rest, rest, some)
		return nil
	case len(declared) > 0:
		useless = "the package registers its types itself"
	}
	if useless != "" {
		if markers.Register {
			diags.Warnf(markers.RegisterAt, "marker has no effect because %s; %s", useless, advice)
		}
		return nil
	}
	group := markers.GroupName
	if !markers.HasGroupName {
		group = path.Base(path.Dir(p.Path))
	}
	kind := p.DeclaredAt("Kind", model.RegisterFile)
	return &model.Register{Group: group, Version: path.Base(p.Path), Types: types, HasKind: !kind.IsValid()}
}

// registerRequested reports whether markers request the registration. Like register-gen, the
// command that replaces it takes +groupName for a request; a run that generates everything only
// does so where there is such a registration already.
func (s *scanner) registerRequested(p *load.Package, markers marker.Package) bool {
	switch {
	case markers.Off["register-gen"] || !p.Module.Main && p.Module.Path != "":
		return false
	case markers.Register:
		return true
	}
	return markers.HasGroupName && (s.Diags.Lenient || p.Has(model.RegisterFile))
}

// registration returns the registered names that the package declares, outside of the generated
// file, and those that clients use and it does not declare.
func registration(p *load.Package) (declared, missing []string) {
	for _, name := range registered {
		if at := p.DeclaredAt(name, model.RegisterFile); at.IsValid() {
			declared = append(declared, name)
		}
	}
	if !slices.Contains(declared, "SchemeGroupVersion") && !slices.Contains(declared, "GroupVersion") {
		missing = append(missing, "SchemeGroupVersion")
	}
	if !slices.Contains(declared, "AddToScheme") {
		missing = append(missing, "AddToScheme")
	}
	return declared, missing
}

// registeredTypes returns the names of the types to register, sorted: the structs that embed
// TypeMeta. It returns nil for a package without versioned types, whose TypeMeta have JSON tags.
func (s *scanner) registeredTypes(p *load.Package) []string {
	types := []string{}
	versioned, known := false, false
	p.Files(func(f *load.File) bool {
		for _, t := range f.Types() {
			if t.Spec.Assign.IsValid() || t.Spec.TypeParams != nil {
				continue
			}
			if _, isPointer := ast.Unparen(t.Spec.Type).(*ast.StarExpr); isPointer {
				continue
			}
			meta, _ := t.Field("TypeMeta", false)
			if meta == nil {
				continue
			}
			if !known {
				versioned, known = strings.Contains(meta.Tag, "json"), true
			}
			if meta.Embedded {
				types = append(types, t.Name)
			}
		}
		return true
	})
	if !versioned {
		return nil
	}
	slices.Sort(types)
	return types
}
