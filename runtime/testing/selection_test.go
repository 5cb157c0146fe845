package testing_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"

	fakes "github.com/listwatch/listwatch/runtime/testing"
)

func selectable(t testing.TB) fakes.ObjectTracker {
	made := metav1.Unix(1000, 0).Rfc3339Copy()
	tracker := newTracker(t,
		widget("a", label("app", "x"), colour("red"), phase("on"), func(w *Widget) {
			w.Spec.Size, w.Spec.Round, w.Spec.Made = 3, ptr.To(true), &made
			w.Spec.Options = map[string]string{"fast": "yes"}
		}),
		widget("b", label("app", "y"), colour("blue")),
		widget("c", in("other")))
	for _, g := range []runtime.Object{
		gadget("a", map[string]any{"spec": map[string]any{"colour": "red", "size": int64(3), "weight": 1.5}}),
		gadget("b", nil),
	} {
		if err := tracker.Create(gadgets, g, "ns"); err != nil {
			t.Fatal(err)
		}
	}
	return tracker
}

func TestSelectors(t *testing.T) {
	for _, c := range []struct {
		name    string
		kind    schema.GroupVersionKind
		labels  string
		fields  string
		want    []string
		refused string
	}{
		{"all", widgetKind, "", "", []string{"a", "b", "c"}, ""},
		{"label", widgetKind, "app=x", "", []string{"a"}, ""},
		{"label set", widgetKind, "app in (x,y)", "", []string{"a", "b"}, ""},
		{"no label", widgetKind, "!app", "", []string{"c"}, ""},
		{"bad label", widgetKind, "a b", "", nil, "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"},
		{"name", widgetKind, "", "metadata.name=b", []string{"b"}, ""},
		{"namespace", widgetKind, "", "metadata.namespace!=ns", []string{"c"}, ""},
		{"text", widgetKind, "", "spec.colour=red", []string{"a"}, ""},
		{"empty text", widgetKind, "", "spec.colour=", []string{"c"}, ""},
		{"number", widgetKind, "", "spec.size=3", []string{"a"}, ""},
		{"truth", widgetKind, "", "spec.round=true", []string{"a"}, ""},
		{"nil", widgetKind, "", "spec.round!=true", []string{"b", "c"}, ""},
		{"time", widgetKind, "", "spec.made=1970-01-01T00:16:40Z", []string{"a"}, ""},
		{"map", widgetKind, "", "spec.options.fast=yes", []string{"a"}, ""},
		{"status", widgetKind, "", "status.phase=on", []string{"a"}, ""},
		{"two fields", widgetKind, "", "spec.colour=red,metadata.name=b", nil, ""},
		{"field and label", widgetKind, "app=x", "spec.colour=blue", nil, ""},
		{"kind", widgetKind, "", "kind=", []string{"a", "b", "c"}, ""},
		{"no such field", widgetKind, "", "spec.color=red", nil, "field label not supported: spec.color"},
		{"no such field, first of all", widgetKind, "", "color=red", nil, "field label not supported: color"},
		{"struct", widgetKind, "", "spec=red", nil, "field label not supported: spec"},
		{"below text", widgetKind, "", "spec.colour.x=red", nil, "field label not supported: spec.colour.x"},
		{"below a time", widgetKind, "", "spec.made.x=red", nil, "field label not supported: spec.made.x"},
		{"list", widgetKind, "", "spec.parts=red", nil, "field label not supported: spec.parts"},
		{"below a list", widgetKind, "", "spec.parts.name=red", nil, "field label not supported: spec.parts.name"},
		{"Go name", widgetKind, "", "Spec.Colour=red", nil, "field label not supported: Spec.Colour"},
		{"bad field", widgetKind, "", "a", nil, "invalid selector: 'a'; can't understand 'a'"},
		{"untyped text", gadgetKind, "", "spec.colour=red", []string{"a"}, ""},
		{"untyped number", gadgetKind, "", "spec.size=3", []string{"a"}, ""},
		{"untyped fraction", gadgetKind, "", "spec.weight=1.5", []string{"a"}, ""},
		{"untyped and not there", gadgetKind, "", "spec.color=", []string{"a", "b"}, ""},
		{"untyped map", gadgetKind, "", "spec=red", nil, ""},
		{"untyped below text", gadgetKind, "", "spec.colour.x=red", nil, ""},
		{"untyped, at the top", gadgetKind, "", "kind=Gadget", []string{"a", "b"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			gvr, _ := meta.UnsafeGuessKindToResource(c.kind)
			opts := metav1.ListOptions{LabelSelector: c.labels, FieldSelector: c.fields}
			list, err := selectable(t).List(gvr, c.kind, "", opts)
			if c.refused != "" {
				if !apierrors.IsBadRequest(err) || err.Error() != c.refused {
					t.Errorf("got %v, want %s", err, c.refused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, names(t, list)); diff != "" {
				t.Errorf("list (-want +got)\n%s", diff)
			}
			watched(t, gvr, opts, c.want)
			deleted(t, gvr, c.kind, opts, c.want)
		})
	}
}

func names(t testing.TB, list runtime.Object) []string {
	t.Helper()
	var got []string
	err := meta.EachListItem(list, func(obj runtime.Object) error {
		got = append(got, obj.(metav1.Object).GetName())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func watched(t *testing.T, gvr schema.GroupVersionResource, opts metav1.ListOptions, want []string) {
	t.Helper()
	watcher, err := selectable(t).Watch(gvr, "", opts)
	if err != nil {
		t.Fatal(err)
	}
	watcher.Stop()
	var got []string
	for e := range watcher.ResultChan() {
		got = append(got, e.Object.(metav1.Object).GetName())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("watch (-want +got)\n%s", diff)
	}
}

func deleted(t *testing.T, gvr schema.GroupVersionResource, kind schema.GroupVersionKind, opts metav1.ListOptions, want []string) {
	t.Helper()
	tracker := selectable(t)
	all, err := tracker.List(gvr, kind, "")
	if err != nil {
		t.Fatal(err)
	}
	rest := map[string]bool{}
	for _, name := range names(t, all) {
		rest[name] = true
	}
	for _, name := range want {
		delete(rest, name)
	}
	react := fakes.ObjectReaction(tracker)
	handled, _, err := react(fakes.NewRootDeleteCollectionAction(gvr, opts))
	if !handled || err != nil {
		t.Fatalf("got %v, %v", handled, err)
	}
	left, err := tracker.List(gvr, kind, "")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, name := range names(t, left) {
		got[name] = true
	}
	if diff := cmp.Diff(rest, got); diff != "" {
		t.Errorf("delete (-want +got)\n%s", diff)
	}
}

func FuzzSelectors(f *testing.F) {
	f.Add("app=x", "metadata.name=a")
	f.Add("app in (x,y),!z", "spec.colour!=red,spec.options.fast=yes")
	f.Add("app gt 3", "spec.size=3")
	f.Add("", "..=\\,")
	f.Fuzz(func(t *testing.T, label, field string) {
		opts := metav1.ListOptions{LabelSelector: label, FieldSelector: field}
		tracker := selectable(t)
		for _, kind := range []schema.GroupVersionKind{widgetKind, gadgetKind} {
			gvr, _ := meta.UnsafeGuessKindToResource(kind)
			list, err := tracker.List(gvr, kind, "", opts)
			watcher, watchErr := tracker.Watch(gvr, "", opts)
			if (err == nil) != (watchErr == nil) {
				t.Fatalf("list: %v, watch: %v", err, watchErr)
			}
			labelSelector, labelErr := labels.Parse(label)
			_, fieldErr := fields.ParseSelector(field)
			if err != nil {
				if !apierrors.IsBadRequest(err) {
					t.Fatalf("got %v", err)
				}
				if kind == gadgetKind && labelErr == nil && fieldErr == nil {
					t.Fatalf("the selectors are good, and got %v", err)
				}
				continue
			}
			watcher.Stop()
			_ = meta.EachListItem(list, func(obj runtime.Object) error {
				if !labelSelector.Matches(labels.Set(obj.(metav1.Object).GetLabels())) {
					t.Errorf("%q selected %v", label, obj)
				}
				e, ok := <-watcher.ResultChan()
				if !ok || e.Object.(metav1.Object).GetName() != obj.(metav1.Object).GetName() {
					t.Errorf("list and watch differ: %v", e)
				}
				return nil
			})
			if e, more := <-watcher.ResultChan(); more {
				t.Errorf("the watch has %v, the list has not", e)
			}
		}
	})
}
