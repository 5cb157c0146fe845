package controllerruntime_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	theircache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	ours "github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/codec"
)

// keeping are options of a cache that keeps only these fields.
func keeping(paths ...string) cache.Options {
	return cache.Options{DefaultTransform: theircache.TransformFunc(ours.Keep(paths...))}
}

func deployment() *appsv1.Deployment {
	pods := map[string]string{"app": "a"}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: "sea", Name: "a", Finalizers: []string{"example.com/first"}},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: pods},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: pods},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: "example.com/a"}, {Name: "b", Image: "example.com/b"}}},
			},
		},
	}
}

// What the cache has cut is not written in place of the whole object, and patches change only what they should.
func TestWritesOfCutObjects(t *testing.T) {
	for _, form := range []string{"", "unstructured"} {
		t.Run(form, func(t *testing.T) {
			_, config, direct := fleet(t)
			create(t, direct, deployment())
			w := writer(t, config, start(t, config, keeping("spec.replicas", "spec.template.spec.containers.image", "status.replicas")))
			name := client.ObjectKeyFromObject(deployment())
			kind := appsv1.SchemeGroupVersion.WithKind("Deployment")
			read := func() client.Object {
				t.Helper()
				got := emptyObject(form, kind, &appsv1.Deployment{})
				if err := w.Get(t.Context(), name, got); err != nil {
					t.Fatal(err)
				}
				return got
			}
			if got := read(); !codec.IsCut(got) || got.GetManagedFields() != nil {
				t.Fatalf("not cut: %+v", got)
			}
			fresh := read()
			fresh.SetName("b")
			fresh.SetResourceVersion("")
			lists := client.RawPatch(types.MergePatchType, []byte(`{"spec":{"template":{"spec":{"tolerations":[]}}}}`))
			changed := func(change func(*unstructured.Unstructured)) func(base func(client.Object) client.Patch) error {
				return func(base func(client.Object) client.Patch) error {
					before := read()
					after := before.DeepCopyObject().(client.Object)
					content, err := toUntyped(after)
					if err != nil {
						t.Fatal(err)
					}
					change(content)
					if err := fromUntyped(content, after); err != nil {
						t.Fatal(err)
					}
					return w.Patch(t.Context(), after, base(before))
				}
			}
			merge := func(o client.Object) client.Patch { return client.MergeFrom(o) }
			strategic := func(o client.Object) client.Patch { return client.StrategicMergeFrom(o) }
			locked := func(o client.Object) client.Patch {
				return client.MergeFromWithOptions(o, client.MergeFromWithOptimisticLock{})
			}
			images := changed(func(u *unstructured.Unstructured) {
				list, _, _ := unstructured.NestedSlice(u.Object, "spec", "template", "spec", "containers")
				list[0].(map[string]any)["image"] = "example.com/c"
				_ = unstructured.SetNestedSlice(u.Object, list, "spec", "template", "spec", "containers")
			})
			for what, err := range map[string]error{
				"update":           w.Update(t.Context(), read()),
				"update of a copy": w.Update(t.Context(), read().DeepCopyObject().(client.Object)),
				"create":           w.Create(t.Context(), fresh),
				"status":           w.Status().Update(t.Context(), read()),
				"apply":            w.Patch(t.Context(), read(), client.Apply, client.FieldOwner("test"), client.ForceOwnership), //nolint:staticcheck // programs use it
				"list":             images(merge),
			} {
				if !errors.Is(err, codec.ErrCut) {
					t.Errorf("%s: %v", what, err)
				}
			}
			if form == "unstructured" {
				applied := client.ApplyConfigurationFromUnstructured(read().(*unstructured.Unstructured))
				if err := w.Apply(t.Context(), applied, client.FieldOwner("test"), client.ForceOwnership); !errors.Is(err, codec.ErrCut) {
					t.Errorf("apply: %v", err)
				}
			} else if err := images(strategic); !errors.Is(err, codec.ErrCut) {
				t.Errorf("list, strategic: %v", err)
			}
			whole := &appsv1.Deployment{}
			if err := direct.Get(t.Context(), name, whole); err != nil {
				t.Fatal(err)
			}
			backwards := whole.DeepCopy()
			if err := w.Patch(t.Context(), read(), client.MergeFrom(client.Object(backwards))); !errors.Is(err, codec.ErrCut) {
				t.Errorf("patch from the whole object to the cut one: %v", err)
			}
			if err := w.Patch(t.Context(), read(), lists); err != nil {
				t.Errorf("raw patch: %v", err)
			}
			change := changed(func(u *unstructured.Unstructured) {
				u.SetLabels(map[string]string{"x": "y"})
				u.SetFinalizers(append(u.GetFinalizers(), "example.com/second"))
				_ = unstructured.SetNestedField(u.Object, int64(5), "spec", "replicas")
			})
			bases := []func(client.Object) client.Patch{merge, locked}
			if form == "" {
				bases = append(bases, strategic)
			}
			for _, base := range bases {
				if err := change(base); err != nil {
					t.Fatal(err)
				}
			}
			after := read()
			for what, write := range map[string]client.SubResourceWriter{"status": w.Status(), "subresource": w.SubResource("status")} {
				before := after.DeepCopyObject().(client.Object)
				if err := write.Patch(t.Context(), after, client.MergeFrom(before)); err != nil || codec.IsCut(after) {
					t.Errorf("patch of the %s: %v", what, err)
				}
			}
			if err := w.Update(t.Context(), after); err != nil {
				t.Errorf("update of a response: %v", err)
			}
			got := &appsv1.Deployment{}
			if err := direct.Get(t.Context(), name, got); err != nil {
				t.Fatal(err)
			}
			equal(t, "replicas", *got.Spec.Replicas, 5)
			equal(t, "labels", got.Labels, map[string]string{"x": "y"})
			equal(t, "finalizers", got.Finalizers[:2], []string{"example.com/first", "example.com/second"})
			equal(t, "containers", len(got.Spec.Template.Spec.Containers), 2)
			equal(t, "image", got.Spec.Template.Spec.Containers[0].Image, "example.com/a")
			equal(t, "selfLink", got.GetSelfLink(), "")
			equal(t, "managers", len(got.ManagedFields) > 0 && got.ManagedFields[0].FieldsV1 != nil, true)
		})
	}
}

func toUntyped(obj client.Object) (*unstructured.Unstructured, error) {
	text, err := json.Marshal(obj)
	if err != nil {
		return nil, err
	}
	u := &unstructured.Unstructured{}
	return u, json.Unmarshal(text, &u.Object)
}

func fromUntyped(u *unstructured.Unstructured, obj client.Object) error {
	text, err := json.Marshal(u.Object)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, obj)
}

// A read into an object that was cut leaves no mark of before.
func TestReadIntoCutObject(t *testing.T) {
	_, config, direct := fleet(t, "sea/a")
	w := writer(t, config, start(t, config, keeping("data")))
	got := &corev1.ConfigMap{}
	name := client.ObjectKey{Namespace: "sea", Name: "a"}
	if err := w.Get(t.Context(), name, got); err != nil || !codec.IsCut(got) {
		t.Fatal(err, got)
	}
	if err := w.Get(t.Context(), client.ObjectKey{Namespace: "sea", Name: "none"}, got); err == nil || !codec.IsCut(got) {
		t.Errorf("after an error: %v, cut: %v", err, codec.IsCut(got))
	}
	live, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := live.Get(t.Context(), name, got); err != nil {
		t.Fatal(err)
	}
	if err := w.Update(t.Context(), got); err != nil {
		t.Errorf("update of what was read from the server: %v", err)
	}
	if err := direct.Get(t.Context(), name, got); err != nil || got.GetSelfLink() != "" || len(got.Labels) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Paths are checked for the kind, in its typed form; the error is that of reads.
func TestKeepOfUnknownField(t *testing.T) {
	_, config, _ := fleet(t, "sea/a")
	c := start(t, config, keeping("spec.nodeName"))
	if err := c.Get(t.Context(), client.ObjectKey{Namespace: "sea", Name: "a"}, &corev1.ConfigMap{}); err == nil || !strings.Contains(err.Error(), "unknown field spec of v1.ConfigMap in path spec.nodeName") {
		t.Error(err)
	}
	for _, form := range []string{"unstructured", "metadata"} {
		if err := c.Get(t.Context(), client.ObjectKey{Namespace: "sea", Name: "a"}, inForm(form)); err != nil {
			t.Errorf("%s: %v", form, err)
		}
	}
}
