package fake_test

import (
	"context"
	"fmt"
	"log"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned/scheme"
	"github.com/listwatch/listwatch/runtime/gentype/fake"
	"github.com/listwatch/listwatch/runtime/testing"
	v1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// A fake client of a kind needs no generated code either: it passes its calls to a Fake as actions.
func Example() {
	recorder := &testing.Fake{}
	tracker := testing.NewServerObjectTracker(scheme.Scheme, scheme.Codecs.UniversalDecoder(), nil)
	if err := testing.TrackObjects(recorder, tracker); err != nil {
		log.Fatal(err)
	}
	books := fake.For[*v1.Book, *v1.BookList](recorder, "default", v1.SchemeGroupVersion, "books", "Book")

	ctx := context.Background()
	_, err := books.Create(ctx, &v1.Book{ObjectMeta: metav1.ObjectMeta{Name: "emma"}}, metav1.CreateOptions{})
	if err != nil {
		log.Fatal(err)
	}
	book, err := books.Get(ctx, "emma", metav1.GetOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(book.Namespace, book.Name)
	for _, action := range recorder.Actions() {
		fmt.Println(action.GetVerb(), action.GetResource().Resource)
	}
	// Output:
	// default emma
	// create books
	// get books
}
