package cache_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
)

// Of objects with a kind, only untyped ones are described by it.
func TestTypeDescription(t *testing.T) {
	for want, obj := range map[string]runtime.Object{
		"*v1.PartialObjectMetadata": &metav1.PartialObjectMetadata{},
		"sea/v1, Kind=Boat":         &unstructured.Unstructured{},
	} {
		obj.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{Group: "sea", Version: "v1", Kind: "Boat"})
		if got := cache.NewReflector(nil, obj, nil, 0).TypeDescription(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
