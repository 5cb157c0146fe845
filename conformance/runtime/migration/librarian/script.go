package librarian

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	clienttesting "github.com/listwatch/listwatch/runtime/testing"

	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned/fake"
	"github.com/listwatch/listwatch/golden/one-group/informers/externalversions"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// Journal is what happened, step by step. What happens in one step has no order, since
// the informers and the workers have none among each other.
type Journal struct {
	mu    sync.Mutex // guards the fields below
	lines []string
	step  []string
}

// Write adds a line to the current step.
func (j *Journal) Write(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.step = append(j.step, fmt.Sprintf(format, args...))
}

// end ends a step.
func (j *Journal) end(name string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	slices.Sort(j.step)
	j.lines = append(j.lines, "== "+name)
	j.lines = append(j.lines, j.step...)
	j.step = nil
}

const library = "library"

func book(name, title string, pages int32) *libraryv1.Book {
	return &libraryv1.Book{
		ObjectMeta: metav1.ObjectMeta{Namespace: library, Name: name, Labels: map[string]string{"title": title}},
		Spec:       libraryv1.BookSpec{Title: title, Pages: pages},
	}
}

func shelf(name string, length int32) *libraryv1.Shelf {
	return &libraryv1.Shelf{
		ObjectMeta: metav1.ObjectMeta{Namespace: library, Name: name},
		Spec:       libraryv1.ShelfSpec{Length: length},
	}
}

// script is a library in the course of time.
type script struct {
	client  *fake.Clientset
	factory externalversions.SharedInformerFactory
	journal *Journal

	mu      sync.Mutex // guards the fields below
	watches []watch.Interface
	conflict,
	expired bool
}

// Play runs the controller through a script, in a bubble of testing/synctest, and
// returns what happened.
func Play() ([]string, error) {
	s := &script{
		client: fake.NewSimpleClientset(
			book("walden", "Walden", 300), book("poems", "Poems", 80), book("blank", "Blank", 0),
		),
		journal: &Journal{},
	}
	s.client.PrependReactor("update", "books", s.maybeConflict)
	s.client.PrependWatchReactor("books", s.watch)
	s.factory = externalversions.NewSharedInformerFactory(s.client, time.Hour)
	controller, err := NewController(s.client, s.factory, s.journal)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	// Not one of the objects above: client-go's fake would file it under "shelfs".
	if _, err := s.client.LibraryV1().Shelves(library).Create(ctx, shelf("b", 400), metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	s.factory.Start(ctx.Done())
	for kind, synced := range s.factory.WaitForCacheSync(ctx.Done()) {
		s.journal.Write("%v has synced: %v", kind, synced)
	}
	var ended sync.WaitGroup
	ended.Go(func() {
		if err := controller.Run(ctx, 2); err != nil {
			s.journal.Write("run: %v", err)
		}
	})
	time.Sleep(time.Minute)
	synctest.Wait()
	s.journal.end("start")
	for _, step := range s.steps() {
		if err := step.do(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", step.name, err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		s.journal.end(step.name)
	}
	if err := s.list(); err != nil {
		return nil, err
	}
	cancel()
	s.factory.Shutdown()
	ended.Wait()
	s.journal.end("stop")
	return s.journal.lines, nil
}

type step struct {
	name string
	do   func(ctx context.Context) error
}

func (s *script) steps() []step {
	books, shelves := s.client.LibraryV1().Books(library), s.client.LibraryV1().Shelves(library)
	create := func(o *libraryv1.Book) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := books.Create(ctx, o, metav1.CreateOptions{})
			return err
		}
	}
	change := func(name string, by func(*libraryv1.Book)) func(context.Context) error {
		return func(ctx context.Context) error {
			o, err := books.Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			by(o)
			_, err = books.Update(ctx, o, metav1.UpdateOptions{})
			return err
		}
	}
	remove := func(name string) func(context.Context) error {
		return func(ctx context.Context) error { return books.Delete(ctx, name, metav1.DeleteOptions{}) }
	}
	return []step{
		{"a book that has no room", create(book("atlas", "Atlas", 500))},
		{"a shelf for it", func(ctx context.Context) error {
			_, err := shelves.Create(ctx, shelf("a", 600), metav1.CreateOptions{})
			return err
		}},
		{"a book changes its title", change("poems", func(o *libraryv1.Book) { o.Spec.Title = "More Poems" })},
		{"a book gets pages, and so passes the filter", change("blank", func(o *libraryv1.Book) { o.Spec.Pages = 10 })},
		{"a book loses its pages, and so does not pass", change("poems", func(o *libraryv1.Book) { o.Spec.Pages = 0 })},
		{"an update in between", func(ctx context.Context) error {
			s.set(func() { s.conflict = true })
			return create(book("essays", "Essays", 20))(ctx)
		}},
		{"a book is deleted", remove("walden")},
		{"a book is deleted, and nobody sees it", func(ctx context.Context) error {
			s.cutWatches()
			return remove("atlas")(ctx)
		}},
		{"a book is deleted and comes again", func(ctx context.Context) error {
			if err := remove("essays")(ctx); err != nil {
				return err
			}
			synctest.Wait() // or it may be seen as one, or not
			return create(book("essays", "Later Essays", 30))(ctx)
		}},
		{"a book gets its pages again", change("poems", func(o *libraryv1.Book) { o.Spec.Pages = 80 })},
		{"a shelf is taken away", func(ctx context.Context) error {
			return shelves.Delete(ctx, "b", metav1.DeleteOptions{})
		}},
	}
}

func (s *script) set(to func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	to()
}

// maybeConflict answers an update as if somebody else had been faster, once.
func (s *script) maybeConflict(clienttesting.Action) (bool, runtime.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.conflict {
		return false, nil, nil
	}
	s.conflict = false
	return true, nil, apierrors.NewConflict(libraryv1.Resource("books"), "", errors.New("the script wants it"))
}

// watch remembers watches; while versions are expired there are none.
func (s *script) watch(action clienttesting.Action) (bool, watch.Interface, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.expired {
		s.expired = false
		return true, nil, apierrors.NewResourceExpired("the script wants it")
	}
	options := action.(clienttesting.WatchActionImpl).ListOptions
	w, err := s.client.Tracker().Watch(action.GetResource(), action.GetNamespace(), options)
	if err == nil {
		s.watches = append(s.watches, w)
	}
	return true, w, err
}

// cutWatches ends the watches of books, such that they have to be listed again.
func (s *script) cutWatches() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expired = true
	for _, w := range s.watches {
		w.Stop()
	}
	s.watches = nil
}

// list writes down what the listers have at the end.
func (s *script) list() error {
	books, err := s.factory.Library().V1().Books().Lister().List(labels.Everything())
	if err != nil {
		return err
	}
	for _, o := range books {
		s.journal.Write("%s: %q with %d pages is on %q", o.Name, o.Spec.Title, o.Spec.Pages, o.Status.Shelf)
	}
	chosen, err := s.factory.Library().V1().Books().Lister().Books(library).List(labels.SelectorFromSet(labels.Set{"title": "Poems"}))
	if err != nil {
		return err
	}
	s.journal.Write("%d book is labelled Poems", len(chosen))
	_, err = s.factory.Library().V1().Shelves().Lister().Shelves(library).Get("b")
	s.journal.Write("shelf b: %v", err)
	s.journal.end("list")
	return nil
}
