package watch_test

import (
	"context"
	"fmt"
	"log"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiwatch "k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned/fake"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/cache/watch"
	v1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// UntilWithSync waits until an object is in a state, whether it is already or will be.
func ExampleUntilWithSync() {
	emma := &v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "emma"}, Status: v1.BookStatus{Lent: true}}
	books := fake.NewClientset(emma).LibraryV1().Books("default")

	returned := func(event apiwatch.Event) (bool, error) {
		book, ok := event.Object.(*v1.Book)
		return ok && book.Name == "emma" && !book.Status.Lent, nil
	}
	ctx, cancel := watch.ContextWithOptionalTimeout(context.Background(), 0) // usually minutes
	defer cancel()
	go func() { // another client
		book, err := books.Get(ctx, "emma", metav1.GetOptions{})
		if err != nil {
			log.Fatal(err)
		}
		book.Status.Lent = false
		if _, err = books.UpdateStatus(ctx, book, metav1.UpdateOptions{}); err != nil {
			log.Fatal(err)
		}
	}()
	event, err := watch.UntilWithSync(ctx, cache.ListWatchFor(books, nil), &v1.Book{}, nil, returned)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(event.Object.(*v1.Book).Name, "was returned")
	// Output: emma was returned
}

// Until waits for changes after a resource version, usually that of a list, and misses none.
func ExampleUntil() {
	emma := &v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "emma"}}
	books := fake.NewClientset(emma).LibraryV1().Books("default")
	ctx := context.Background()
	list, err := books.List(ctx, metav1.ListOptions{})
	if err != nil {
		log.Fatal(err)
	}
	if err = books.Delete(ctx, "emma", metav1.DeleteOptions{}); err != nil {
		log.Fatal(err)
	}

	deleted := func(event apiwatch.Event) (bool, error) { return event.Type == apiwatch.Deleted, nil }
	event, err := watch.Until(ctx, list.ResourceVersion, cache.ListWatchFor(books, nil), deleted)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(event.Type, event.Object.(*v1.Book).Name)
	// Output: DELETED emma
}

// UntilWithoutRetry waits for events of any watch, such as one of a fake.
func ExampleUntilWithoutRetry() {
	watcher := apiwatch.NewFakeWithOptions(apiwatch.FakeOptions{ChannelSize: 2})
	watcher.Add(&v1.Book{ObjectMeta: metav1.ObjectMeta{Name: "persuasion"}})
	watcher.Add(&v1.Book{ObjectMeta: metav1.ObjectMeta{Name: "emma"}})

	isEmma := func(event apiwatch.Event) (bool, error) { return event.Object.(*v1.Book).Name == "emma", nil }
	event, err := watch.UntilWithoutRetry(context.Background(), watcher, isEmma)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(event.Type, event.Object.(*v1.Book).Name)
	// Output: ADDED emma
}
