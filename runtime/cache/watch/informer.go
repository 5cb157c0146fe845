package watch

import (
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/cache"
)

// NewIndexerInformerWatcher is [NewIndexerInformerWatcherWithLogger] with the global logger.
func NewIndexerInformerWatcher(lw cache.ListerWatcher, objType runtime.Object) (cache.Indexer, cache.Controller, watch.Interface, <-chan struct{}) {
	return NewIndexerInformerWatcherWithLogger(klog.Background(), lw, objType)
}

// NewIndexerInformerWatcherWithLogger starts an informer for the objects of lw, which are of the type of objType,
// and returns its store, the informer, a watch of its events, and a channel that is closed when all goroutines
// of it have ended. Stopping the watch stops the informer, and closes the watch's channel.
//
// Objects that exist are delivered as added. Of a deletion that the informer did not see, the last known state
// is delivered. Events wait in memory until they are received.
func NewIndexerInformerWatcherWithLogger(logger klog.Logger, lw cache.ListerWatcher, objType runtime.Object) (cache.Indexer, cache.Controller, watch.Interface, <-chan struct{}) {
	events := make(chan watch.Event)
	watcher := watch.NewProxyWatcher(events)
	waiting := newQueue()
	indexer, informer := cache.NewIndexerInformer(lw, objType, 0, cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { waiting.add(watch.Added, obj) },
		UpdateFunc: func(_, obj any) { waiting.add(watch.Modified, obj) },
		DeleteFunc: func(obj any) {
			if unseen, ok := obj.(cache.DeletedFinalStateUnknown); ok {
				obj = unseen.Obj
			}
			waiting.add(watch.Deleted, obj)
		},
	}, cache.Indexers{})

	var running sync.WaitGroup
	running.Go(func() {
		defer close(events)
		waiting.deliver(events, watcher.StopChan())
	})
	running.Go(func() {
		informer.RunWithContext(klog.NewContext(wait.ContextForChannel(watcher.StopChan()), logger))
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		running.Wait()
	}()
	return indexer, informer, watcher, done
}

// queue contains events that wait to be received.
type queue struct {
	mu     sync.Mutex // guards events
	events []watch.Event
	filled chan struct{} // has an element if there may be events
}

func newQueue() *queue { return &queue{filled: make(chan struct{}, 1)} }

// add appends an event about obj, which is a runtime.Object unless it is unknown what was deleted.
func (q *queue) add(what watch.EventType, obj any) {
	object, ok := obj.(runtime.Object)
	if !ok {
		return
	}
	q.mu.Lock()
	q.events = append(q.events, watch.Event{Type: what, Object: object})
	q.mu.Unlock()
	select {
	case q.filled <- struct{}{}:
	default:
	}
}

// deliver sends events, in their order, until stop is closed.
func (q *queue) deliver(to chan<- watch.Event, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-q.filled:
		}
		q.mu.Lock()
		events := q.events
		q.events = nil
		q.mu.Unlock()
		for _, event := range events {
			select {
			case <-stop:
				return
			case to <- event:
			}
		}
	}
}
