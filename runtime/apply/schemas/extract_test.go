package schemas_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/managedfields"

	"github.com/listwatch/listwatch/runtime/apply/schemas"
)

type tree struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              treeSpec   `json:"spec"`
	Status            treeStatus `json:"status"`
}

type treeSpec struct {
	Sort     string            `json:"sort"`
	Age      *int32            `json:"age,omitempty"`
	Branches []branch          `json:"branches,omitempty"`
	Labels   map[string]string `json:"labels,omitempty"`
}

type branch struct {
	Length int64  `json:"length"`
	Colour string `json:"colour,omitempty"`
}

type treeStatus struct {
	Fruit int64 `json:"fruit"`
}

func (t *tree) DeepCopyObject() runtime.Object { panic("nothing copies trees") }

// treeSchema says of trees only that their branches are merged by length.
const treeSchema = `{"name":"Tree","map":{"fields":[{"name":"spec","type":{"namedType":"Spec"}}],"elementType":{"namedType":"Any"}}}
{"name":"Spec","map":{"fields":[{"name":"branches","type":{"list":{"elementType":{"namedType":"Any"},"elementRelationship":"associative","keys":["length"]}}}],"elementType":{"namedType":"Any"}}}
{"name":"Any","scalar":"untyped","list":{"elementType":{"namedType":"Any"},"elementRelationship":"atomic"},"map":{"elementType":{"namedType":"Any"},"elementRelationship":"separable"}}
`

// TestExtractInto compares what is extracted with what apimachinery extracts.
func TestExtractInto(t *testing.T) {
	parser, err := schemas.Parse(treeSchema)
	if err != nil {
		t.Fatal(err)
	}
	typ := parser.Type("Tree")
	if !typ.IsValid() {
		t.Fatal("the schemas have no trees")
	}
	entry := func(manager string, operation metav1.ManagedFieldsOperationType, subresource, fields string) metav1.ManagedFieldsEntry {
		return metav1.ManagedFieldsEntry{Manager: manager, Operation: operation, Subresource: subresource, APIVersion: "orchard.example.com/v1", FieldsType: "FieldsV1", FieldsV1: &metav1.FieldsV1{Raw: []byte(fields)}}
	}
	age := int32(3)
	oak := func(entries ...metav1.ManagedFieldsEntry) *tree {
		return &tree{
			TypeMeta:   metav1.TypeMeta{Kind: "Tree", APIVersion: "orchard.example.com/v1"},
			ObjectMeta: metav1.ObjectMeta{Name: "oak", Namespace: "park", Labels: map[string]string{"a": "1", "b": "2"}, ManagedFields: entries},
			Spec:       treeSpec{Sort: "oak", Age: &age, Branches: []branch{{Length: 1}, {Length: 2, Colour: "grey"}}, Labels: map[string]string{"x": "y"}},
			Status:     treeStatus{Fruit: 7},
		}
	}
	applied := entry("m", metav1.ManagedFieldsOperationApply, "", `{"f:metadata":{"f:labels":{"f:a":{}}},"f:spec":{"f:age":{},"f:branches":{"k:{\"length\":2}":{".":{},"f:length":{}}}}}`)
	for name, test := range map[string]struct {
		tree        *tree
		manager     string
		subresource string
		err         string
	}{
		"what a manager applied":        {tree: oak(entry("other", metav1.ManagedFieldsOperationApply, "", `{"f:spec":{"f:sort":{}}}`), applied), manager: "m"},
		"another manager":               {tree: oak(entry("other", metav1.ManagedFieldsOperationApply, "", `{"f:spec":{"f:sort":{}}}`), applied), manager: "other"},
		"a status":                      {tree: oak(applied, entry("m", metav1.ManagedFieldsOperationApply, "status", `{"f:status":{"f:fruit":{}}}`)), manager: "m", subresource: "status"},
		"a manager that updated":        {tree: oak(entry("m", metav1.ManagedFieldsOperationUpdate, "", `{"f:spec":{"f:sort":{}}}`)), manager: "m"},
		"no managed fields":             {tree: oak(), manager: "m"},
		"a field that is gone":          {tree: oak(entry("m", metav1.ManagedFieldsOperationApply, "", `{"f:spec":{"f:picked":{},"f:sort":{}}}`)), manager: "m"},
		"managed fields that are wrong": {tree: oak(entry("m", metav1.ManagedFieldsOperationApply, "", `{"f:spec":`)), manager: "m", err: `read the managed fields of manager "m"`},
	} {
		t.Run(name, func(t *testing.T) {
			before := asJSON(t, test.tree)
			got, want := &tree{}, &tree{}
			err := schemas.ExtractInto(test.tree, typ, test.manager, got, test.subresource)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("got the error %v", err)
				}
				return // apimachinery panics
			}
			failed := managedfields.ExtractInto(test.tree, typ, test.manager, want, test.subresource)
			if err != nil || failed != nil {
				t.Fatalf("got the errors %v, %v", err, failed)
			}
			want.TypeMeta = metav1.TypeMeta{} // apply configurations set it themselves
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("(-apimachinery +ours)\n%s", d)
			}
			if d := cmp.Diff(before, asJSON(t, test.tree)); d != "" {
				t.Errorf("the object was modified:\n%s", d)
			}
		})
	}
	if err := schemas.ExtractInto(oak(entry("m", metav1.ManagedFieldsOperationApply, "", `{"f:spec":{}}`)), parser.Type("none"), "m", &tree{}, ""); err == nil {
		t.Error("an unknown type is extracted")
	}
}

func asJSON(t *testing.T, obj any) string {
	t.Helper()
	text, err := json.Marshal(obj)
	if err != nil && !strings.Contains(err.Error(), "unexpected end of JSON input") { // of managed fields that are wrong
		t.Fatal(err)
	}
	return string(text)
}
