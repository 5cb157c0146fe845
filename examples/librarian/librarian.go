package librarian

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/listwatch/listwatch/examples/librarian/generated/clientset/versioned"
	"github.com/listwatch/listwatch/examples/librarian/generated/informers/externalversions"
	libraryv1informers "github.com/listwatch/listwatch/examples/librarian/generated/informers/externalversions/library/v1"
	libraryv1listers "github.com/listwatch/listwatch/examples/librarian/generated/listers/library/v1"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/workqueue"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// Librarian puts each book on the first shelf of its namespace that has room, and records the
// shelf in the book's status.
type Librarian struct {
	client  versioned.Interface
	factory externalversions.SharedInformerFactory
	books   libraryv1listers.BookLister
	shelves libraryv1listers.ShelfLister
	queue   workqueue.TypedRateLimitingInterface[cache.ObjectName]
	log     *slog.Logger
}

// New returns a librarian. Its informers start with [Librarian.Run].
func New(client versioned.Interface, log *slog.Logger) (*Librarian, error) {
	factory := externalversions.NewSharedInformerFactory(client, 0)
	books, shelves := factory.Library().V1().Books(), factory.Library().V1().Shelves()
	l := &Librarian{
		client:  client,
		factory: factory,
		books:   books.Lister(),
		shelves: shelves.Lister(),
		queue: workqueue.NewTypedRateLimitingQueueWithConfig(
			workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName](),
			workqueue.TypedRateLimitingQueueConfig[cache.ObjectName]{Name: "books"},
		),
		log: log,
	}
	// Handlers only queue books; the worker does the rest.
	if _, err := books.TypedInformer().AddTypedEventHandler(libraryv1informers.BookHandlerFuncs{
		AddFunc:    func(book *libraryv1.Book) { l.queue.Add(cache.MetaObjectToName(book)) },
		UpdateFunc: func(_, book *libraryv1.Book) { l.queue.Add(cache.MetaObjectToName(book)) },
		// Reconciling it releases its place, which changes the shelf.
		DeleteFunc: func(book libraryv1informers.DeletedBook) { l.queue.Add(book.GetObjectName()) },
	}); err != nil {
		return nil, fmt.Errorf("handle books: %w", err)
	}
	if _, err := shelves.TypedInformer().AddTypedEventHandler(libraryv1informers.ShelfHandlerFuncs{
		AddFunc:    func(shelf *libraryv1.Shelf) { l.queueFor(shelf) },
		UpdateFunc: func(_, shelf *libraryv1.Shelf) { l.queueFor(shelf) },
		DeleteFunc: func(shelf libraryv1informers.DeletedShelf) { l.queueAll(shelf.GetNamespace()) },
	}); err != nil {
		return nil, fmt.Errorf("handle shelves: %w", err)
	}
	return l, nil
}

// queueAll queues all books of a namespace.
func (l *Librarian) queueAll(namespace string) {
	books, err := l.books.Books(namespace).List(labels.Everything())
	if err != nil {
		l.log.Error("cannot list books", "namespace", namespace, "error", err)
	}
	for _, book := range books {
		l.queue.Add(cache.MetaObjectToName(book))
	}
}

// queueFor queues all books that a shelf can affect, including deleted books that have a place.
func (l *Librarian) queueFor(shelf *libraryv1.Shelf) {
	for book := range placesOf(shelf) {
		l.queue.Add(cache.NewObjectName(shelf.Namespace, book))
	}
	l.queueAll(shelf.Namespace)
}

// Run runs the controller until ctx is done, and returns when its goroutines have stopped. It
// returns an error if the informers cannot sync.
func (l *Librarian) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer l.factory.Shutdown()
	defer cancel()

	l.factory.StartWithContext(ctx)
	if err := l.factory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		l.queue.ShutDown()
		return fmt.Errorf("wait for informers: %w", err)
	}

	// A single worker: more would be safe (see places.go) but would only cause conflicts.
	var worker sync.WaitGroup
	worker.Go(func() {
		for l.next(ctx) {
		}
	})
	<-ctx.Done()
	l.queue.ShutDown()
	worker.Wait()
	return nil
}

// next reconciles the next book in the queue. It returns false when the queue is shut down.
func (l *Librarian) next(ctx context.Context) bool {
	name, shutdown := l.queue.Get()
	if shutdown {
		return false
	}
	defer l.queue.Done(name)
	if err := l.reconcile(ctx, name); err != nil {
		l.log.Warn("reconcile failed, retrying", "book", name.String(), "error", err)
		l.queue.AddRateLimited(name)
		return true
	}
	l.queue.Forget(name)
	return true
}

// reconcile updates the status of a book and releases its other places.
func (l *Librarian) reconcile(ctx context.Context, name cache.ObjectName) error {
	book, err := l.books.Books(name.Namespace).Get(name.Name)
	if apierrors.IsNotFound(err) {
		return l.release(ctx, name, "")
	}
	if err != nil {
		return err
	}
	shelf, err := l.shelfFor(book)
	if err != nil {
		return err
	}
	onto := ""
	if shelf != nil {
		onto = shelf.Name
	}
	if onto != book.Status.Shelf {
		if err = l.claim(ctx, shelf, name.Name); err == nil {
			err = l.put(ctx, book, onto)
		}
	}
	if err != nil {
		return err
	}
	return l.release(ctx, name, onto)
}

// put records the shelf of a book in its status.
func (l *Librarian) put(ctx context.Context, book *libraryv1.Book, shelf string) error {
	l.log.Info("shelve", "book", cache.MetaObjectToName(book).String(), "shelf", cmp.Or(shelf, "(none)"))
	book = book.DeepCopy() // objects from listers are shared
	book.Status.Shelf = shelf
	updated, err := l.client.LibraryV1().Books(book.Namespace).UpdateStatus(ctx, book, metav1.UpdateOptions{})
	if err != nil {
		return ignoreNotFound(err)
	}
	// Wait until the cache has the write, so that the next book is placed correctly the first time.
	return cache.WaitForObject(ctx, l.factory.Library().V1().Books().Informer(), updated)
}

// shelfFor returns the book's current shelf if the book can stay there, otherwise the first shelf
// with room, or nil.
func (l *Librarian) shelfFor(book *libraryv1.Book) (*libraryv1.Shelf, error) {
	shelves, err := l.shelves.Shelves(book.Namespace).List(labels.Everything())
	if err != nil {
		return nil, err
	}
	slices.SortFunc(shelves, func(a, b *libraryv1.Shelf) int { return cmp.Compare(a.Name, b.Name) })
	var free *libraryv1.Shelf
	for _, shelf := range slices.Backward(shelves) {
		taken, err := l.taken(shelf)
		if err != nil {
			return nil, err
		}
		if taken.Delete(book.Name); len(taken) >= int(shelf.Spec.Length) {
			continue
		}
		if shelf.Name == book.Status.Shelf {
			return shelf, nil
		}
		free = shelf
	}
	return free, nil
}
