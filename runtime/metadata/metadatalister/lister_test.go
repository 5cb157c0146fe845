package metadatalister_test

import (
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/metadata/metadatalister"
)

var books = schema.GroupVersionResource{Group: "library.dev", Version: "v1", Resource: "books"}

func book(namespace, name string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"name": name}}}
}

func TestLister(t *testing.T) {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	for _, obj := range []*metav1.PartialObjectMetadata{book("a", "x"), book("a", "y"), book("b", "x"), book("", "cluster")} {
		if err := indexer.Add(obj); err != nil {
			t.Fatal(err)
		}
	}
	lister := metadatalister.New(indexer, books)
	untyped := metadatalister.NewRuntimeObjectShim(lister)
	x := labels.SelectorFromSet(labels.Set{"name": "x"})
	for _, test := range []struct {
		name, namespace string
		selector        labels.Selector
		want            int
	}{
		{"everything", "", labels.Everything(), 4},
		{"selected", "", x, 2},
		{"a namespace", "a", labels.Everything(), 2},
		{"a namespace, selected", "a", x, 1},
		{"no namespace", "c", labels.Everything(), 0},
	} {
		objects, err := lister.List(test.selector)
		shimmed, shimErr := untyped.List(test.selector)
		if test.namespace != "" {
			objects, err = lister.Namespace(test.namespace).List(test.selector)
			shimmed, shimErr = untyped.ByNamespace(test.namespace).List(test.selector)
		}
		if err != nil || shimErr != nil || len(objects) != test.want || len(shimmed) != test.want {
			t.Errorf("%s: %d objects, %d untyped, want %d; %v, %v", test.name, len(objects), len(shimmed), test.want, err, shimErr)
		}
	}
	for key, found := range map[string]bool{"a/x": true, "cluster": true, "x": false} {
		obj, err := lister.Get(key)
		shimmed, shimErr := untyped.Get(key)
		if found && (err != nil || shimErr != nil || shimmed != obj) || !found && (shimmed != nil || !apierrors.IsNotFound(err) || !apierrors.IsNotFound(shimErr)) {
			t.Errorf("%s: %v, %v; %v, %v", key, obj, err, shimmed, shimErr)
		}
	}
	if obj, err := lister.Namespace("b").Get("x"); err != nil || obj.GetNamespace() != "b" {
		t.Errorf("b/x: %v, %v", obj, err)
	}
	if obj, err := untyped.ByNamespace("b").Get("y"); obj != nil || !apierrors.IsNotFound(err) {
		t.Errorf("b/y: %v, %v", obj, err)
	}
}
