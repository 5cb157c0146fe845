package embedded_test

import (
	"context"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned"
	"github.com/listwatch/listwatch/golden/one-group/informers/externalversions"
	"github.com/listwatch/listwatch/runtime/cache"
	v1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// shelve is a controller: it gives every book a shelf, until the context ends.
func shelve(ctx context.Context, clients versioned.Interface) error {
	factory := externalversions.NewSharedInformerFactory(clients, 0)
	_, err := factory.Library().V1().Books().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			book := obj.(*v1.Book).DeepCopy()
			book.Status.Shelf = book.Spec.Title[:1]
			// A real controller would retry.
			_, _ = clients.LibraryV1().Books(book.Namespace).UpdateStatus(ctx, book, metav1.UpdateOptions{})
		},
	})
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	<-ctx.Done()
	factory.Shutdown()
	return nil
}

// A test of a controller. The server, its connections and all objects are deleted when the test is
// over.
func TestShelve(t *testing.T) {
	srv := embedded.Start(t, embedded.WithCRDs("../testdata/crds"))
	clients := versioned.NewForConfigOrDie(srv.Config())
	running(t, func(ctx context.Context) error { return shelve(ctx, clients) })

	books := clients.LibraryV1().Books("default")
	book, err := books.Create(t.Context(), &v1.Book{
		ObjectMeta: metav1.ObjectMeta{Name: "emma"},
		Spec:       v1.BookSpec{Title: "Emma"},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	changes, err := books.Watch(t.Context(), metav1.SingleObject(book.ObjectMeta))
	if err != nil {
		t.Fatal(err)
	}
	defer changes.Stop()
	for event := range changes.ResultChan() {
		if event.Object.(*v1.Book).Status.Shelf == "E" {
			return
		}
	}
	t.Error("the watch has ended, and the book has no shelf")
}

// running runs a function that ends with its context, beside the test and no longer.
func running(t *testing.T, run func(context.Context) error) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
