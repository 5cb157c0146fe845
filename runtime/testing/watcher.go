package testing

import (
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

// watcher is a watch that stores any number of unread events. A goroutine exists only while there
// are more than fit into the channel.
type watcher struct {
	selection selection
	bookmarks bool
	// forget removes the watcher from the tracker. It is nil if the watcher is not in one.
	forget func()

	result chan watch.Event
	done   chan struct{}

	// mu guards the fields below and, while pumping is false, sending to and closing result. It is
	// locked after the tracker's mu.
	mu sync.Mutex
	// pumping reports whether a goroutine is moving the backlog to result. That goroutine is then
	// the only one that sends to result and closes it.
	pumping bool
	stopped bool
	backlog []watch.Event
}

func newWatcher(s selection, bookmarks bool) *watcher {
	return &watcher{
		selection: s,
		bookmarks: bookmarks,
		result:    make(chan watch.Event, watch.DefaultChanSize),
		done:      make(chan struct{}),
	}
}

// ResultChan implements watch.Interface.
func (w *watcher) ResultChan() <-chan watch.Event { return w.result }

// Stop implements watch.Interface. Events that are in the channel can still be read.
func (w *watcher) Stop() {
	if w.stop() && w.forget != nil {
		w.forget()
	}
}

// stop reports whether this is the first call that stops the watcher.
func (w *watcher) stop() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped {
		return false
	}
	w.stopped = true
	w.backlog = nil
	close(w.done)
	if !w.pumping {
		close(w.result)
	}
	return true
}

// send sends a copy of the object. It never blocks.
func (w *watcher) send(event watch.EventType, obj runtime.Object) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped {
		return
	}
	e := watch.Event{Type: event, Object: obj.DeepCopyObject()}
	if !w.pumping {
		select {
		case w.result <- e:
			return
		default:
		}
		w.pumping = true
		go w.pump()
	}
	w.backlog = append(w.backlog, e)
}

// pump moves the backlog to the channel until it is empty.
func (w *watcher) pump() {
	for {
		e, ok := w.next()
		if !ok {
			return
		}
		select {
		case w.result <- e:
		case <-w.done:
		}
	}
}

// next takes the oldest event from the backlog. If there is none, or after Stop, pumping ends.
func (w *watcher) next() (watch.Event, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped {
		close(w.result)
		return watch.Event{}, false
	}
	if len(w.backlog) == 0 {
		w.pumping = false
		return watch.Event{}, false
	}
	e := w.backlog[0]
	w.backlog = w.backlog[1:]
	return e, true
}
