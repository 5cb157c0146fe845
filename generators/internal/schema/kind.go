package schema

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/kubemarker"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/internal/marker"
	"github.com/listwatch/listwatch/generators/model"
)

// packageMarkers are the markers of a package.
type packageMarkers struct {
	group    string
	hasGroup bool
	version  string
	// optional makes fields optional without a marker, and skip ignores the package's kinds.
	optional, skip bool
}

// packageWords are words in all files with markers of a package.
var packageWords = []string{"+groupName", "+versionName", "+kubebuilder:skip", "+kubebuilder:validation:Optional"}

// packageOf returns the markers of a package.
func (r *reader) packageOf(p *load.Package) *packageMarkers {
	if m := r.markers[p]; m != nil {
		return m
	}
	m := &packageMarkers{version: p.Name}
	r.markers[p] = m
	versioned := false
	p.Files(func(f *load.File) bool {
		lines := slices.DeleteFunc(packageLines(f), func(line load.Line) bool { // those of types
			def, _ := kubemarker.Lookup(line.Text, kubemarker.OnPackage)
			return def == nil
		})
		for _, marker := range r.parse(f, kubemarker.OnPackage, lines) {
			text, _ := marker.Value.(string)
			switch marker.Name {
			case "groupName":
				if !m.hasGroup {
					m.group, m.hasGroup = text, true
				}
			case "versionName":
				if !versioned {
					m.version, versioned = text, true
				}
			case "kubebuilder:skip":
				m.skip = true
			case "kubebuilder:validation:Optional":
				m.optional = true
			}
		}
		return true
	}, packageWords...)
	return m
}

// kind is a kind in one version.
type kind struct {
	*declared
	name    string
	pkg     *load.Package
	markers *packageMarkers
	pos     token.Position
	// added reports that the package is not of the run.
	added bool
}

// kinds returns the kinds of a package, sorted by name.
func (r *reader) kinds(p *load.Package) []*kind {
	var found []*kind
	p.Files(func(f *load.File) bool {
		for _, t := range f.Types() {
			s, ok := t.Spec.Type.(*ast.StructType)
			if !ok || !r.embeds(f, s, "TypeMeta", false) || !r.embeds(f, s, "ObjectMeta", true) {
				continue
			}
			if _, view := marker.IsView(t.OwnLines()); view {
				continue
			}
			pkg := r.packageOf(p)
			if pkg.skip {
				return false
			}
			marked := markedCRD(t)
			if r.MarkedOnly && !marked {
				continue
			}
			if !pkg.hasGroup {
				if marked || !r.MarkedOnly {
					r.Diags.Warnf(t.Pos(), "type %s is no CustomResourceDefinition, because package %s has no API group; add // +groupName=GROUP to its package comment, or // +kubebuilder:skip", t.Name, p.Name)
				}
				continue
			}
			found = append(found, &kind{declared: r.declare(r.Resolver.Decl(t)), name: t.Name, pkg: p, markers: pkg, pos: t.Pos()})
		}
		return true
	}, "ObjectMeta")
	slices.SortFunc(found, func(a, b *kind) int { return strings.Compare(a.name, b.name) })
	return found
}

// defined returns the types of a package that are defined by another type, as in type Shoe v1.Shoe, and
// have the name of a kind of its group that is a struct elsewhere.
func (r *reader) defined(p *load.Package, kinds []*kind) []*kind {
	var found []*kind
	seen := map[string]bool{}
	for _, k := range kinds {
		if k.pkg == p {
			seen[k.name] = true
		}
	}
	for _, k := range kinds {
		if seen[k.name] {
			continue
		}
		t := p.Lookup(k.name)
		if t == nil || t.Spec.Assign.IsValid() || r.MarkedOnly && !markedCRD(t) {
			continue
		}
		switch t.Spec.Type.(type) {
		case *ast.Ident, *ast.SelectorExpr:
		default:
			continue
		}
		if pkg := r.packageOf(p); pkg.group == k.markers.group && pkg.hasGroup && !pkg.skip {
			seen[k.name] = true
			found = append(found, &kind{declared: r.declare(r.Resolver.Decl(t)), name: t.Name, pkg: p, markers: pkg, pos: t.Pos()})
		}
	}
	return found
}

// embeds reports whether a struct embeds a type of package metav1, tagged with a JSON tag. The types of internal
// versions have none.
func (r *reader) embeds(f *load.File, s *ast.StructType, name string, tagged bool) bool {
	for _, field := range s.Fields.List {
		if len(field.Names) > 0 || tagged && !hasTag(field) {
			continue
		}
		switch e := field.Type.(type) {
		case *ast.SelectorExpr:
			x, ok := e.X.(*ast.Ident)
			if ok && e.Sel.Name == name && slices.Contains(f.ImportPaths(x.Name), metaV1) {
				return true
			}
		case *ast.Ident:
			if e.Name == name && slices.Contains(f.DotImports(), metaV1) {
				return true
			}
		}
	}
	return false
}

// hasTag reports whether a field has a JSON tag.
func hasTag(field *ast.Field) bool {
	_, ok := tagOf(field)
	return ok
}

// tagOf parses the tag of a field; ok is false if it has none for JSON.
func tagOf(field *ast.Field) (t jsonTag, ok bool) {
	if field.Tag == nil {
		return t, false
	}
	text, err := strconv.Unquote(field.Tag.Value)
	if err != nil {
		return t, false
	}
	return parseTag(text)
}

// markedCRD reports whether a type has a marker that only kinds with CRDs have.
func markedCRD(t *load.Type) bool {
	groups, _ := typeComments(t)
	for _, line := range kubemarker.Lines(t.File, groups...) {
		name, _, _ := strings.Cut(line.Text[1:], "=")
		for _, prefix := range []string{
			"kubebuilder:object:root", "kubebuilder:resource", "kubebuilder:subresource:", "kubebuilder:printcolumn",
			"kubebuilder:storageversion", "kubebuilder:skipversion", "kubebuilder:unservedversion", "kubebuilder:deprecatedversion",
			"kubebuilder:metadata", "kubebuilder:selectablefield",
		} {
			if strings.HasPrefix(name, prefix) && line.Text != "+kubebuilder:object:root=false" {
				return true
			}
		}
	}
	return false
}

// definitions returns the CRDs of kinds by the directories of packages.
func (r *reader) definitions(found []*kind) map[string][]*model.CRD {
	type groupKind struct{ group, kind string }
	byKind := map[groupKind][]*kind{}
	var order []groupKind
	for _, k := range found {
		key := groupKind{k.markers.group, k.name}
		if byKind[key] == nil {
			order = append(order, key)
		}
		byKind[key] = append(byKind[key], k)
	}
	slices.SortFunc(order, func(a, b groupKind) int {
		if c := strings.Compare(a.kind, b.kind); c != 0 {
			return c
		}
		return strings.Compare(a.group, b.group)
	})
	result := map[string][]*model.CRD{}
	for _, key := range order {
		if crd, pkg := r.definition(byKind[key]); crd != nil {
			result[pkg.Path] = append(result[pkg.Path], crd)
		}
	}
	r.runChecks()
	return result
}
