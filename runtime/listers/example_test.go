package listers_test

import (
	"fmt"
	"log"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	librarylisters "github.com/listwatch/listwatch/golden/one-group/listers/library/v1"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/listers"
	v1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// A generated lister reads the store of an informer. In tests, an indexer can take its place.
func Example() {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	err := indexer.Add(&v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "emma"}})
	if err != nil {
		log.Fatal(err)
	}

	books := librarylisters.NewBookLister(indexer)
	book, err := books.Books("default").Get("emma")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(book.Name)
	_, err = books.Books("default").Get("persuasion")
	fmt.Println(err)
	// Output:
	// emma
	// book.library.example.com "persuasion" not found
}

// All iterates without making a slice of all objects.
func ExampleAll() {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	for _, name := range []string{"emma", "persuasion"} {
		book := &v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}, Spec: v1.BookSpec{Pages: 200}}
		if err := indexer.Add(book); err != nil {
			log.Fatal(err)
		}
	}

	pages := int32(0)
	for book := range listers.All(librarylisters.NewBookLister(indexer), labels.Everything()) {
		pages += book.Spec.Pages
	}
	fmt.Println(pages)
	// Output: 400
}

// ByIndex finds the objects with a value in an index, which was given to the informer.
func ExampleByIndex() {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{
		"shelf": func(obj any) ([]string, error) { return []string{obj.(*v1.Book).Status.Shelf}, nil },
	})
	for name, shelf := range map[string]string{"emma": "novels", "elements": "mathematics"} {
		book := &v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}, Status: v1.BookStatus{Shelf: shelf}}
		if err := indexer.Add(book); err != nil {
			log.Fatal(err)
		}
	}

	novels, err := listers.ByIndex(librarylisters.NewBookLister(indexer), "shelf", "novels")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(novels), novels[0].Name)
	// Output: 1 emma
}
