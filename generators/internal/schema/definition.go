package schema

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/generators/internal/kubemarker"
	"github.com/listwatch/listwatch/generators/internal/load"
	"github.com/listwatch/listwatch/generators/model"
)

// definition returns the CRD of a kind with its versions, and the package that it belongs to: that of the storage version
// or, if that is not of the run, of another. The CRD is nil if no version is left.
func (r *reader) definition(versions []*kind) (*model.CRD, *load.Package) {
	slices.SortFunc(versions, func(a, b *kind) int { return strings.Compare(a.markers.version, b.markers.version) })
	name := versions[0].name
	crd := &model.CRD{
		Group: versions[0].markers.group, Kind: name, ListKind: name + "List", Scope: "Namespaced",
		Plural: plural(name), Singular: strings.ToLower(name),
	}
	var last *resource // that of an earlier version
	var kept []*kind
	for _, k := range versions {
		v := &model.CRDVersion{Name: k.markers.version, Served: true, Pos: k.pos}
		skip := false
		own := r.resourceOf(k)
		if last != nil && own != nil && !reflect.DeepEqual(last.crd, own.crd) {
			r.Diags.Warnf(own.marker.Pos, "marker contradicts %s at %s:%d, of another version of kind %s; use one resource for all versions", last.marker.Text, withFolder(last.marker.Pos.Filename), last.marker.Pos.Line, name)
		}
		if own != nil {
			last = own
		}
		for _, m := range k.declared.markers {
			switch m.Name {
			case "kubebuilder:skipversion":
				skip = true
			case "kubebuilder:resource":
				r.resource(crd, m)
			case "kubebuilder:metadata":
				r.metadata(crd, m)
			default:
				r.version(v, m)
			}
		}
		if skip {
			continue
		}
		if i := slices.IndexFunc(kept, func(other *kind) bool { return other.markers.version == v.Name }); i >= 0 {
			r.Diags.Errorf(k.pos, "kind %s is already in version %s of group %s, in package %s; rename one of them, or skip one with +kubebuilder:skipversion", name, v.Name, crd.Group, kept[i].pkg.Path)
			continue
		}
		kept = append(kept, k)
		crd.Versions = append(crd.Versions, v)
	}
	if len(kept) == 0 {
		return nil, nil
	}
	if !strings.Contains(crd.Group, ".") {
		r.refuse(kept[0].pos, "API group %q of kind %s has no dot, so API servers refuse its CRD; use one below a domain, as in +groupName=shop.example.com", crd.Group, name)
	}
	storage := r.storage(crd, kept)
	for i, v := range crd.Versions {
		v.Schema = r.root(kept[i])
		r.checkVersion(kept[i], v)
	}
	home := kept[storage]
	if i := slices.IndexFunc(kept, func(k *kind) bool { return !k.added }); home.added && i >= 0 {
		home = kept[i]
	}
	crd.Pos = home.pos
	return crd, home.pkg
}

// withFolder returns the last two elements of the path of a file.
func withFolder(path string) string {
	dir, name := cutLast(path)
	_, folder := cutLast(dir)
	return folder + "/" + name
}

// resource describes a resource by the markers of one version.
type resource struct {
	crd    model.CRD
	marker *kubemarker.Marker // the last one
}

// resourceOf returns the resource of a kind by its markers, or nil without such markers. There can be several,
// with an argument each.
func (r *reader) resourceOf(k *kind) *resource {
	var own *resource
	for _, m := range k.declared.markers {
		if m.Name == "kubebuilder:resource" {
			if own == nil {
				own = &resource{}
			}
			own.marker = m
			applyResource(&own.crd, m)
		}
	}
	return own
}

// storage checks that one version is the storage version, and one served, and returns the index of the
// storage version.
func (r *reader) storage(crd *model.CRD, versions []*kind) int {
	if len(crd.Versions) == 1 {
		crd.Versions[0].Storage = true
	}
	stored, served := []int{}, false
	var names []string
	for i, v := range crd.Versions {
		names = append(names, v.Name)
		served = served || v.Served
		if v.Storage {
			stored = append(stored, i)
		}
	}
	switch {
	case len(stored) == 0:
		r.Diags.Errorf(versions[len(versions)-1].pos, "kind %s has no storage version among %s; mark one with +kubebuilder:storageversion", crd.Kind, strings.Join(names, ", "))
		return len(versions) - 1
	case len(stored) > 1:
		r.Diags.Errorf(versions[stored[1]].pos, "kind %s has the storage versions %s and %s; remove +kubebuilder:storageversion from all but one", crd.Kind, names[stored[0]], names[stored[1]])
	}
	if !served {
		r.Diags.Errorf(versions[0].pos, "kind %s has no served version; remove +kubebuilder:unservedversion from one", crd.Kind)
	}
	return stored[0]
}

// root returns the schema of a kind.
func (r *reader) root(k *kind) *model.Schema {
	r.stack = append(r.stack[:0], k.pos)
	use := r.schema(k.declared)
	r.report(k.faults)
	flat := *r.flatten(r.expand(use))
	if flat.Properties["metadata"] != nil {
		flat.Properties = maps.Clone(flat.Properties)
		flat.Properties["metadata"] = &model.Schema{Type: "object"}
	}
	return &flat
}

// resource applies the marker +kubebuilder:resource.
func (r *reader) resource(crd *model.CRD, m *kubemarker.Marker) {
	applyResource(crd, m)
	if crd.Scope != "Namespaced" && crd.Scope != "Cluster" {
		r.fault(m.Pos, "unknown scope %q; want Namespaced or Cluster", crd.Scope)
	}
}

func applyResource(crd *model.CRD, m *kubemarker.Marker) {
	crd.Plural, crd.Singular = first(m.Argument("path"), crd.Plural), first(m.Argument("singular"), crd.Singular)
	crd.ShortNames, _ = m.Values["shortName"].([]string)
	crd.Categories, _ = m.Values["categories"].([]string)
	crd.Scope = first(m.Argument("scope"), "Namespaced")
}

// metadata applies the marker +kubebuilder:metadata.
func (r *reader) metadata(crd *model.CRD, m *kubemarker.Marker) {
	add := func(argument string, to *map[string]string) {
		pairs, _ := m.Values[argument].([]string)
		for _, pair := range pairs {
			key, value, ok := strings.Cut(pair, "=")
			if !ok {
				r.fault(m.Pos, "%q in %s is not KEY=VALUE; add the value, in quotes, as in %s", pair, argument, m.Example)
				continue
			}
			if *to == nil {
				*to = map[string]string{}
			}
			(*to)[key] = value
		}
	}
	add("annotations", &crd.Annotations)
	add("labels", &crd.Labels)
}

// version applies a marker about one version.
func (r *reader) version(v *model.CRDVersion, m *kubemarker.Marker) {
	switch m.Name {
	case "kubebuilder:storageversion":
		v.Storage = true
	case "kubebuilder:unservedversion":
		v.Served = false
	case "kubebuilder:deprecatedversion":
		v.Deprecated = true
		v.Warning = optional(m, "warning")
	case "kubebuilder:subresource:status":
		v.Status = true
	case "kubebuilder:subresource:scale":
		v.Scale = &model.Scale{Spec: m.Argument("specpath"), Status: m.Argument("statuspath"), Selector: optional(m, "selectorpath")}
	case "kubebuilder:selectablefield":
		v.Selectable = append(v.Selectable, m.Argument("JSONPath"))
	case "kubebuilder:printcolumn":
		priority, _ := m.Values["priority"].(int64)
		v.Columns = append(v.Columns, model.Column{
			Name: m.Argument("name"), Type: m.Argument("type"), Format: m.Argument("format"),
			Description: m.Argument("description"), JSONPath: m.Argument("JSONPath"), Priority: priority,
		})
	}
}

// optional returns a pointer to the value of an argument, or nil if it is not set.
func optional(m *kubemarker.Marker, name string) *string {
	value, ok := m.Values[name].(string)
	if !ok {
		return nil
	}
	return &value
}
