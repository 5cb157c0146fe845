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

// No place is given twice, whatever the caches have not seen yet. They are copies of the past:
// after a crash, the next librarian may begin with a list from before the last writes, if its
// server is behind, and then a shelf looks free that is full. That books carry their own resource
// versions does not help: two books on one place are two writes to two objects, and neither
// conflicts with anything.
//
// So a place is claimed first, on the one object that all who want it must write: the shelf. Its
// annotation names the books that have a place, and is written with the resource version of the
// shelf that was read. If that was an old one, the server refuses the write, and the book is
// looked at again. Only then the book's status is written. At any time
//
//	books whose status names a shelf  ⊆  books in its places, which are at most its length
//
// and so places are released in the opposite order: when the status names the shelf no longer,
// which is not asked of the cache but of the server.

// placesAnnotation holds the names of the books that have a place on a shelf.
const placesAnnotation = "library.example.com/places"

// placesOf returns the names of the books that have a place on a shelf.
func placesOf(shelf *libraryv1.Shelf) sets.Set[string] {
	names := sets.New(strings.Split(shelf.Annotations[placesAnnotation], ",")...)
	return names.Delete("")
}

// claim gives a book a place on a shelf, nil for none. It writes also where the book has one: that
// holds only if the shelf is as the cache has it.
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

// taken returns the names of the books that have a place on a shelf, or are on it without one:
// since before there were places, or since a shelf was replaced by one of the same name.
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

// release takes the places away that a book has on other shelves than the one that it is on.
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
			continue // the cache will learn of it
		}
		if err := l.setPlaces(ctx, shelf, placesOf(shelf).Delete(book.Name)); err != nil {
			return err
		}
	}
	return nil
}

// setPlaces writes which books have a place on a shelf. It fails if the shelf has changed.
func (l *Librarian) setPlaces(ctx context.Context, shelf *libraryv1.Shelf, books sets.Set[string]) error {
	shelf = shelf.DeepCopy()
	metav1.SetMetaDataAnnotation(&shelf.ObjectMeta, placesAnnotation, strings.Join(sets.List(books), ","))
	updated, err := l.client.LibraryV1().Shelves(shelf.Namespace).Update(ctx, shelf, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	return cache.WaitForObject(ctx, l.factory.Library().V1().Shelves().Informer(), updated)
}

// ignoreNotFound returns nil if an error says that an object is not there, else the error.
func ignoreNotFound(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
