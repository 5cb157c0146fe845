package testing_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	fakes "github.com/listwatch/listwatch/runtime/testing"
)

func patchable(w *Widget) {
	w.Spec.Colour = "red"
	w.Spec.Options = map[string]string{"a": "1"}
	w.Spec.Parts = []Part{{Name: "x", Count: 1}, {Name: "y", Count: 2}}
	w.Status.Phase = "on"
}

func TestPatch(t *testing.T) {
	for _, c := range []struct {
		name      string
		patchType types.PatchType
		patch     string
		want      func(*Widget) // nil to expect the error
		is        func(error) bool
		refused   string
	}{
		{"JSON: replace", types.JSONPatchType, `[{"op":"replace","path":"/spec/colour","value":"blue"}]`, colour("blue"), nil, ""},
		{"JSON: remove", types.JSONPatchType, `[{"op":"remove","path":"/spec/colour"}]`, colour(""), nil, ""},
		{"JSON: test", types.JSONPatchType, `[{"op":"test","path":"/spec/colour","value":"red"},{"op":"add","path":"/spec/size","value":4}]`, func(w *Widget) { w.Spec.Size = 4 }, nil, ""},
		{"JSON: test fails", types.JSONPatchType, `[{"op":"test","path":"/spec/colour","value":"blue"}]`, nil, unprocessable, "testing value /spec/colour failed"},
		{"JSON: no such path", types.JSONPatchType, `[{"op":"remove","path":"/spec/none"}]`, nil, unprocessable, "Unable to remove nonexistent key: none"},
		{"JSON: no value", types.JSONPatchType, `[{"op":"replace","path":""}]`, nil, unprocessable, "the patch cannot be applied"},
		{"JSON: no patch", types.JSONPatchType, `{"op":"remove"}`, nil, apierrors.IsBadRequest, "cannot unmarshal object"},
		{"merge", types.MergePatchType, `{"spec":{"colour":"blue","options":{"b":"2"}}}`, func(w *Widget) { w.Spec.Colour, w.Spec.Options["b"] = "blue", "2" }, nil, ""},
		{"merge: remove", types.MergePatchType, `{"spec":{"options":{"a":null}}}`, func(w *Widget) { w.Spec.Options = nil }, nil, ""},
		{"merge: lists are replaced", types.MergePatchType, `{"spec":{"parts":[{"name":"x"}]}}`, func(w *Widget) { w.Spec.Parts = []Part{{Name: "x"}} }, nil, ""},
		{"merge: no JSON", types.MergePatchType, `{`, nil, apierrors.IsBadRequest, "Invalid JSON Patch"},
		{"merge: no object", types.MergePatchType, `[{"spec":{}}]`, nil, apierrors.IsBadRequest, "cannot unmarshal array"},
		{"merge: of another type", types.MergePatchType, `{"spec":{"size":"big"}}`, nil, apierrors.IsInvalid, "cannot unmarshal string into Go struct field"},
		{"merge: current version", types.MergePatchType, `{"metadata":{"resourceVersion":"2"},"spec":{"colour":"blue"}}`, colour("blue"), nil, ""},
		{"merge: stale version", types.MergePatchType, `{"metadata":{"resourceVersion":"1"},"spec":{"colour":"blue"}}`, nil, apierrors.IsConflict, "the object has been modified"},
		{"merge: any version", types.MergePatchType, `{"metadata":{"resourceVersion":null},"spec":{"colour":"blue"}}`, colour("blue"), nil, ""},
		{"merge: another name", types.MergePatchType, `{"metadata":{"name":"b"}}`, nil, apierrors.IsBadRequest, "the name of the object (b) does not match the name on the URL (a)"},
		{"merge: another namespace", types.MergePatchType, `{"metadata":{"namespace":"b"}}`, nil, apierrors.IsBadRequest, `request namespace does not match object namespace, request: "ns" object: "b"`},
		{"strategic", types.StrategicMergePatchType, `{"spec":{"parts":[{"name":"y","count":5},{"name":"z"}]}}`, func(w *Widget) {
			w.Spec.Parts = []Part{{Name: "x", Count: 1}, {Name: "y", Count: 5}, {Name: "z"}}
		}, nil, ""},
		{"strategic: remove", types.StrategicMergePatchType, `{"spec":{"parts":[{"$patch":"delete","name":"y"}]}}`, func(w *Widget) { w.Spec.Parts = []Part{{Name: "x", Count: 1}} }, nil, ""},
		{"strategic: no JSON", types.StrategicMergePatchType, `[`, nil, apierrors.IsBadRequest, "invalid JSON document"},
		{"unknown", "application/x-patch", `{}`, nil, apierrors.IsUnsupportedMediaType, "the body of the request was in an unknown format (application/x-patch)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tracker := newTracker(t, widget("a", patchable))
			react := fakes.ObjectReaction(tracker)
			handled, obj, err := react(fakes.NewPatchAction(widgets, "ns", "a", c.patchType, []byte(c.patch)))
			if !handled {
				t.Fatal("not handled")
			}
			if c.want == nil {
				if err == nil || !c.is(err) || !strings.Contains(err.Error(), c.refused) {
					t.Errorf("got %v, want %s", err, c.refused)
				}
				same(t, get(t, tracker, "a"), widget("a", patchable))
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := widget("a", patchable, c.want)
			same(t, obj, want)
			same(t, get(t, tracker, "a"), want)
			if got := obj.(*Widget).ResourceVersion; got != "3" {
				t.Errorf("got version %s, want 3", got)
			}
		})
	}
}

func unprocessable(err error) bool {
	status, ok := err.(apierrors.APIStatus)
	return ok && status.Status().Code == 422
}

func TestPatchOfWhatHasNoType(t *testing.T) {
	tracker := newTracker(t)
	if err := tracker.Create(gadgets, gadget("g", map[string]any{"size": int64(3)}), "ns"); err != nil {
		t.Fatal(err)
	}
	react := fakes.ObjectReaction(tracker)
	_, obj, err := react(fakes.NewPatchAction(gadgets, "ns", "g", types.MergePatchType, []byte(`{"size":4,"weight":1.5}`)))
	if err != nil {
		t.Fatal(err)
	}
	want := gadget("g", map[string]any{"size": int64(4), "weight": 1.5})
	want.SetResourceVersion("3")
	if diff := cmp.Diff(runtime.Object(want), obj); diff != "" {
		t.Error(diff)
	}
	_, _, err = react(fakes.NewPatchAction(gadgets, "ns", "g", types.StrategicMergePatchType, []byte(`{"size":4}`)))
	if !apierrors.IsUnsupportedMediaType(err) {
		t.Errorf("got %v", err)
	}
}

// FuzzPatch checks that a patch either fails with a server's error and changes nothing, or returns
// the object that is then stored.
func FuzzPatch(f *testing.F) {
	for i, patch := range []string{
		`[{"op":"replace","path":"/spec/colour","value":"blue"}]`,
		`[{"op":"move","from":"/spec","path":"/status"},{"op":"copy","from":"/spec/parts/-1","path":"/spec/parts/0"}]`,
		`{"spec":{"colour":null,"parts":[{"name":"x"}]}}`,
		`{"spec":{"parts":[{"$patch":"replace"},{"name":"y"}],"$setElementOrder/parts":[{"name":"y"}]}}`,
		`{"metadata":{"resourceVersion":"1","name":"b","labels":{"a":"b"},"managedFields":[{}]}}`,
		`{"apiVersion":"example.com/v1","kind":"Widget","spec":{"colour":"blue"}}`,
		`[]`, `{}`, `null`, `[null]`, `""`,
	} {
		f.Add(i, []byte(patch), i%2 == 0)
	}
	kinds := []types.PatchType{types.JSONPatchType, types.MergePatchType, types.StrategicMergePatchType, types.ApplyPatchType}
	f.Fuzz(func(t *testing.T, kind int, patch []byte, status bool) {
		tracker := newTracker(t, widget("a", patchable))
		before := get(t, tracker, "a")
		var subresources []string
		if status {
			subresources = []string{"status"}
		}
		patchType := kinds[uint(kind)%uint(len(kinds))]
		action := fakes.NewPatchSubresourceActionWithOptions(widgets, "ns", "a", patchType, patch, metav1.PatchOptions{FieldManager: "fuzz"}, subresources...)
		_, obj, err := fakes.ObjectReaction(tracker)(action)
		after := get(t, tracker, "a")
		if err != nil {
			if _, ok := err.(apierrors.APIStatus); !ok {
				t.Errorf("%T: %v", err, err)
			}
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("the patch failed (%v) and changed\n%s", err, diff)
			}
			return
		}
		if diff := cmp.Diff(obj, runtime.Object(after)); diff != "" {
			t.Errorf("returned, but not stored\n%s", diff)
		}
		if status {
			if diff := cmp.Diff(before.Spec, after.Spec); diff != "" {
				t.Errorf("a patch of the status changed\n%s", diff)
			}
		}
		if _, err := json.Marshal(obj); err != nil {
			t.Error(err)
		}
	})
}
