package embedded_test

import (
	"context"
	"fmt"
	"log"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned"
	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned/scheme"
	v1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// Kinds with Go types need no CRDs if they need no validation. A Resource contains what the type
// does not.
func ExampleWithScheme() {
	srv, err := embedded.New(embedded.WithScheme(scheme.Scheme, embedded.Resource{
		Kind:   schema.GroupVersionKind{Group: v1.GroupName, Version: "v1", Kind: "Shelf"},
		Plural: "shelves", // "shelfs" is the guess
	}))
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Stop() //nolint:errcheck // the example is over

	clients := versioned.NewForConfigOrDie(srv.Config())
	shelf := &v1.Shelf{ObjectMeta: metav1.ObjectMeta{GenerateName: "a-"}, Spec: v1.ShelfSpec{Length: 2}}
	shelf, err = clients.LibraryV1().Shelves("default").Create(context.Background(), shelf, metav1.CreateOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(shelf.Name), shelf.Generation)
	// Output: 7 1
}
