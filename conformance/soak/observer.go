package soak

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned"
	libraryclient "github.com/listwatch/listwatch/golden/one-group/clientset/versioned/typed/library/v1"
	"github.com/listwatch/listwatch/runtime/cache"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
)

// observer is an informer and what its handlers were told.
type observer struct {
	mode     string
	informer cache.TypedSharedIndexInformer[*libraryv1.Book]
	handlers []*handler
	syncing  time.Duration
}

func newObserver(mode string, client versioned.Interface) *observer {
	books := client.LibraryV1().Books(metav1.NamespaceAll)
	lw := cache.ListWatchFor(books, nil)
	if mode == "LIST" {
		lw = cache.ListWatchFor(listing{books}, nil)
	}
	informer := cache.NewSharedIndexInformerWithOptions(lw, &libraryv1.Book{}, cache.SharedIndexInformerOptions{
		// A server that restarts is soon back.
		Backoff: &wait.Backoff{Duration: 50 * time.Millisecond, Factor: 2, Jitter: 1, Steps: 6, Cap: 2 * time.Second},
	})
	return &observer{mode: mode, informer: cache.NewTypedSharedIndexInformer[*libraryv1.Book](informer), handlers: []*handler{
		{told: states{}},
		{told: states{}, pause: time.Millisecond},
	}}
}

// listing is a client that does not want its lists as watches.
type listing struct{ libraryclient.BookInterface }

func (listing) IsWatchListSemanticsUnSupported() bool { return true }

// start returns when the informer and its handlers have synced; they go on until ctx ends.
func (o *observer) start(ctx context.Context, running *sync.WaitGroup) error {
	for _, h := range o.handlers {
		if _, err := o.informer.AddTypedEventHandler(cache.TypedResourceEventHandlerFuncs[*libraryv1.Book]{
			AddFunc:    h.set,
			UpdateFunc: func(_, book *libraryv1.Book) { h.set(book) },
			DeleteFunc: func(book cache.DeletedObject[*libraryv1.Book]) { h.remove(book.GetObjectName()) },
		}); err != nil {
			return err
		}
	}
	begin := time.Now()
	running.Go(func() { o.informer.RunWithContext(ctx) })
	err := cache.WaitForSync(ctx, o.informer)
	o.syncing = time.Since(begin)
	return err
}

// compare waits until all up to a resource version has been handled, and compares.
func (o *observer) compare(ctx context.Context, rv string, want states) error {
	if err := cache.WaitForResourceVersion(ctx, o.informer, rv); err != nil {
		return fmt.Errorf("%s: %w", o.mode, err)
	}
	if err := o.caughtUp(ctx); err != nil {
		return err
	}
	held := states{}
	for _, book := range o.informer.GetStore().List() {
		held.set(book.(*libraryv1.Book))
	}
	if found := held.differences(want); found != nil {
		return fmt.Errorf("%s: the store: %q", o.mode, found)
	}
	for i, h := range o.handlers {
		if found := h.states().differences(want); found != nil {
			return fmt.Errorf("%s: handler %d: %q", o.mode, i, found)
		}
	}
	return nil
}

// caughtUp waits until the handlers have been told of all that has reached the store.
func (o *observer) caughtUp(ctx context.Context) error {
	return wait.PollUntilContextCancel(ctx, 10*time.Millisecond, true, func(context.Context) (bool, error) {
		for _, h := range cache.StateOf(o.informer).Handlers {
			if h.Lag > 0 {
				return false, nil
			}
		}
		return true, nil
	})
}

func (o *observer) report() InformerReport {
	state := cache.StateOf(o.informer)
	r := InformerReport{Mode: o.mode, Syncing: o.syncing}
	for _, s := range state.Sources {
		r.Lists, r.Watches, r.Events = r.Lists+s.Lists, r.Watches+s.Watches, r.Events+s.Events
	}
	for _, h := range state.Handlers {
		r.Handled = append(r.Handled, h.Handled)
	}
	return r
}

// handler remembers what it was told last of each object.
type handler struct {
	pause time.Duration // now and then, for a slow one

	mu    sync.Mutex // guards what follows
	told  states
	calls int
}

func (h *handler) set(book *libraryv1.Book) {
	h.called()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.told.set(book)
}

func (h *handler) remove(name cache.ObjectName) {
	h.called()
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.told, name)
}

// called makes a slow handler fall behind: every hundredth call takes a while.
func (h *handler) called() {
	h.mu.Lock()
	h.calls++
	slow := h.pause > 0 && h.calls%100 == 0
	h.mu.Unlock()
	if slow {
		time.Sleep(h.pause)
	}
}

func (h *handler) states() states {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.told
}
