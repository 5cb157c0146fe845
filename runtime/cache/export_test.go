package cache

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
)

// Reports makes panics not crash, and returns what is reported of them.
func Reports(t *testing.T) *[]string { return reports(t) }

// State returns what the reflector is doing.
func (r *Reflector) State() SourceState { return r.state() }

// SetWatchErrorHandler sets the function that the reflector calls for errors, like an informer.
func (r *Reflector) SetWatchErrorHandler(f WatchErrorHandlerWithContext) { r.watchErrorHandler = f }

// HeldFor returns the numbers of events and of markers that are queued for a handler with a bound,
// and the number of events that it reports.
func HeldFor(handle ResourceEventHandlerRegistration) (events, marks, lag int) {
	return handle.(*registration).merge.held()
}

func (q *mergeQueue) held() (events, marks, lag int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	events = len(q.reading.events)
	for e := q.first; e != nil; e = e.next {
		if e.kind != eventNone || e.marks == 0 {
			events++
		} else {
			marks++
		}
	}
	return events, marks, q.waiting
}

// PendingWrites returns the number of objects with pending writes.
func PendingWrites(w *Writes) int { return len(w.pending) }

// NewPackedInformer returns an informer whose packed objects stay decoded up to a number.
func NewPackedInformer(lw ListerWatcher, example runtime.Object, options SharedIndexInformerOptions, decoded int) SharedIndexInformer {
	return newSharedInformer(lw, example, informerOptions{SharedIndexInformerOptions: options, decoded: decoded})
}
