package soak

import (
	"context"
	"errors"
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

// observer is an informer and the calls of its handlers.
type observer struct {
	mode     string
	informer cache.TypedSharedIndexInformer[*libraryv1.Book]
	handlers []*handler
	syncing  time.Duration
	bursts   bool
	still    sync.RWMutex // held for writing while the store is blocked
}

// newObserver returns an observer. One with bursts can be blocked.
func newObserver(mode string, bursts bool, client versioned.Interface) *observer {
	books := client.LibraryV1().Books(metav1.NamespaceAll)
	lw := cache.ListWatchFor(books, nil)
	if mode == "LIST" {
		lw = cache.ListWatchFor(listing{books}, nil)
	}
	o := &observer{mode: mode, bursts: bursts}
	if bursts {
		o.mode += " in bursts"
	}
	o.informer = cache.NewTypedSharedIndexInformer[*libraryv1.Book](cache.NewSharedIndexInformerWithOptions(lw, &libraryv1.Book{}, cache.SharedIndexInformerOptions{
		// A restarting server is available again soon.
		Backoff:  &wait.Backoff{Duration: 50 * time.Millisecond, Factor: 2, Jitter: 1, Steps: 6, Cap: 2 * time.Second},
		Indexers: cache.Indexers{byPages: o.index},
	}))
	return o
}

// byPages is an index of a field that updates change.
const byPages = "pages"

func shelf(book *libraryv1.Book) string { return fmt.Sprint(book.Spec.Pages % 10) }

// index blocks the store: the store calls it for each object.
func (o *observer) index(book any) ([]string, error) {
	o.still.RLock()
	defer o.still.RUnlock()
	return []string{shelf(book.(*libraryv1.Book))}, nil
}

// hold blocks the store of an observer with bursts until release is called.
func (o *observer) hold() (release func()) {
	if !o.bursts {
		return func() {}
	}
	o.still.Lock()
	return o.still.Unlock
}

// listing is a client without WatchList.
type listing struct{ libraryclient.BookInterface }

func (listing) IsWatchListSemanticsUnSupported() bool { return true }

// start returns when the informer and its handlers have synced; they run until ctx is done.
func (o *observer) start(ctx context.Context, running *sync.WaitGroup) error {
	if err := errors.Join(o.add(0), o.add(time.Millisecond)); err != nil {
		return err
	}
	begin := time.Now()
	running.Go(func() { o.informer.RunWithContext(ctx) })
	err := cache.WaitForSync(ctx, o.informer)
	o.syncing = time.Since(begin)
	return err
}

// add adds a handler, with an occasional pause.
func (o *observer) add(pause time.Duration) (err error) {
	h := &handler{pause: pause, told: states{}}
	h.registration, err = o.informer.AddTypedEventHandler(cache.TypedResourceEventHandlerFuncs[*libraryv1.Book]{
		AddFunc:    h.added,
		UpdateFunc: h.updated,
		DeleteFunc: h.deleted,
	})
	o.handlers = append(o.handlers, h)
	return err
}

// join adds a third handler that replaces the one that joined before. A blocked store would make it
// wait.
func (o *observer) join() error {
	if o.bursts {
		return nil
	}
	if len(o.handlers) > 2 {
		if err := o.informer.RemoveEventHandler(o.handlers[2].registration); err != nil {
			return err
		}
		o.handlers = o.handlers[:2]
	}
	return o.add(0)
}

// compare waits until everything up to the last change has been handled, and compares. What has not
// arrived when ctx is done is missing.
func (o *observer) compare(ctx context.Context, last *libraryv1.Book, want states) error {
	err := cache.WaitForResourceVersion(ctx, o.informer, last.ResourceVersion)
	if err == nil {
		err = o.caughtUp(ctx, last)
	}
	if err != nil {
		err = fmt.Errorf("wait for %s: %w", last.Name, err)
	}
	errs := []error{err}
	views, err := o.views()
	errs = append(errs, err)
	for name, view := range views {
		errs = append(errs, view.compare(name, want))
	}
	for i, h := range o.handlers {
		errs = append(errs, h.compare(fmt.Sprintf("handler %d", i), want))
	}
	if err = errors.Join(errs...); err != nil {
		return fmt.Errorf("%s: %w", o.mode, err)
	}
	return nil
}

// views returns the content of the store, in each way of reading it.
func (o *observer) views() (map[string]states, error) {
	indexer := o.informer.GetIndexer()
	list, keys, index := states{}, states{}, states{}
	for _, book := range indexer.List() {
		list.set(book.(*libraryv1.Book))
	}
	for _, key := range indexer.ListKeys() {
		book, exists, err := indexer.GetByKey(key)
		if err != nil {
			return nil, err
		}
		if exists {
			keys.set(book.(*libraryv1.Book))
		}
	}
	for _, value := range indexer.ListIndexFuncValues(byPages) {
		books, err := indexer.ByIndex(byPages, value)
		if err != nil {
			return nil, err
		}
		for _, book := range books {
			if book := book.(*libraryv1.Book); shelf(book) == value {
				index.set(book)
			}
		}
	}
	return map[string]states{"the list": list, "the keys": keys, "the index": index}, nil
}

// caughtUp waits until the handlers have received the last change, and everything that came with
// it.
func (o *observer) caughtUp(ctx context.Context, last *libraryv1.Book) error {
	return wait.PollUntilContextCancel(ctx, 10*time.Millisecond, true, func(context.Context) (bool, error) {
		for _, h := range o.handlers {
			if !h.knows(last) {
				return false, nil
			}
		}
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
