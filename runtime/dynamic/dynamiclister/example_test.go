package dynamiclister_test

import (
	"fmt"
	"log"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/dynamic/dynamiclister"
)

// A lister reads an indexer, usually that of an informer, with the type of its objects.
func Example() {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	err := indexer.Add(&unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{"namespace": "default", "name": "emma"},
		"spec":     map[string]any{"title": "Emma"},
	}})
	if err != nil {
		log.Fatal(err)
	}

	books := dynamiclister.New(indexer, schema.GroupVersionResource{Group: "library.dev", Version: "v1", Resource: "books"})
	all, err := books.Namespace("default").List(labels.Everything())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(all[0].GetName(), all[0].Object["spec"])
	_, err = books.Namespace("default").Get("persuasion")
	fmt.Println(err)
	// Output:
	// emma map[title:Emma]
	// books.library.dev "persuasion" not found
}
