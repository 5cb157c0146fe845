package testing_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	libraryfake "github.com/listwatch/listwatch/golden/one-group/clientset/versioned/fake"
	"github.com/listwatch/listwatch/runtime/testing"
	v1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// A generated fake clientset stores objects as a server does, and records what is requested of it.
func Example() {
	client := libraryfake.NewClientset(&v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "emma"}})
	books := client.LibraryV1().Books("default")

	// The code under test.
	ctx := context.Background()
	book, err := books.Get(ctx, "emma", metav1.GetOptions{})
	if err != nil {
		log.Fatal(err)
	}
	book.Status.Lent = true
	if _, err = books.UpdateStatus(ctx, book, metav1.UpdateOptions{}); err != nil {
		log.Fatal(err)
	}

	for _, action := range client.Actions() {
		switch action := action.(type) {
		case testing.GetAction:
			fmt.Println(action.GetVerb(), action.GetName())
		case testing.UpdateAction:
			fmt.Println(action.GetVerb(), action.GetSubresource(), action.GetObject().(*v1.Book).Status.Lent)
		}
	}
	// Output:
	// get emma
	// update status true
}

// A reactor returns an error in place of the fake, so that a test sees what the code makes of it.
func ExampleFake_PrependReactor() {
	client := libraryfake.NewClientset()
	client.PrependReactor("create", "books", func(action testing.Action) (handled bool, ret runtime.Object, err error) {
		if action.(testing.CreateAction).GetObject().(*v1.Book).Name == "diary" {
			return true, nil, errors.New("diaries are private")
		}
		return false, nil, nil // the next reactor, and at last the store
	})

	books := client.LibraryV1().Books("default")
	for _, name := range []string{"diary", "emma"} {
		_, err := books.Create(context.Background(), &v1.Book{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		fmt.Println(name, err)
	}
	// Output:
	// diary diaries are private
	// emma <nil>
}

// A watch reactor replaces the watches of a fake by one that the test controls.
func ExampleFake_PrependWatchReactor() {
	client := libraryfake.NewClientset()
	events := watch.NewFake()
	client.PrependWatchReactor("books", testing.DefaultWatchReactor(events, nil))

	watcher, err := client.LibraryV1().Books("default").Watch(context.Background(), metav1.ListOptions{})
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		events.Add(&v1.Book{ObjectMeta: metav1.ObjectMeta{Name: "emma"}})
		events.Stop()
	}()
	for event := range watcher.ResultChan() {
		fmt.Println(event.Type, event.Object.(*v1.Book).Name)
	}
	// Output: ADDED emma
}
