package csaupgrade_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"k8s.io/client-go/util/csaupgrade"
)

const (
	update = metav1.ManagedFieldsOperationUpdate
	apply  = metav1.ManagedFieldsOperationApply
)

// entry returns an entry whose fields are the keys of data, separated by spaces; "!" is no JSON.
func entry(manager string, operation metav1.ManagedFieldsOperationType, version, subresource, keys string) metav1.ManagedFieldsEntry {
	fields := map[string]any{}
	for _, key := range strings.Fields(keys) {
		fields["f:"+key] = map[string]any{}
	}
	text, err := json.Marshal(map[string]any{"f:data": fields})
	if err != nil {
		panic(err)
	}
	if keys == "!" {
		text = []byte(`{"x"`)
	}
	fieldsV1 := &metav1.FieldsV1{}
	if err := fieldsV1.UnmarshalJSON(text); err != nil {
		panic(err)
	}
	return metav1.ManagedFieldsEntry{
		Manager: manager, Operation: operation, APIVersion: version, Subresource: subresource, FieldsType: "FieldsV1", FieldsV1: fieldsV1,
	}
}

type entries = []metav1.ManagedFieldsEntry

var cases = []struct {
	name          string
	before, after entries
	options       []csaupgrade.Option
	fails         bool
}{
	{
		name:   "applied before",
		before: entries{entry("kubectl", update, "v1", "", "a b"), entry("ssa", apply, "v1", "", "b c"), entry("other", update, "v1", "", "d")},
		after:  entries{entry("ssa", apply, "v1", "", "a b c"), entry("other", update, "v1", "", "d")},
	},
	{
		name:   "not applied yet",
		before: entries{entry("other", update, "v1", "", "d"), entry("kubectl", update, "v1", "", "a b")},
		after:  entries{entry("other", update, "v1", "", "d"), entry("ssa", apply, "v1", "", "a b")},
	},
	{
		name:   "two managers",
		before: entries{entry("kubectl", update, "v1", "", "a"), entry("old", update, "v1", "", "b")},
		after:  entries{entry("ssa", apply, "v1", "", "a b")},
	},
	{
		name:   "fields of another version go",
		before: entries{entry("kubectl", update, "v2", "", "a"), entry("kubectl", update, "v1", "", "b"), entry("ssa", apply, "v1", "", "c")},
		after:  entries{entry("ssa", apply, "v1", "", "b c")},
	},
	{
		name:   "a subresource is left alone",
		before: entries{entry("kubectl", update, "v1", "status", "a"), entry("kubectl", update, "v1", "", "b")},
		after:  entries{entry("kubectl", update, "v1", "status", "a"), entry("ssa", apply, "v1", "", "b")},
	},
	{
		name:    "only a subresource",
		before:  entries{entry("kubectl", update, "v1", "status", "a"), entry("kubectl", update, "v1", "", "b")},
		after:   entries{entry("ssa", apply, "v1", "status", "a"), entry("kubectl", update, "v1", "", "b")},
		options: []csaupgrade.Option{csaupgrade.Subresource("status")},
	},
	{
		name:   "nothing to do",
		before: entries{entry("other", update, "v1", "", "d")},
		after:  entries{entry("other", update, "v1", "", "d")},
	},
	{name: "no entries"},
	{name: "invalid", before: entries{entry("kubectl", update, "v1", "", "!")}, fails: true},
	{name: "invalid, applied", before: entries{entry("kubectl", update, "v1", "", "a"), entry("ssa", apply, "v1", "", "!")}, fails: true},
}

var managers = sets.New("kubectl", "old")

// plain returns entries in a form that can be compared.
func plain(t *testing.T, all entries) string {
	t.Helper()
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestUpgradeManagedFields(t *testing.T) {
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{ResourceVersion: "7", ManagedFields: tt.before}}
			original := object.DeepCopy()
			patch, patchErr := csaupgrade.UpgradeManagedFieldsPatch(object, managers, "ssa", tt.options...)
			if !reflect.DeepEqual(object, original) {
				t.Errorf("the patch modified the object to %+v", object)
			}
			err := csaupgrade.UpgradeManagedFields(object, managers, "ssa", tt.options...)
			if tt.fails {
				if err == nil || patchErr == nil {
					t.Errorf("errors %v and %v", err, patchErr)
				}
				return
			}
			if err != nil || patchErr != nil {
				t.Fatalf("errors %v and %v", err, patchErr)
			}
			if got, want := plain(t, object.ManagedFields), plain(t, tt.after); got != want {
				t.Errorf("entries\n%s, want\n%s", got, want)
			}
			if plain(t, tt.before) == plain(t, tt.after) {
				if patch != nil {
					t.Errorf("patch %s", patch)
				}
				return
			}
			var operations []struct {
				Op, Path string
				Value    json.RawMessage
			}
			if err := json.Unmarshal(patch, &operations); err != nil || len(operations) != 2 {
				t.Fatalf("patch %s, %v", patch, err)
			}
			if operations[0].Path != "/metadata/managedFields" || string(operations[0].Value) != plain(t, tt.after) ||
				operations[1].Path != "/metadata/resourceVersion" || string(operations[1].Value) != `"7"` {
				t.Errorf("patch %s", patch)
			}
		})
	}
}

func TestFindFieldsOwners(t *testing.T) {
	all := entries{
		entry("a", update, "v1", "", "x y"), entry("b", update, "v1", "", "x"), entry("c", apply, "v1", "", "x y"),
		entry("broken", update, "v1", "", "!"), {Manager: "none", Operation: update},
	}
	for _, tt := range []struct {
		operation metav1.ManagedFieldsOperationType
		keys      []string
		want      string
	}{
		{update, []string{"x"}, "a b"},
		{update, []string{"x", "y"}, "a"},
		{apply, []string{"x"}, "c"},
		{update, []string{"z"}, ""},
	} {
		fields := fieldpath.NewSet()
		for _, key := range tt.keys {
			fields.Insert(fieldpath.MakePathOrDie("data", key))
		}
		var got []string
		for _, e := range csaupgrade.FindFieldsOwners(all, tt.operation, fields) {
			got = append(got, e.Manager)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s of %v: %v", tt.operation, tt.keys, got)
		}
	}
}
