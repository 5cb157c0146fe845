package breaking_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/internal/breaking"
)

// definition is a CustomResourceDefinition in YAML, with v1 as it is stored and v2.
const definition = `
spec:
  group: example.com
  scope: Namespaced
  names: {plural: shoes, kind: Shoe, listKind: ShoeList, singular: shoe, shortNames: [sh], categories: [all]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.a, statusReplicasPath: .status.a}}
    selectableFields: [{jsonPath: .spec.a}]
    schema: {openAPIV3Schema: {type: object, properties: {a: {type: string}, b: {type: string}}}}
  - name: v2
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {a: {type: string}}}}
`

func TestCRDs(t *testing.T) {
	for _, c := range []struct {
		name     string
		old, new string // replacement in the definition
		want     []string
	}{
		{name: "equal"},
		{name: "scope", old: "Namespaced", new: "Cluster", want: []string{"breaks clients and stored objects: Shoe: scope changed from Namespaced to Cluster, which a server does not allow"}},
		{name: "names", old: "singular: shoe, shortNames: [sh], categories: [all]", new: "singular: boot, shortNames: [bt, sh]", want: []string{
			"breaks clients: Shoe: singular changed from shoe to boot", `compatible: Shoe: shortNames ["bt"] are new`, `breaks clients: Shoe: categories ["all"] are removed`,
		}},
		{name: "schema", old: "a: {type: string}, b: {type: string}", new: "a: {type: string, maxLength: 3}, b: {type: string}", want: []string{both + "v1 Shoe, a: maxLength 3 is new (ratcheted)"}},
		{name: "not served", old: "    served: true\n    storage: false", new: "    served: false\n    storage: false", want: []string{"breaks clients: v2 Shoe: version is not served any more"}},
		{name: "deprecated", old: "    served: true\n    storage: false", new: "    served: true\n    deprecated: true\n    storage: false", want: []string{"compatible: v2 Shoe: version is deprecated now"}},
		{name: "renamed version", old: "name: v2", new: "name: v3", want: []string{
			both + "v2 Shoe: version is removed (old)", "compatible: v3 Shoe: version is new",
		}},
		{name: "renamed storage version", old: "name: v1", new: "name: v1beta1", want: []string{
			both + "v1 Shoe: version is removed, and objects are stored in it (old)", "compatible: v1beta1 Shoe: version is new",
			"compatible: v1beta1 Shoe: objects are stored in this version instead of v1 now",
		}},
		{name: "storage", old: "storage: true\n    subresources", new: "storage: false\n    subresources", want: []string{
			"compatible: v2 Shoe: objects are stored in this version instead of v1 now",
			"breaks stored objects: v2 Shoe, b: stored objects move from v1 to this version without conversion: property is removed",
		}},
		{name: "subresources", old: "status: {}, scale: {specReplicasPath: .spec.a, statusReplicasPath: .status.a}", new: "scale: {specReplicasPath: .spec.b, statusReplicasPath: .status.a}", want: []string{
			"breaks clients: v1 Shoe: subresource status is removed",
			"breaks clients: v1 Shoe: subresource scale changed from [labelSelectorPath= specReplicasPath=.spec.a statusReplicasPath=.status.a] to [labelSelectorPath= specReplicasPath=.spec.b statusReplicasPath=.status.a]",
		}},
		{name: "new subresource", old: "storage: false\n", new: "storage: false\n    subresources: {status: {}}\n", want: []string{
			"breaks clients: v2 Shoe: subresource status is new",
		}},
		{name: "selectable field", old: "    selectableFields: [{jsonPath: .spec.a}]\n", new: "", want: []string{`breaks clients: v1 Shoe: field {"jsonPath":".spec.a"} is not selectable any more`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed := strings.ReplaceAll(definition, c.old, c.new)
			if c.name == "equal" {
				changed = definition
			}
			if c.name == "storage" {
				changed = strings.Replace(changed, "served: true\n    storage: false\n    schema: {openAPIV3Schema: {type: object, properties: {a: {type: string}}}}", "served: true\n    storage: true\n    schema: {openAPIV3Schema: {type: object, properties: {a: {type: string}}}}", 1)
			}
			if d := cmp.Diff(append([]string{}, c.want...), printed(breaking.CRDs(parse(t, definition), parse(t, changed)))); d != "" {
				t.Error(d)
			}
		})
	}
	if got := printed(breaking.CRDs(nil, parse(t, definition))); !cmp.Equal(got, []string{"compatible: Shoe: kind is new"}) {
		t.Error(got)
	}
	if got := printed(breaking.CRDs(parse(t, definition), nil)); !cmp.Equal(got, []string{both + "Shoe: definition is removed (old)"}) {
		t.Error(got)
	}
}

// TestPlaces checks what a change says of its place.
func TestPlaces(t *testing.T) {
	changed := strings.NewReplacer("b: {type: string}", "b: {type: string, maxLength: 3}", "shortNames: [sh]", "shortNames: [sh, s]").Replace(definition)
	var got []string
	for _, c := range breaking.CRDs(parse(t, definition), parse(t, changed)) {
		got = append(got, strings.Join([]string{c.Group, c.Kind, c.Version, strings.Join(c.Path, ".")}, "/"))
	}
	if d := cmp.Diff([]string{"example.com/Shoe//", "example.com/Shoe/v1/b"}, got); d != "" {
		t.Error(d)
	}
	removed := breaking.CRDs(parse(t, definition), nil)[0]
	if removed.Group != "example.com" || removed.Kind != "Shoe" {
		t.Errorf("got %+v", removed)
	}
}

func TestSubject(t *testing.T) {
	for want, c := range map[string]breaking.Change{
		"object":             {},
		"spec.list[]":        {Path: breaking.Path{"spec", "list", breaking.Items}},
		"Shoe":               {Kind: "Shoe"},
		"v1 Shoe":            {Kind: "Shoe", Version: "v1"},
		"v1 Shoe, spec":      {Kind: "Shoe", Version: "v1", Path: breaking.Path{"spec"}},
		"package example/v1": {Package: "example/v1"},
		"Spec.Size":          {Package: "example/v1", Declaration: "Spec.Size"},
	} {
		if got := c.Subject(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
