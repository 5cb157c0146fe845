package lint

import (
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/diag"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/internal/versions"
)

// Rules for packages. They equal those of code-generator v0.37 and concern its other
// generators.
const (
	// KnownTagsOnly requires that every +k8s:...-gen marker of a package is a known one.
	KnownTagsOnly = "known-tags-only"
	// RequireExplicitDisablement requires the markers of the generators that API packages
	// usually need, even if only to disable them.
	RequireExplicitDisablement = "require-explicit-disablement"
)

// checkPackage checks a package against the rules for packages.
func checkPackage(p *load.Package, names []string, diags *diag.List) {
	known, explicit := slices.Contains(names, KnownTagsOnly), slices.Contains(names, RequireExplicitDisablement)
	if !known && !explicit {
		return
	}
	tags := docTags(p)
	if known {
		for _, t := range tags {
			marker.CheckGenerator(t, diags)
		}
	}
	if explicit {
		for _, name := range expected(p, tags) {
			if !has(tags, name) {
				diags.Errorf(p.Pos(), "missing +%s, which API packages like this one need; add it, or turn it off with +%s=false", name, name)
			}
		}
	}
}

// docTags returns the markers in doc.go.
func docTags(p *load.Package) []marker.Tag {
	var tags []marker.Tag
	p.Files(func(f *load.File) bool {
		if f.Base() == "doc.go" {
			tags = marker.Tags(f.Comments())
		}
		return true
	}, "+")
	return tags
}

func has(tags []marker.Tag, names ...string) bool {
	return slices.ContainsFunc(tags, func(t marker.Tag) bool { return slices.Contains(names, t.Name) })
}

// expected returns the markers that a package like this usually has.
func expected(p *load.Package, tags []marker.Tag) []string {
	isAPI := has(tags, "groupName") || slices.ContainsFunc(tags, func(t marker.Tag) bool { return marker.IsGenerator(t.Name) })
	if !isAPI || !versions.IsVersion(path.Base(p.Path)) {
		return nil
	}
	if hasExternalKinds(p) {
		return []string{"k8s:deepcopy-gen"}
	}
	if has(tags, "k8s:defaulter-gen", "k8s:defaulter-gen-input", "k8s:validation-gen", "k8s:validation-gen-input") {
		return []string{"k8s:conversion-gen", "k8s:defaulter-gen", "k8s:validation-gen"}
	}
	return nil
}

// hasExternalKinds reports whether a package declares a type with an inlined TypeMeta, as
// serialized types have.
func hasExternalKinds(p *load.Package) bool {
	found := false
	p.Files(func(f *load.File) bool {
		for _, t := range f.Types() {
			meta, _ := t.Field("TypeMeta", false)
			if meta == nil || !meta.Embedded {
				continue
			}
			tag, ok := reflect.StructTag(meta.Tag).Lookup("json")
			name, _, _ := strings.Cut(tag, ",")
			found = found || ok && name == ""
		}
		return !found
	}, "TypeMeta")
	return found
}
