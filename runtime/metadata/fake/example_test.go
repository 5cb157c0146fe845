package fake_test

import (
	"context"
	"fmt"
	"log"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/metadata/fake"
)

// The fake stores the metadata of objects. Its clients can also create and update, to prepare a test.
func Example() {
	ctx := context.Background()
	scheme := fake.NewTestScheme()
	if err := metav1.AddMetaToScheme(scheme); err != nil {
		log.Fatal(err)
	}
	client := fake.NewSimpleMetadataClient(scheme, &metav1.PartialObjectMetadata{
		TypeMeta:   metav1.TypeMeta{APIVersion: "library.dev/v1", Kind: "Book"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "emma"},
	})

	books := client.Resource(schema.GroupVersionResource{Group: "library.dev", Version: "v1", Resource: "books"}).Namespace("default")
	_, err := books.(fake.MetadataClient).CreateFake(&metav1.PartialObjectMetadata{
		TypeMeta:   metav1.TypeMeta{APIVersion: "library.dev/v1", Kind: "Book"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "persuasion"},
	}, metav1.CreateOptions{})
	if err != nil {
		log.Fatal(err)
	}
	list, err := books.List(ctx, metav1.ListOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, book := range list.Items {
		fmt.Println(book.Kind, book.Name)
	}
	// Output:
	// Book emma
	// Book persuasion
}
