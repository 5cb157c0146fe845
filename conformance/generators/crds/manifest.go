package crds

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// Manifest is a CustomResourceDefinition as JSON values, without what says nothing of its meaning.
type Manifest map[string]any

const kind = "CustomResourceDefinition"

// Parse returns the definitions in a text of YAML documents, by their names.
func Parse(text []byte) (map[string]Manifest, error) {
	found := map[string]Manifest{}
	for document := range strings.SplitSeq("\n"+string(text), "\n---") {
		var m Manifest
		if err := yaml.Unmarshal([]byte(document), &m); err != nil {
			return nil, err
		}
		if m["kind"] != kind {
			continue
		}
		m.normalise()
		name, _ := m.object("metadata")["name"].(string)
		if found[name] != nil {
			return nil, fmt.Errorf("two definitions are named %q", name)
		}
		found[name] = m
	}
	return found, nil
}

// object returns a field that is an object, or nil.
func (m Manifest) object(name string) map[string]any {
	o, _ := m[name].(map[string]any)
	return o
}

// normalise removes what says nothing of the meaning.
func (m Manifest) normalise() {
	delete(m, "status")
	// False is the default, and the only valid value in v1.
	if spec := m.object("spec"); spec["preserveUnknownFields"] == false {
		delete(spec, "preserveUnknownFields")
	}
	metadata := m.object("metadata")
	delete(metadata, "creationTimestamp")
	if annotations, ok := metadata["annotations"].(map[string]any); ok {
		delete(annotations, "controller-gen.kubebuilder.io/version")
		if len(annotations) == 0 {
			delete(metadata, "annotations")
		}
	}
	sortRequired(map[string]any(m))
}

// sortRequired sorts all lists of required fields, whose order means nothing.
func sortRequired(v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			if list, ok := x.([]any); ok && key == "required" {
				slices.SortFunc(list, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
			}
			sortRequired(x)
		}
	case []any:
		for _, x := range v {
			sortRequired(x)
		}
	}
}

// Versions returns the names of the versions.
func (m Manifest) Versions() []string {
	var names []string
	for _, v := range m.versions() {
		name, _ := v["name"].(string)
		names = append(names, name)
	}
	return names
}

func (m Manifest) versions() []map[string]any {
	list, _ := m.object("spec")["versions"].([]any)
	var versions []map[string]any
	for _, v := range list {
		if v, ok := v.(map[string]any); ok {
			versions = append(versions, v)
		}
	}
	return versions
}

// Fields returns the number of fields that the schemas describe.
func (m Manifest) Fields() int {
	return count(map[string]any(m))
}

func count(v any) int {
	n := 0
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			if properties, ok := x.(map[string]any); ok && key == "properties" {
				n += len(properties)
			}
			n += count(x)
		}
	case []any:
		for _, x := range v {
			n += count(x)
		}
	}
	return n
}

// Difference is a place where two manifests differ. A missing value is nil.
type Difference struct {
	// Path is the place: names of fields and, in lists, the name of the item or its position.
	Path        string
	Their, Ours any
}

func (d Difference) String() string {
	return fmt.Sprintf("%s: %s, want %s", d.Path, brief(d.Ours), brief(d.Their))
}

// brief prints a value in one line.
func brief(v any) string {
	if v == nil {
		return "nothing"
	}
	text, err := yaml.Marshal(v)
	s := strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", " | ")
	if err != nil {
		s = fmt.Sprint(v)
	}
	if len(s) > 300 {
		s = s[:300] + " ..."
	}
	return s
}

// Compare returns the differences between two manifests, in the order of their paths.
func Compare(their, ours Manifest) []Difference {
	var diffs []Difference
	compare("", map[string]any(their), map[string]any(ours), &diffs)
	slices.SortFunc(diffs, func(a, b Difference) int { return strings.Compare(a.Path, b.Path) })
	return diffs
}

func compare(path string, their, ours any, diffs *[]Difference) {
	a, isMap := their.(map[string]any)
	b, areMaps := ours.(map[string]any)
	if isMap && areMaps {
		for key := range a {
			if _, ok := b[key]; !ok {
				*diffs = append(*diffs, Difference{path + "." + key, a[key], nil})
			}
		}
		for key := range b {
			if _, ok := a[key]; !ok {
				*diffs = append(*diffs, Difference{path + "." + key, nil, b[key]})
				continue
			}
			compare(path+"."+key, a[key], b[key], diffs)
		}
		return
	}
	x, isList := their.([]any)
	y, areLists := ours.([]any)
	if isList && areLists && len(x) == len(y) {
		for i := range x {
			compare(fmt.Sprintf("%s[%s]", path, nameOf(x[i], i)), x[i], y[i], diffs)
		}
		return
	}
	if !reflect.DeepEqual(their, ours) {
		*diffs = append(*diffs, Difference{path, their, ours})
	}
}

// nameOf returns the name of an item of a list, or its position.
func nameOf(item any, position int) string {
	if m, ok := item.(map[string]any); ok {
		if name, ok := m["name"].(string); ok {
			return name
		}
	}
	return fmt.Sprint(position)
}
