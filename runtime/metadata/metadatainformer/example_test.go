package metadatainformer_test

import (
	"context"
	"fmt"
	"log"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/metadata/fake"
	"github.com/listwatch/listwatch/runtime/metadata/metadatainformer"
)

// Informers of metadata need a small part of the memory of others. They are for controllers that look only at
// labels, annotations, owners or finalizers.
func Example() {
	scheme := fake.NewTestScheme()
	if err := metav1.AddMetaToScheme(scheme); err != nil {
		log.Fatal(err)
	}
	client := fake.NewSimpleMetadataClient(scheme, &metav1.PartialObjectMetadata{ // in a program, metadata.NewForConfig
		TypeMeta:   metav1.TypeMeta{APIVersion: "library.dev/v1", Kind: "Book"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "emma", Finalizers: []string{"library.dev/lent"}},
	})

	ctx, cancel := context.WithCancel(context.Background())
	factory := metadatainformer.NewSharedInformerFactory(client, 0)
	defer factory.Shutdown() // waits until the informers have stopped, after cancel
	defer cancel()
	books := factory.ForResource(schema.GroupVersionResource{Group: "library.dev", Version: "v1", Resource: "books"})
	lister := books.Lister()
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())

	all, err := lister.List(labels.Everything())
	if err != nil {
		log.Fatal(err)
	}
	for _, obj := range all {
		book := obj.(*metav1.PartialObjectMetadata)
		fmt.Println(book.Name, book.Finalizers)
	}
	// Output: emma [library.dev/lent]
}
