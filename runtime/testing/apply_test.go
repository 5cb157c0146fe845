package testing_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	fakes "github.com/listwatch/listwatch/runtime/testing"
)

// widgetSchema describes widgets by name, and their parts as a list merged by name.
const widgetSchema = `types:
- name: com.github.listwatch.listwatch.runtime.testing_test.Widget
  map:
    fields:
    - {name: apiVersion, type: {scalar: string}}
    - {name: kind, type: {scalar: string}}
    - {name: metadata, type: {namedType: any}}
    - {name: status, type: {namedType: any}}
    - name: spec
      type:
        map:
          fields:
          - {name: colour, type: {scalar: string}}
          - {name: size, type: {scalar: numeric}}
          - name: options
            type: {map: {elementType: {scalar: string}}}
          - name: parts
            type:
              list:
                elementRelationship: associative
                keys: [name]
                elementType:
                  map:
                    fields:
                    - {name: name, type: {scalar: string}}
                    - {name: count, type: {scalar: numeric}}
- name: any
  scalar: untyped
  list: {elementType: {namedType: any}, elementRelationship: atomic}
  map: {elementType: {namedType: any}, elementRelationship: separable}
`

// trackers returns trackers that can apply, and the resource to apply to: typed, typed with a
// schema, of an unknown kind, and of a kind that the schemas do not contain.
func trackers(t testing.TB) map[string]applier {
	t.Helper()
	scheme := newScheme()
	parser, err := typed.NewParser(widgetSchema)
	if err != nil {
		t.Fatal(err)
	}
	schemas := managedfields.NewSchemeTypeConverter(scheme, parser)
	decoder := serializer.NewCodecFactory(scheme).UniversalDecoder()
	return map[string]applier{
		"typed":                   {t, fakes.NewServerObjectTracker(scheme, decoder, nil), widgets, "Widget"},
		"typed, with a schema":    {t, fakes.NewServerObjectTracker(scheme, decoder, schemas), widgets, "Widget"},
		"untyped":                 {t, fakes.NewServerObjectTracker(scheme, decoder, nil), gadgets, "Gadget"},
		"untyped, beside schemas": {t, fakes.NewServerObjectTracker(scheme, decoder, schemas), gadgets, "Gadget"},
	}
}

type applier struct {
	t       testing.TB
	tracker fakes.ObjectTracker
	gvr     schema.GroupVersionResource
	kind    string
}

// apply applies a configuration with these fields besides its kind, and returns the spec and the
// status of the result as JSON.
func (a applier) apply(manager string, force bool, content string, subresources ...string) (string, error) {
	a.t.Helper()
	patch := fmt.Appendf(nil, `{"apiVersion":"example.com/v1","kind":%q,%s}`, a.kind, content)
	opts := metav1.PatchOptions{FieldManager: manager, Force: &force}
	action := fakes.NewPatchSubresourceActionWithOptions(a.gvr, "ns", "a", types.ApplyPatchType, patch, opts, subresources...)
	_, obj, err := fakes.ObjectReaction(a.tracker)(action)
	if err != nil {
		return "", err
	}
	return said(a.t, obj), nil
}

func (a applier) stored() runtime.Object {
	a.t.Helper()
	obj, err := a.tracker.Get(a.gvr, "ns", "a")
	if err != nil {
		a.t.Fatal(err)
	}
	return obj
}

// said returns an object without the fields that every object has.
func said(t testing.TB, obj runtime.Object) string {
	t.Helper()
	data, err := json.Marshal(obj)
	if err != nil {
		t.Fatal(err)
	}
	var content map[string]any
	if err = json.Unmarshal(data, &content); err != nil {
		t.Fatal(err)
	}
	for key, value := range content {
		if m, ok := value.(map[string]any); ok && len(m) == 0 || key == "apiVersion" || key == "kind" || key == "metadata" {
			delete(content, key)
		}
	}
	if data, err = json.Marshal(content); err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// owners describes who owns which fields.
func owners(obj runtime.Object) []string {
	var got []string
	for _, entry := range obj.(metav1.Object).GetManagedFields() {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s", entry.Manager, entry.Operation, entry.Subresource)))
	}
	slices.Sort(got)
	return got
}

func TestApply(t *testing.T) {
	type step struct {
		manager string
		force   bool
		content string
		sub     []string
		want    string
		refused string
	}
	status := []string{"status"}
	for _, c := range []struct {
		name   string
		steps  []step
		owners []string
	}{
		{"creates", []step{
			{"x", false, `"spec":{"colour":"red"}`, nil, `{"spec":{"colour":"red"}}`, ""},
		}, []string{"x Apply"}},
		{"adds", []step{
			{"x", false, `"spec":{"colour":"red"}`, nil, `{"spec":{"colour":"red"}}`, ""},
			{"y", false, `"spec":{"size":3}`, nil, `{"spec":{"colour":"red","size":3}}`, ""},
		}, []string{"x Apply", "y Apply"}},
		{"changes its own", []step{
			{"x", false, `"spec":{"colour":"red"}`, nil, `{"spec":{"colour":"red"}}`, ""},
			{"x", false, `"spec":{"colour":"blue"}`, nil, `{"spec":{"colour":"blue"}}`, ""},
		}, []string{"x Apply"}},
		{"removes fields that are no longer applied", []step{
			{"x", false, `"spec":{"colour":"red","size":3}`, nil, `{"spec":{"colour":"red","size":3}}`, ""},
			{"x", false, `"spec":{"size":3}`, nil, `{"spec":{"size":3}}`, ""},
		}, []string{"x Apply"}},
		{"keeps fields that another manager applies too", []step{
			{"x", false, `"spec":{"colour":"red"}`, nil, `{"spec":{"colour":"red"}}`, ""},
			{"y", false, `"spec":{"colour":"red","size":3}`, nil, `{"spec":{"colour":"red","size":3}}`, ""},
			{"x", false, `"spec":{"options":{"a":"1"}}`, nil, `{"spec":{"colour":"red","options":{"a":"1"},"size":3}}`, ""},
		}, []string{"x Apply", "y Apply"}},
		{"conflicts", []step{
			{"x", false, `"spec":{"colour":"red"}`, nil, `{"spec":{"colour":"red"}}`, ""},
			{"y", false, `"spec":{"colour":"blue"}`, nil, "", `Apply failed with 1 conflict: conflict with "x": .spec.colour`},
		}, []string{"x Apply"}},
		{"by force", []step{
			{"x", false, `"spec":{"colour":"red","size":3}`, nil, `{"spec":{"colour":"red","size":3}}`, ""},
			{"y", true, `"spec":{"colour":"blue"}`, nil, `{"spec":{"colour":"blue","size":3}}`, ""},
			{"x", false, `"spec":{"colour":"red","size":3}`, nil, "", `Apply failed with 1 conflict: conflict with "y": .spec.colour`},
		}, []string{"x Apply", "y Apply"}},
		{"only the status", []step{
			{"x", false, `"spec":{"colour":"red"}`, nil, `{"spec":{"colour":"red"}}`, ""},
			{"x", false, `"metadata":{"labels":{"l":"v"}},"spec":{"colour":"blue"},"status":{"phase":"on"}`, status, `{"spec":{"colour":"red"},"status":{"phase":"on"}}`, ""},
			{"x", false, `"spec":{"colour":"blue"}`, nil, `{"spec":{"colour":"blue"},"status":{"phase":"on"}}`, ""},
		}, []string{"x Apply", "x Apply status"}},
		{"the status of nothing", []step{
			{"x", false, `"status":{"phase":"on"}`, status, "", `.example.com "a" not found`},
		}, nil},
		{"to a version", []step{
			{"x", false, `"spec":{"colour":"red"}`, nil, `{"spec":{"colour":"red"}}`, ""},
			{"x", false, `"metadata":{"resourceVersion":"1"},"spec":{"colour":"blue"}`, nil, "", "the object has been modified"},
			{"x", false, `"metadata":{"resourceVersion":"2"},"spec":{"colour":"blue"}`, nil, `{"spec":{"colour":"blue"}}`, ""},
		}, []string{"x Apply"}},
		{"without a manager", []step{
			{"", false, `"spec":{"colour":"red"}`, nil, "", `PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch`},
		}, nil},
		{"to another name", []step{
			{"x", false, `"metadata":{"name":"b"}`, nil, "", "the name of the object (b) does not match the name on the URL (a)"},
		}, nil},
		{"to another namespace", []step{
			{"x", false, `"metadata":{"namespace":"b"}`, nil, "", `request namespace does not match object namespace, request: "ns" object: "b"`},
		}, nil},
		{"with managed fields", []step{
			{"x", false, `"metadata":{"managedFields":[{}]}`, nil, "", "metadata.managedFields must be nil"},
		}, nil},
		{"invalid metadata", []step{
			{"x", false, `"metadata":3`, nil, "", "value cannot be set"},
		}, nil},
	} {
		for name, a := range trackers(t) {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				a.t = t
				for i, s := range c.steps {
					got, err := a.apply(s.manager, s.force, s.content, s.sub...)
					if s.refused != "" {
						if err == nil || !strings.Contains(err.Error(), s.refused) {
							t.Errorf("step %d: got %v, want %s", i, err, s.refused)
						}
						if _, ok := err.(apierrors.APIStatus); !ok {
							t.Errorf("step %d: got a %T", i, err)
						}
						continue
					}
					if err != nil {
						t.Fatalf("step %d: %v", i, err)
					}
					if got != s.want {
						t.Errorf("step %d: got %s, want %s", i, got, s.want)
					}
					if stored := said(t, a.stored()); stored != s.want {
						t.Errorf("step %d: stored %s, want %s", i, stored, s.want)
					}
				}
				if c.owners == nil {
					if _, err := a.tracker.Get(a.gvr, "ns", "a"); !apierrors.IsNotFound(err) {
						t.Errorf("got %v", err)
					}
					return
				}
				if diff := cmp.Diff(c.owners, owners(a.stored())); diff != "" {
					t.Errorf("owners (-want +got)\n%s", diff)
				}
			})
		}
	}
}

func TestApplyAnswersInTheKindsType(t *testing.T) {
	for name, a := range trackers(t) {
		if _, err := a.apply("x", false, `"spec":{"colour":"red"}`); err != nil {
			t.Fatal(err)
		}
		_, untyped := a.stored().(*unstructured.Unstructured)
		if want := a.kind == "Gadget"; untyped != want {
			t.Errorf("%s: stored a %T", name, a.stored())
		}
	}
}

// TestApplyAgain applies a configuration that changes nothing: nothing is written, and watches only
// receive the next change.
func TestApplyAgain(t *testing.T) {
	for name, a := range trackers(t) {
		apply := func(content string, subresources ...string) metav1.Object {
			if _, err := a.apply("x", false, content, subresources...); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return a.stored().(metav1.Object)
		}
		first := apply(`"spec":{"colour":"red"}`)
		if again := apply(`"spec":{"colour":"red"}`); again.GetResourceVersion() != first.GetResourceVersion() {
			t.Errorf("%s: another version after the same", name)
		}
		events, err := a.tracker.Watch(a.gvr, "ns", metav1.ListOptions{ResourceVersion: first.GetResourceVersion()})
		if err != nil {
			t.Fatal(err)
		}
		status := apply(`"status":{"phase":"ready"}`, "status")
		apply(`"status":{"phase":"ready"}`, "status")
		apply(`"spec":{"colour":"red"}`)
		other := apply(`"spec":{"colour":"blue"}`)
		for _, want := range []metav1.Object{status, other} {
			if got := (<-events.ResultChan()).Object.(metav1.Object); got.GetResourceVersion() != want.GetResourceVersion() {
				t.Errorf("%s: an event of version %s instead of %s", name, got.GetResourceVersion(), want.GetResourceVersion())
			}
		}
		events.Stop()
		if _, err := a.apply("y", true, `"spec":{"colour":"blue"}`); err != nil {
			t.Fatal(err)
		}
		if now := a.stored().(metav1.Object); now.GetResourceVersion() == other.GetResourceVersion() || len(owners(now.(runtime.Object))) != 3 {
			t.Errorf("%s: another owner of the same changes nothing: %v", name, owners(now.(runtime.Object)))
		}
	}
}

// TestListsAreMergedBySchema shows how lists are merged with and without a schema.
func TestListsAreMergedBySchema(t *testing.T) {
	for name, want := range map[string]string{
		"typed":                "conflict",
		"typed, with a schema": `{"spec":{"parts":[{"name":"p"},{"name":"q"}]}}`,
		"untyped":              "conflict",
	} {
		a := trackers(t)[name]
		if _, err := a.apply("x", false, `"spec":{"parts":[{"name":"p"}]}`); err != nil {
			t.Fatal(err)
		}
		got, err := a.apply("y", false, `"spec":{"parts":[{"name":"q"}]}`)
		if apierrors.IsConflict(err) {
			got = "conflict"
		}
		if got != want {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, want)
		}
	}
}

func TestFieldsAreManagedFrom(t *testing.T) {
	for name, c := range map[string]struct {
		before, after, applied []string
	}{
		"typed":                   {nil, nil, []string{"before-first-apply Update", "u Update", "x Apply"}},
		"untyped":                 {nil, nil, []string{"before-first-apply Update", "u Update", "x Apply"}},
		"typed, with a schema":    {[]string{"c Update"}, []string{"c Update", "u Update"}, []string{"c Update", "u Update", "x Apply"}},
		"untyped, beside schemas": {nil, nil, []string{"before-first-apply Update", "u Update", "x Apply"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := trackers(t)[name]
			react := fakes.ObjectReaction(a.tracker)
			merge := func(patch string) {
				t.Helper()
				action := fakes.NewPatchActionWithOptions(a.gvr, "ns", "a", types.MergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: "u"})
				if _, _, err := react(action); err != nil {
					t.Fatal(err)
				}
			}
			var obj runtime.Object = widget("a", colour("red"))
			if a.kind == "Gadget" {
				obj = gadget("a", map[string]any{"spec": map[string]any{"colour": "red"}})
			}
			if err := a.tracker.Create(a.gvr, obj, "ns", metav1.CreateOptions{FieldManager: "c"}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.before, owners(a.stored())); diff != "" {
				t.Errorf("created (-want +got)\n%s", diff)
			}
			merge(`{"spec":{"options":{"a":"1"}}}`)
			if diff := cmp.Diff(c.after, owners(a.stored())); diff != "" {
				t.Errorf("patched (-want +got)\n%s", diff)
			}
			if _, err := a.apply("x", false, `"spec":{"colour":"blue"}`); !apierrors.IsConflict(err) {
				t.Errorf("got %v: existing fields have no owner", err)
			}
			if _, err := a.apply("x", true, `"spec":{"size":3}`); err != nil {
				t.Fatal(err)
			}
			merge(`{"spec":{"options":{"b":"2"}}}`)
			if diff := cmp.Diff(c.applied, owners(a.stored())); diff != "" {
				t.Errorf("applied (-want +got)\n%s", diff)
			}
			if got := said(t, a.stored()); got != `{"spec":{"colour":"red","options":{"a":"1","b":"2"},"size":3}}` {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestApplyOfAKindThatCannotBeKnown(t *testing.T) {
	tracker := newTracker(t)
	for _, c := range []struct {
		content, want string
	}{
		{`{"kind":"Gadget"}`, `the apply configuration is of kind "Gadget" of "" instead of a kind of "example.com/v1"`},
		{`{"apiVersion":"example.com/v1"}`, `the apply configuration is of kind "" of "example.com/v1" instead of a kind of "example.com/v1"`},
		{`null`, `the apply configuration is of kind "" of "" instead of a kind of "example.com/v1"`},
		{`[]`, "cannot unmarshal array"},
		{"a: b: c", "mapping values are not allowed in this context"},
	} {
		action := fakes.NewPatchActionWithOptions(gadgets, "ns", "a", types.ApplyPatchType, []byte(c.content), metav1.PatchOptions{FieldManager: "x"})
		_, _, err := fakes.ObjectReaction(tracker)(action)
		if !apierrors.IsBadRequest(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.content, err, c.want)
		}
	}
}

func TestApplyOfWhatTheTypeCannotHold(t *testing.T) {
	for _, name := range []string{"typed", "typed, with a schema"} {
		a := trackers(t)[name]
		if got, err := a.apply("x", false, `"spec":{"size":"big"}`); !apierrors.IsBadRequest(err) {
			t.Errorf("%s: got %s, %v", name, got, err)
		}
	}
}

func TestStatusIsOwnedApart(t *testing.T) {
	a := trackers(t)["typed, with a schema"]
	if err := a.tracker.Create(widgets, widget("a", colour("red")), "ns", metav1.CreateOptions{FieldManager: "c"}); err != nil {
		t.Fatal(err)
	}
	opts := metav1.UpdateOptions{FieldManager: "c"}
	action := fakes.NewUpdateSubresourceActionWithOptions(widgets, "status", "ns", widget("a", colour("blue"), phase("on")), opts)
	if _, _, err := fakes.ObjectReaction(a.tracker)(action); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"c Update", "c Update status"}, owners(a.stored())); diff != "" {
		t.Error(diff)
	}
}

// TestOwnersByAnotherVersion checks that managers whose fields cannot be converted own nothing.
func TestOwnersByAnotherVersion(t *testing.T) {
	for _, c := range []struct {
		version  string
		conflict bool
	}{{"v1", true}, {"v2", false}} {
		a := applier{t, newTracker(t, widget("a", colour("red"), func(w *Widget) {
			w.ManagedFields = []metav1.ManagedFieldsEntry{{
				Manager: "y", Operation: metav1.ManagedFieldsOperationApply, APIVersion: "example.com/" + c.version,
				FieldsType: "FieldsV1", FieldsV1: &metav1.FieldsV1{Raw: []byte(`{"f:spec":{"f:colour":{}}}`)},
			}}
		})), widgets, "Widget"}
		if _, err := a.apply("x", false, `"spec":{"colour":"blue"}`); apierrors.IsConflict(err) != c.conflict || !c.conflict && err != nil {
			t.Errorf("%s: got %v", c.version, err)
		}
	}
}

// TestSchemaWithoutVersions applies with a schema that contains only what a test needs.
func TestSchemaWithoutVersions(t *testing.T) {
	scheme := newScheme()
	parser, err := typed.NewParser(typed.YAMLObject(strings.Replace(widgetSchema, "{name: metadata, type: {namedType: any}}",
		"{name: metadata, type: {map: {fields: [{name: name, type: {scalar: string}}, {name: namespace, type: {scalar: string}}, {name: creationTimestamp, type: {namedType: any}}, {name: managedFields, type: {namedType: any}}]}}}", 1)))
	if err != nil {
		t.Fatal(err)
	}
	tracker := fakes.NewServerObjectTracker(scheme, nil, managedfields.NewSchemeTypeConverter(scheme, parser))
	a := applier{t, tracker, widgets, "Widget"}
	if err = tracker.Create(widgets, widget("a"), "ns", metav1.CreateOptions{FieldManager: "m"}); err != nil {
		t.Fatal(err)
	}
	for _, size := range []string{"1", "2"} {
		if _, err = a.apply("x", false, `"spec":{"size":`+size+`}`); err != nil {
			t.Fatal(err)
		}
	}
	opts := metav1.UpdateOptions{FieldManager: "m", DryRun: []string{metav1.DryRunAll}}
	_, obj, err := fakes.ObjectReaction(tracker)(fakes.NewUpdateActionWithOptions(widgets, "ns", a.stored(), opts))
	if err != nil {
		t.Fatal(err)
	}
	if got := obj.(*Widget).ResourceVersion; got != "4" {
		t.Errorf("returned version %q, want 4", got)
	}
}

func TestApplyYAML(t *testing.T) {
	tracker := newTracker(t)
	patch := "apiVersion: example.com/v1\nkind: Widget\nspec:\n  size: 3\n"
	action := fakes.NewPatchActionWithOptions(widgets, "ns", "a", types.ApplyPatchType, []byte(patch), metav1.PatchOptions{FieldManager: "x"})
	if _, _, err := fakes.ObjectReaction(tracker)(action); err != nil {
		t.Fatal(err)
	}
	if got := get(t, tracker, "a").Spec.Size; got != 3 {
		t.Errorf("got size %d", got)
	}
}
