package librarian

import (
	"context"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/listwatch/listwatch/runtime/cache"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// No place is assigned twice, even if the caches are out of date. After a crash, the next
// librarian can start with a list from before the last writes if its server lags behind, so a
// full shelf appears to have room. The resource versions of books do not prevent this: two books
// in one place are two writes to two objects, without a conflict.
//
// Therefore a book first claims a place on the shelf, the one object that all competing books must
// write. The shelf's annotation lists the books that have a place, and is written with the
// resource version of the shelf that was read. If that version is old, the server rejects the
// write, and the book is reconciled again. The book's status is written only after the claim. At
// any time
//
//	books whose status names a shelf  ⊆  books in its places, which are at most its length
//
// For the same reason, places are released in the opposite order: only when the book's status no
// longer names the shelf, according to the server instead of the cache.

// placesAnnotation lists the names of the books that have a place on a shelf.
const placesAnnotation = "library.example.com/places"

// placesOf returns the names of the books that have a place on a shelf.
func placesOf(shelf *libraryv1.Shelf) sets.Set[string] {
	names := sets.New(strings.Split(shelf.Annotations[placesAnnotation], ",")...)
	return names.Delete("")
}

// claim gives a book a place on shelf, unless shelf is nil. It writes the shelf even if the book
// already has a place, to detect an outdated cache.
func (l *Librarian) claim(ctx context.Context, shelf *libraryv1.Shelf, book string) error {
	if shelf == nil {
		return nil
	}
	taken, err := l.taken(shelf)
	if err != nil {
		return err
	}
	return l.setPlaces(ctx, shelf, taken.Insert(book))
}

// taken returns the names of the books that have a place on a shelf, or whose status names the
// shelf without a place: because the status is older than places, or because the shelf was
// replaced by another one of the same name.
func (l *Librarian) taken(shelf *libraryv1.Shelf) (sets.Set[string], error) {
	books, err := l.books.Books(shelf.Namespace).List(labels.Everything())
	if err != nil {
		return nil, err
	}
	taken := placesOf(shelf)
	for _, book := range books {
		if book.Status.Shelf == shelf.Name {
			taken.Insert(book.Name)
		}
	}
	return taken, nil
}

// release removes the book's places on all shelves except the one it is on.
func (l *Librarian) release(ctx context.Context, book cache.ObjectName, on string) error {
	shelves, err := l.shelves.Shelves(book.Namespace).List(labels.Everything())
	if err != nil {
		return err
	}
	for _, shelf := range shelves {
		if shelf.Name == on || !placesOf(shelf).Has(book.Name) {
			continue
		}
		current, err := l.client.LibraryV1().Books(book.Namespace).Get(ctx, book.Name, metav1.GetOptions{})
		if ignoreNotFound(err) != nil {
			return err
		}
		if err == nil && current.Status.Shelf == shelf.Name {
			continue // the cache is behind and will queue the book again
		}
		if err := l.setPlaces(ctx, shelf, placesOf(shelf).Delete(book.Name)); err != nil {
			return err
		}
	}
	return nil
}

// setPlaces writes the names of the books that have a place on a shelf. It fails if the shelf has
// changed.
func (l *Librarian) setPlaces(ctx context.Context, shelf *libraryv1.Shelf, books sets.Set[string]) error {
	shelf = shelf.DeepCopy()
	metav1.SetMetaDataAnnotation(&shelf.ObjectMeta, placesAnnotation, strings.Join(sets.List(books), ","))
	updated, err := l.client.LibraryV1().Shelves(shelf.Namespace).Update(ctx, shelf, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	return cache.WaitForObject(ctx, l.factory.Library().V1().Shelves().Informer(), updated)
}

// ignoreNotFound returns nil for a NotFound error, and otherwise the error.
func ignoreNotFound(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
