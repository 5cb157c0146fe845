package librarian_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/examples/librarian"
	"github.com/listwatch/listwatch/examples/librarian/generated/clientset/versioned"
	"github.com/listwatch/listwatch/examples/librarian/generated/clientset/versioned/fake"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// TestShelving runs the controller against an API server in this process.
func TestShelving(t *testing.T) {
	server := apitest.Start(t, apitest.WithCRDs("crds"))
	client := versioned.NewForConfigOrDie(server.Config())
	run(t, client)

	create(t, client, shelf("high", 1), shelf("low", 2))
	create(t, client, book("emma"))
	await(t, client, "emma", "high")
	create(t, client, book("ulysses"))
	await(t, client, "ulysses", "low")

	if err := client.LibraryV1().Shelves("default").Delete(t.Context(), "high", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	await(t, client, "emma", "low")
	create(t, client, book("walden"))
	create(t, client, shelf("high", 1))
	await(t, client, "walden", "high")
}

// TestSchema shows a feature that fakes lack: the server validates objects against their CRD.
func TestSchema(t *testing.T) {
	server := apitest.Start(t, apitest.WithCRDs("crds"))
	client := versioned.NewForConfigOrDie(server.Config())

	_, err := client.LibraryV1().Books("default").Create(t.Context(), &libraryv1.Book{
		ObjectMeta: metav1.ObjectMeta{Name: "empty"},
		Spec:       libraryv1.BookSpec{Title: "Nothing"},
	}, metav1.CreateOptions{})
	if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "spec.pages") {
		t.Errorf("a book without pages: %v, want it invalid for its spec.pages", err)
	}
}

// TestFake runs the controller on the fake clientset: no HTTP, no schema, nothing to start.
func TestFake(t *testing.T) {
	client := fake.NewClientset(shelf("high", 1))
	run(t, client)

	create(t, client, book("emma"))
	await(t, client, "emma", "high")
}

// run runs the controller until the test ends.
func run(t *testing.T, client versioned.Interface) {
	t.Helper()
	l, err := librarian.New(client, slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- l.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func book(name string) *libraryv1.Book {
	return &libraryv1.Book{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"}, Spec: libraryv1.BookSpec{Title: name, Pages: 1}}
}

func shelf(name string, length int32) *libraryv1.Shelf {
	return &libraryv1.Shelf{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"}, Spec: libraryv1.ShelfSpec{Length: length}}
}

func create(t *testing.T, client versioned.Interface, objects ...any) {
	t.Helper()
	for _, object := range objects {
		var err error
		switch o := object.(type) {
		case *libraryv1.Book:
			_, err = client.LibraryV1().Books(o.Namespace).Create(t.Context(), o, metav1.CreateOptions{})
		case *libraryv1.Shelf:
			_, err = client.LibraryV1().Shelves(o.Namespace).Create(t.Context(), o, metav1.CreateOptions{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// await waits until the book is on the shelf.
func await(t *testing.T, client versioned.Interface, name, shelf string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	books := client.LibraryV1().Books("default")
	list, err := books.List(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	changes, err := books.Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion})
	if err != nil {
		t.Fatal(err)
	}
	defer changes.Stop()
	for _, b := range list.Items {
		if b.Name == name && b.Status.Shelf == shelf {
			return
		}
	}
	for {
		select {
		case <-ctx.Done():
			t.Fatalf("book %s does not come to shelf %s", name, shelf)
		case change, ok := <-changes.ResultChan():
			if !ok {
				t.Fatalf("the watch has ended, and book %s is not on shelf %s", name, shelf)
			}
			if b, ok := change.Object.(*libraryv1.Book); ok && change.Type == watch.Modified && b.Name == name && b.Status.Shelf == shelf {
				return
			}
		}
	}
}
