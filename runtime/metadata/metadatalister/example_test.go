package metadatalister_test

import (
	"fmt"
	"log"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/metadata/metadatalister"
)

// A lister reads an indexer, usually that of an informer, with the type of its objects.
func Example() {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	err := indexer.Add(&metav1.PartialObjectMetadata{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "emma", Labels: map[string]string{"genre": "novel"}},
	})
	if err != nil {
		log.Fatal(err)
	}

	books := metadatalister.New(indexer, schema.GroupVersionResource{Group: "library.dev", Version: "v1", Resource: "books"})
	all, err := books.Namespace("default").List(labels.Everything())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(all[0].GetName(), all[0].Labels)
	_, err = books.Namespace("default").Get("persuasion")
	fmt.Println(err)
	// Output:
	// emma map[genre:novel]
	// books.library.dev "persuasion" not found
}
