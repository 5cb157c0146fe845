package scan

import (
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/lint"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/internal/resolve"
)

// Lint rules for packages; those for types are in package lint. They equal those of code-generator v0.37 and concern its other
// generators.
const (
	// KnownTagsOnly requires that every +k8s:...-gen marker of a package is a known one.
	KnownTagsOnly = "known-tags-only"
	// RequireExplicitDisablement requires the markers of the generators that API packages
	// usually need, even if only to disable them.
	RequireExplicitDisablement = "require-explicit-disablement"
)

// LintRules are the values of [Options].LintRules.
var LintRules = slices.Concat([]string{KnownTagsOnly, RequireExplicitDisablement, lint.All, lint.Default}, lint.Names())

// lint checks a package against the rules.
func (s *scanner) lint(p *load.Package) {
	if len(s.LintRules) == 0 {
		return
	}
	tags := docTags(p)
	if slices.Contains(s.LintRules, KnownTagsOnly) {
		for _, t := range tags {
			marker.CheckGenerator(t, s.Diags)
		}
	}
	if slices.Contains(s.LintRules, RequireExplicitDisablement) {
		for _, name := range expected(p, tags) {
			if !has(tags, name) {
				s.Diags.Errorf(packagePos(p), "missing +%s, which API packages like this one need; add it, or turn it off with +%s=false", name, name)
			}
		}
	}
}

// lintTypes checks the types of packages against the rules about types.
func (s *scanner) lintTypes(sources []Source) {
	if !slices.ContainsFunc(s.LintRules, func(rule string) bool { return rule != KnownTagsOnly && rule != RequireExplicitDisablement }) {
		return
	}
	var packages []*load.Package
	for _, src := range sources {
		packages = append(packages, src.Package)
	}
	resolve.Ahead(packages)
	lint.Check(packages, s.resolver, s.LintRules, s.Diags)
}

// linted reports whether [KnownTagsOnly] checks a line.
func (s *scanner) linted(f *load.File, line load.Line) bool {
	return slices.Contains(s.LintRules, KnownTagsOnly) && f.Base() == "doc.go" && marker.IsAboutGenerator(line.Text)
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
	if !isAPI || !versionName.MatchString(path.Base(p.Path)) {
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
