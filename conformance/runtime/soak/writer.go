package soak

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	libraryclient "github.com/listwatch/listwatch/golden/one-group/clientset/versioned/typed/library/v1"
	"github.com/listwatch/listwatch/runtime/retry"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
)

// patience is how long a server may be unavailable.
var patience = wait.Backoff{Duration: 50 * time.Millisecond, Factor: 1, Jitter: 0.5, Steps: 2000}

// writer writes objects with its own names, as a random walk seeded by its number.
type writer struct {
	books  libraryclient.BookInterface
	number int
	random *rand.Rand
	made   int               // names used so far
	alive  []*libraryv1.Book // as last written
	events int
}

func newWriter(books libraryclient.BookInterface, number int) *writer {
	return &writer{books: books, number: number, random: rand.New(rand.NewPCG(1, uint64(number)))}
}

// fill creates objects.
func (w *writer) fill(ctx context.Context, objects int) error {
	for range objects {
		if _, err := w.create(ctx); err != nil {
			return err
		}
	}
	w.events = 0
	return nil
}

// write makes changes: of ten, eight are updates, one creates and one deletes.
func (w *writer) write(ctx context.Context, changes int) error {
	for range changes {
		var err error
		switch dice := w.random.IntN(10); {
		case dice == 0 || len(w.alive) == 0:
			_, err = w.create(ctx)
		case dice == 1:
			err = w.delete(ctx)
		default:
			err = w.update(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) create(ctx context.Context) (book *libraryv1.Book, err error) {
	w.made++
	name := fmt.Sprintf("book-%d-%d", w.number, w.made)
	err = w.insist(ctx, func() error {
		book, err = w.books.Create(ctx, &libraryv1.Book{
			ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"writer": fmt.Sprint(w.number)}},
			Spec:       libraryv1.BookSpec{Title: name, Pages: 1},
		}, metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) { // by a request whose response was lost
			book, err = w.books.Get(ctx, name, metav1.GetOptions{})
		}
		if err == nil {
			w.alive = append(w.alive, book)
		}
		return err
	})
	return book, err
}

func (w *writer) update(ctx context.Context) error {
	i := w.random.IntN(len(w.alive))
	return w.insist(ctx, func() error {
		w.alive[i].Spec.Pages++
		book, err := w.books.Update(ctx, w.alive[i], metav1.UpdateOptions{})
		if apierrors.IsConflict(err) { // with a request whose response was lost
			book, err = w.books.Get(ctx, w.alive[i].Name, metav1.GetOptions{})
		}
		if err == nil {
			w.alive[i] = book
		}
		return err
	})
}

func (w *writer) delete(ctx context.Context) error {
	i := w.random.IntN(len(w.alive))
	return w.insist(ctx, func() error {
		err := w.books.Delete(ctx, w.alive[i].Name, metav1.DeleteOptions{})
		if err != nil && !apierrors.IsNotFound(err) {
			return err
		}
		w.alive[i] = w.alive[len(w.alive)-1]
		w.alive = w.alive[:len(w.alive)-1]
		return nil
	})
}

// insist retries while the server is unavailable.
func (w *writer) insist(ctx context.Context, try func() error) error {
	w.events++
	return retry.OnError(patience, func(err error) bool {
		if ctx.Err() != nil {
			return false
		}
		switch reason := apierrors.ReasonForError(err); reason {
		case metav1.StatusReasonInvalid, metav1.StatusReasonBadRequest, metav1.StatusReasonUnauthorized:
			return false
		default:
			return true
		}
	}, try)
}
