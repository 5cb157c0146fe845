package controllerruntime_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/clientgo"
	"github.com/listwatch/listwatch/controllerruntime"
	ours "github.com/listwatch/listwatch/runtime/cache"
)

// plainText is a compression that compresses nothing.
type plainText struct{}

func (plainText) NewDictionary([][]byte) ours.CompressionDictionary { return plainText{} }
func (plainText) Pack(to, text []byte) []byte                       { return append(to, text...) }
func (plainText) Unpack(to, packed []byte) ([]byte, error)          { return append(to, packed...), nil }
func (plainText) Size() int                                         { return 0 }

// TestPackedKinds reads from a cache whose config maps are packed: the caller owns what it gets.
func TestPackedKinds(t *testing.T) {
	_, config, direct := fleet(t, "default/a", "default/b")
	packed := map[client.Object]ours.Compression{&corev1.ConfigMap{}: plainText{}}
	c, err := controllerruntime.NewCacheWith(controllerruntime.Options{Packed: packed})(config, cache.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- c.Start(ctx) }()
	for range 3 {
		var got, want corev1.ConfigMap
		key := client.ObjectKey{Namespace: "default", Name: "a"}
		if err := c.Get(ctx, key, &got); err != nil {
			t.Fatal(err)
		}
		if err := direct.Get(ctx, key, &want); err != nil {
			t.Fatal(err)
		}
		want.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("ConfigMap"))
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got\n%+v, want\n%+v", got, want)
		}
		got.Data["name"] = "changed"
	}
	var list corev1.ConfigMapList
	if err := c.List(ctx, &list, client.InNamespace("default"), client.MatchingLabels{"name": "b"}); err != nil {
		t.Fatal(err)
	}
	if len(list.Items) != 1 || list.Items[0].Data["name"] != "b" {
		t.Errorf("listed are %v", list.Items)
	}
	found := 0
	for _, informer := range ours.All() {
		if state := ours.StateOf(informer); state.Packed != nil {
			found++
		}
	}
	if found != 1 {
		t.Errorf("%d informers have packed objects", found)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}

	if _, err := controllerruntime.NewCacheWith(controllerruntime.Options{Packed: packed})(config, cache.Options{Scheme: runtime.NewScheme()}); err == nil {
		t.Error("a kind that the scheme does not know is packed")
	}
}

// TestPackedLists changes what it lists of more config maps than stay decoded: each list returns what the server has.
func TestPackedLists(t *testing.T) {
	var objects []runtime.Object
	for i := range 1100 {
		objects = append(objects, configMap(fmt.Sprintf("default/m%04d", i)))
	}
	config := clientgo.ToConfig(embedded.Start(t, embedded.WithObjects(objects...)).Config())
	packed := map[client.Object]ours.Compression{&corev1.ConfigMap{}: plainText{}}
	c, err := controllerruntime.NewCacheWith(controllerruntime.Options{Packed: packed})(config, cache.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.IndexField(t.Context(), &corev1.ConfigMap{}, "last", func(o client.Object) []string {
		return []string{o.GetName()[len(o.GetName())-1:]}
	}); err != nil {
		t.Fatal(err)
	}
	run(t, c)
	for _, r := range []struct {
		name    string
		options []client.ListOption
		want    int
	}{
		{"all", []client.ListOption{client.InNamespace("default"), client.HasLabels{"name"}}, 1100},
		{"by index", []client.ListOption{client.MatchingFields{"last": "3"}}, 110},
		{"by index, limited", []client.ListOption{client.MatchingFields{"last": "3"}, client.Limit(7)}, 7},
		{"shared", []client.ListOption{client.MatchingFields{"last": "4"}, client.UnsafeDisableDeepCopy}, 110},
	} {
		t.Run(r.name, func(t *testing.T) {
			for range 2 {
				var list corev1.ConfigMapList
				if err := c.List(t.Context(), &list, r.options...); err != nil {
					t.Fatal(err)
				}
				equal(t, "config maps", len(list.Items), r.want)
				for i := range list.Items {
					m := &list.Items[i]
					if m.Data["name"] != m.Name || m.Labels["name"] != m.Name {
						t.Fatalf("%+v", m)
					}
					if r.name != "shared" {
						equal(t, "kind", m.Kind, "ConfigMap")
						m.Data["name"], m.Labels["name"] = "changed", "changed"
					}
				}
			}
		})
	}
}

// TestKeptPartsAreShared reads objects whose cut parts are equal.
func TestKeptPartsAreShared(t *testing.T) {
	pod := func(name, node string) *corev1.Pod {
		return &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name},
			Spec:       corev1.PodSpec{NodeName: node, Containers: []corev1.Container{{Name: "c", Image: "image", WorkingDir: "/" + name}}},
		}
	}
	var objects []runtime.Object
	for i := range 5 {
		objects = append(objects, pod(fmt.Sprint("p", i), "n"))
	}
	config := clientgo.ToConfig(embedded.Start(t, embedded.WithObjects(objects...)).Config())
	c, err := controllerruntime.NewCache(config, cache.Options{
		DefaultTransform: toolscache.TransformFunc(ours.Keep("spec.containers.image")),
	})
	if err != nil {
		t.Fatal(err)
	}
	run(t, c)
	var stored corev1.PodList
	if err := c.List(t.Context(), &stored, client.UnsafeDisableDeepCopy); err != nil {
		t.Fatal(err)
	}
	places := map[*corev1.Container]bool{}
	for i := range stored.Items {
		if got := stored.Items[i].Spec.Containers[0]; got.Image != "image" || got.WorkingDir != "" || got.Name != "" {
			t.Errorf("%+v", got)
		}
		places[&stored.Items[i].Spec.Containers[0]] = true
	}
	equal(t, "different containers in memory", len(places), 2) // the first one was not known to come again
	var copied corev1.PodList
	if err := c.List(t.Context(), &copied); err != nil {
		t.Fatal(err)
	}
	copied.Items[0].Spec.Containers[0].Image = "changed"
	equal(t, "image of another", copied.Items[1].Spec.Containers[0].Image, "image")
}
