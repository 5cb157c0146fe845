package controllers_test

import (
	"context"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/listwatch/listwatch/apitest/controllers"
	"github.com/listwatch/listwatch/apitest/embedded"
)

// start starts a server with controllers.
func start(t *testing.T, list ...embedded.Controller) kubernetes.Interface {
	t.Helper()
	server := embedded.Start(t, embedded.WithControllers(list...))
	clients, err := kubernetes.NewForConfig(server.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	return clients
}

// owned is a ConfigMap with owners.
type owned struct {
	name   string
	owners []string // "!" after a name blocks the owner's deletion
	keep   bool     // it has a finalizer
}

// TestGarbage deletes the object "a" among others, and checks what is left.
func TestGarbage(t *testing.T) {
	for _, c := range []struct {
		name    string
		objects []owned
		policy  metav1.DeletionPropagation
		left    []string
	}{
		{"background", []owned{{name: "a"}, {name: "b", owners: []string{"a"}}, {name: "c", owners: []string{"b"}}, {name: "d"}}, "Background", []string{"d"}},
		{"by default", []owned{{name: "a"}, {name: "b", owners: []string{"a"}}}, "", nil},
		{"orphan", []owned{{name: "a"}, {name: "b", owners: []string{"a"}}, {name: "c", owners: []string{"b"}}}, "Orphan", []string{"b", "c:b"}},
		{"another owner", []owned{{name: "a"}, {name: "x"}, {name: "b", owners: []string{"a", "x"}}}, "Background", []string{"b:x", "x"}},
		{"foreground", []owned{{name: "a"}, {name: "b", owners: []string{"a!"}}, {name: "c", owners: []string{"b!"}}}, "Foreground", nil},
		{"foreground, another owner", []owned{{name: "a"}, {name: "x"}, {name: "b", owners: []string{"a!", "x"}}}, "Foreground", []string{"b:x", "x"}},
		{"foreground, blocked", []owned{{name: "a"}, {name: "b", owners: []string{"a!"}, keep: true}}, "Foreground", []string{"a", "b:a"}},
		{"foreground, not blocked", []owned{{name: "a"}, {name: "b", owners: []string{"a"}, keep: true}}, "Foreground", []string{"b:a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			maps := start(t, controllers.GarbageCollector()).CoreV1().ConfigMaps("default")
			made := map[string]*corev1.ConfigMap{}
			for _, o := range c.objects {
				object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: o.name}}
				for _, name := range o.owners {
					blocks := name[len(name)-1] == '!'
					owner := made[name[:1]]
					object.OwnerReferences = append(object.OwnerReferences, metav1.OwnerReference{
						APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID, BlockOwnerDeletion: &blocks,
					})
				}
				if o.keep {
					object.Finalizers = []string{"example.com/keep"}
				}
				var err error
				if made[o.name], err = maps.Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			options := metav1.DeleteOptions{}
			if c.policy != "" {
				options.PropagationPolicy = &c.policy
			}
			if err := maps.Delete(t.Context(), "a", options); err != nil {
				t.Fatal(err)
			}
			if got := describe(t, maps.List); !slices.Equal(got, c.left) {
				t.Errorf("left are %q, want %q", got, c.left)
			}
			for _, o := range c.objects {
				if !o.keep {
					continue
				}
				if _, err := maps.Patch(t.Context(), o.name, "application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{}); err != nil {
					t.Fatal(err)
				}
				if got := describe(t, maps.List); len(got) > 0 {
					t.Errorf("after the finalizer is removed, left are %q", got)
				}
			}
		})
	}
}

// TestNoOwner creates objects whose owner does not exist, or cannot be looked up.
func TestNoOwner(t *testing.T) {
	core := start(t, controllers.GarbageCollector()).CoreV1()
	for name, ref := range map[string]metav1.OwnerReference{
		"missing": {APIVersion: "v1", Kind: "Secret", Name: "x", UID: "1"},
		"unknown": {APIVersion: "example.com/v1", Kind: "Book", Name: "x", UID: "1"},
		"other":   {APIVersion: "v1", Kind: "Namespace", Name: "default", UID: "1"},
	} {
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, OwnerReferences: []metav1.OwnerReference{ref}}}
		if _, err := core.ConfigMaps("default").Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		_, err := core.ConfigMaps("default").Get(t.Context(), name, metav1.GetOptions{})
		if gone := apierrors.IsNotFound(err); gone != (name != "unknown") {
			t.Errorf("%s: after creation, the object is deleted: %v (%v)", name, gone, err)
		}
	}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n", OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Secret", Name: "x", UID: "1"}}}}
	if _, err := core.Nodes().Create(t.Context(), node, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := core.Nodes().Get(t.Context(), "n", metav1.GetOptions{}); err != nil {
		t.Errorf("an object without a namespace whose owner must be in one: %v", err)
	}
}

// describe returns the names of ConfigMaps, each with the names of its owners.
func describe(t *testing.T, list func(ctx context.Context, options metav1.ListOptions) (*corev1.ConfigMapList, error)) []string {
	t.Helper()
	found, err := list(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, object := range found.Items {
		text := object.Name
		for _, owner := range object.OwnerReferences {
			text += ":" + owner.Name
		}
		out = append(out, text)
	}
	return out
}
