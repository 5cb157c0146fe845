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

// Librarian puts each book on the first shelf of its namespace that has room for it, and
// writes the shelf into the book's status.
type Librarian struct {
	client  versioned.Interface
	factory externalversions.SharedInformerFactory
	books   libraryv1listers.BookLister
	shelves libraryv1listers.ShelfLister
	queue   workqueue.TypedRateLimitingInterface[cache.ObjectName]
	log     *slog.Logger
}

// New returns a librarian that has still to be [Librarian.Run]. Its informers begin then.
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
	// Handlers only say which books have to be looked at; the workers do the rest.
	if _, err := books.TypedInformer().AddTypedEventHandler(libraryv1informers.BookHandlerFuncs{
		AddFunc:    func(book *libraryv1.Book) { l.queue.Add(cache.MetaObjectToName(book)) },
		UpdateFunc: func(_, book *libraryv1.Book) { l.queue.Add(cache.MetaObjectToName(book)) },
		// Its place is to be released, and then the shelf changes.
		DeleteFunc: func(book libraryv1informers.DeletedBook) { l.queue.Add(book.GetObjectName()) },
	}); err != nil {
		return nil, fmt.Errorf("handle books: %w", err)
	}
	if _, err := shelves.TypedInformer().AddTypedEventHandler(libraryv1informers.ShelfHandlerFuncs{
		AddFunc:    func(shelf *libraryv1.Shelf) { l.lookAtShelf(shelf) },
		UpdateFunc: func(_, shelf *libraryv1.Shelf) { l.lookAtShelf(shelf) },
		DeleteFunc: func(shelf libraryv1informers.DeletedShelf) { l.lookAtAll(shelf.GetNamespace()) },
	}); err != nil {
		return nil, fmt.Errorf("handle shelves: %w", err)
	}
	return l, nil
}

// lookAtAll queues all books of a namespace.
func (l *Librarian) lookAtAll(namespace string) {
	books, err := l.books.Books(namespace).List(labels.Everything())
	if err != nil {
		l.log.Error("cannot list books", "namespace", namespace, "error", err)
	}
	for _, book := range books {
		l.queue.Add(cache.MetaObjectToName(book))
	}
}

// lookAtShelf queues all books that the places of a shelf may matter to, deleted ones too.
func (l *Librarian) lookAtShelf(shelf *libraryv1.Shelf) {
	for book := range placesOf(shelf) {
		l.queue.Add(cache.NewObjectName(shelf.Namespace, book))
	}
	l.lookAtAll(shelf.Namespace)
}

// Run works until the context ends, and returns when all that it has started has stopped. It
// returns an error if the informers never got to know what there is, and says why.
func (l *Librarian) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer l.factory.Shutdown()
	defer cancel()

	l.factory.StartWithContext(ctx)
	if err := l.factory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		l.queue.ShutDown()
		return fmt.Errorf("wait for informers: %w", err)
	}

	// One worker: the places (places.go) would bear with more, which would only meet conflicts.
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

// next takes the next book from the queue, and says whether there may be more.
func (l *Librarian) next(ctx context.Context) bool {
	name, shutdown := l.queue.Get()
	if shutdown {
		return false
	}
	defer l.queue.Done(name)
	if err := l.reconcile(ctx, name); err != nil {
		l.log.Warn("will try again", "book", name.String(), "error", err)
		l.queue.AddRateLimited(name)
		return true
	}
	l.queue.Forget(name)
	return true
}

// reconcile makes a book's status what it ought to be.
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

// put writes into a book's status which shelf it is on.
func (l *Librarian) put(ctx context.Context, book *libraryv1.Book, shelf string) error {
	l.log.Info("shelve", "book", cache.MetaObjectToName(book).String(), "shelf", cmp.Or(shelf, "(none)"))
	book = book.DeepCopy() // what listers return is shared
	book.Status.Shelf = shelf
	updated, err := l.client.LibraryV1().Books(book.Namespace).UpdateStatus(ctx, book, metav1.UpdateOptions{})
	if err != nil {
		return ignoreNotFound(err)
	}
	// Read what was written before the next book is looked at, so that it is looked at once.
	return cache.WaitForObject(ctx, l.factory.Library().V1().Books().Informer(), updated)
}

// shelfFor returns the shelf that the book is on, if it may stay there, or else the first with
// room, or nil.
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
