package controllerruntime_test

import (
	"context"
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

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
