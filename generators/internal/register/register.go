// Package register plans how the types of API packages get into schemes.
//
// [Plan] returns the registrations to generate, as register-gen does, for packages whose markers request them. What a
// package declares is never declared twice. [Declare] adds to a model what packages declare about their group, or
// will declare once their registration is generated, and reports what generated clients lack.
package register

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

// Plan returns the registrations of packages by import path. Extended reads markers of packages in all files. A lenient
// list of diagnostics stands for the command in place of register-gen.
func Plan(packages []*load.Package, extended bool, diags *diag.List) map[string]*model.Register {
	plans := map[string]*model.Register{}
	for _, p := range packages {
		markers := marker.OfPackage(p, extended, new(diag.List))
		plan := registration(p, markers, diags)
		if plan != nil {
			plans[p.Path] = plan
		}
		if plan != nil || markers.RegisterAt.IsValid() {
			marker.OfPackage(p, extended, diags)
		}
	}
	return plans
}

// registration returns the registration to generate for a package, or nil if its markers do not
// request one, or if it registers its types itself: what it declares is never declared twice.
func registration(p *load.Package, markers marker.Package, diags *diag.List) *model.Register {
	if !requested(p, markers, diags.Lenient) {
		return nil
	}
	types := registeredTypes(p)
	declared, missing := declarations(p)
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

// requested reports whether markers request the registration. Like register-gen, the
// command that replaces it takes +groupName for a request; a run that generates everything only
// does so where there is such a registration already.
func requested(p *load.Package, markers marker.Package, lenient bool) bool {
	switch {
	case markers.Off["register-gen"] || !p.Module.Main && p.Module.Path != "":
		return false
	case markers.Register:
		return true
	}
	return markers.HasGroupName && (lenient || p.Has(model.RegisterFile))
}

// declarations returns the registered names that the package declares, outside of the generated
// file, and those that clients use and it does not declare.
func declarations(p *load.Package) (declared, missing []string) {
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

// registeredTypes returns the names of the types to register, sorted: the structs that embed TypeMeta, except views and
// their lists, which are not kinds of the group. It returns nil for a package without versioned types, whose TypeMeta
// have JSON tags.
func registeredTypes(p *load.Package) []string {
	types := []string{}
	views := map[string]bool{}
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
			if _, view := marker.IsView(t.OwnLines()); view {
				views[t.Name], views[t.Name+"List"] = true, true
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
	types = slices.DeleteFunc(types, func(name string) bool { return views[name] })
	slices.Sort(types)
	return types
}
