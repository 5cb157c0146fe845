// Package librarian is a controller as they are written: it puts books on shelves.
package librarian

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/workqueue"

	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned"
	"github.com/listwatch/listwatch/golden/one-group/informers/externalversions"
	listers "github.com/listwatch/listwatch/golden/one-group/listers/library/v1"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// byShelf is the index of the books by the shelf that they are on.
const byShelf = "shelf"

// Controller puts each book that has pages on the first shelf with room for it.
type Controller struct {
	client  versioned.Interface
	journal *Journal

	books       listers.BookLister
	booksBy     cache.Indexer
	shelves     listers.ShelfLister
	booksSynced cache.InformerSynced
	synced      []cache.InformerSynced
	queue       workqueue.TypedRateLimitingInterface[cache.ObjectName]
}

// NewController returns a controller that still has to be run, as the factory has.
func NewController(client versioned.Interface, factory externalversions.SharedInformerFactory, journal *Journal) (*Controller, error) {
	books := factory.Library().V1().Books()
	shelves := factory.Library().V1().Shelves()
	c := &Controller{
		client:      client,
		journal:     journal,
		books:       books.Lister(),
		booksBy:     books.Informer().GetIndexer(),
		shelves:     shelves.Lister(),
		booksSynced: books.Informer().HasSynced,
		queue: workqueue.NewTypedRateLimitingQueueWithConfig(
			workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName](),
			workqueue.TypedRateLimitingQueueConfig[cache.ObjectName]{Name: "books"},
		),
	}
	if err := books.Informer().AddIndexers(cache.Indexers{byShelf: shelfOf}); err != nil {
		return nil, err
	}
	registration, err := books.Informer().AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: hasPages,
		Handler: cache.ResourceEventHandlerFuncs{
			AddFunc:    func(obj any) { c.enqueue("add", obj) },
			UpdateFunc: func(oldObj, newObj any) { c.update(oldObj, newObj) },
			DeleteFunc: c.forget,
		},
	})
	if err != nil {
		return nil, err
	}
	c.synced = append(c.synced, registration.HasSynced)
	registration, err = shelves.Informer().AddEventHandlerWithResyncPeriod(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    func(obj any, initial bool) { c.shelfAdded(obj.(*libraryv1.Shelf), initial) },
		DeleteFunc: c.shelfDeleted,
	}, 0)
	if err != nil {
		return nil, err
	}
	c.synced = append(c.synced, registration.HasSynced)
	return c, nil
}

func shelfOf(obj any) ([]string, error) {
	book, ok := obj.(*libraryv1.Book)
	if !ok {
		return nil, fmt.Errorf("no book: %T", obj)
	}
	return []string{book.Namespace + "/" + book.Status.Shelf}, nil
}

func hasPages(obj any) bool {
	if tombstone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = tombstone.Obj
	}
	book, ok := obj.(*libraryv1.Book)
	return ok && book.Spec.Pages > 0
}

func (c *Controller) enqueue(why string, obj any) {
	name, err := cache.DeletionHandlingObjectToName(obj)
	if err != nil {
		utilruntime.HandleError(err)
		return
	}
	c.journal.Write("%s %s", why, name)
	c.queue.Add(name)
}

func (c *Controller) update(oldObj, newObj any) {
	older, newer := oldObj.(*libraryv1.Book), newObj.(*libraryv1.Book)
	if older.Spec == newer.Spec && older.Status == newer.Status {
		return
	}
	c.enqueue(fmt.Sprintf("update %q/%q to %q/%q of", older.Spec.Title, older.Status.Shelf, newer.Spec.Title, newer.Status.Shelf), newObj)
}

func (c *Controller) forget(obj any) {
	switch o := obj.(type) {
	case *libraryv1.Book:
		c.journal.Write("delete %q", o.Spec.Title)
	case cache.DeletedFinalStateUnknown:
		book, ok := o.Obj.(*libraryv1.Book)
		if !ok {
			utilruntime.HandleError(fmt.Errorf("tombstone of %s holds a %T", o.Key, o.Obj))
			return
		}
		c.journal.Write("missed the deletion of %q, key %s", book.Spec.Title, o.Key)
	}
	c.enqueue("delete", obj)
}

// shelfAdded looks at the books that have no shelf.
func (c *Controller) shelfAdded(shelf *libraryv1.Shelf, initial bool) {
	c.journal.Write("shelf %s is there, initially %v", shelf.Name, initial)
	c.enqueueBooksOn(shelf.Namespace, "")
}

func (c *Controller) shelfDeleted(obj any) {
	key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj)
	if err != nil {
		utilruntime.HandleError(err)
		return
	}
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		utilruntime.HandleError(err)
		return
	}
	c.journal.Write("shelf %s is gone", name)
	c.enqueueBooksOn(namespace, name)
}

func (c *Controller) enqueueBooksOn(namespace, shelf string) {
	books, err := c.booksBy.ByIndex(byShelf, namespace+"/"+shelf)
	if err != nil {
		utilruntime.HandleError(err)
		return
	}
	for _, book := range books {
		c.queue.Add(cache.MetaObjectToName(book.(*libraryv1.Book)))
	}
}

// Run works until the context is done.
func (c *Controller) Run(ctx context.Context, workers int) error {
	defer utilruntime.HandleCrashWithContext(ctx)
	defer c.queue.ShutDown()
	if !cache.WaitForCacheSync(ctx.Done(), append(c.synced, c.booksSynced)...) {
		return fmt.Errorf("caches have not synced: %w", context.Cause(ctx))
	}
	c.journal.Write("synced")
	for range workers {
		go wait.UntilWithContext(ctx, c.work, time.Second)
	}
	<-ctx.Done()
	return nil
}

func (c *Controller) work(ctx context.Context) {
	for c.next(ctx) {
	}
}

func (c *Controller) next(ctx context.Context) bool {
	name, shutdown := c.queue.Get()
	if shutdown {
		return false
	}
	defer c.queue.Done(name)
	err := c.reconcile(ctx, name)
	switch {
	case err == nil:
		c.queue.Forget(name)
	case apierrors.IsConflict(err):
		c.journal.Write("try %s again", name)
		c.queue.AddRateLimited(name)
	default:
		utilruntime.HandleErrorWithContext(ctx, err, "Cannot shelve", "book", name)
		c.journal.Write("%s: %v", name, err)
		c.queue.AddRateLimited(name)
	}
	return true
}

// reconcile puts a book on a shelf.
func (c *Controller) reconcile(ctx context.Context, name cache.ObjectName) error {
	book, err := c.books.Books(name.Namespace).Get(name.Name)
	if apierrors.IsNotFound(err) {
		c.journal.Write("%s is no more", name)
		return nil
	}
	if err != nil {
		return err
	}
	if book.Spec.Pages == 0 {
		return nil
	}
	shelf, err := c.shelfFor(book)
	if err != nil || shelf == book.Status.Shelf {
		return err
	}
	book = book.DeepCopy()
	book.Status.Shelf = shelf
	if _, err := c.client.LibraryV1().Books(book.Namespace).UpdateStatus(ctx, book, metav1.UpdateOptions{}); err != nil {
		return err
	}
	c.journal.Write("put %s on %q", name, shelf)
	return nil
}

// shelfFor returns the name of the shelf that a book is to be on: that where it is, or
// else the first that has room; empty if there is none.
func (c *Controller) shelfFor(book *libraryv1.Book) (string, error) {
	shelves, err := c.shelves.Shelves(book.Namespace).List(labels.Everything())
	if err != nil {
		return "", err
	}
	slices.SortFunc(shelves, func(a, b *libraryv1.Shelf) int { return strings.Compare(a.Name, b.Name) })
	for _, shelf := range shelves {
		if shelf.Name == book.Status.Shelf {
			return shelf.Name, nil
		}
	}
	for _, shelf := range shelves {
		there, err := c.booksBy.ByIndex(byShelf, book.Namespace+"/"+shelf.Name)
		if err != nil {
			return "", err
		}
		pages := book.Spec.Pages
		for _, other := range there {
			pages += other.(*libraryv1.Book).Spec.Pages
		}
		if pages <= shelf.Spec.Length {
			return shelf.Name, nil
		}
	}
	return "", nil
}
