package cache

import "testing"

// Reports makes panics not crash, and returns what is reported of them.
func Reports(t *testing.T) *[]string { return reports(t) }

// State returns what the reflector is doing.
func (r *Reflector) State() SourceState { return r.state() }

// SetWatchErrorHandler sets what the reflector calls on errors, as informers do.
func (r *Reflector) SetWatchErrorHandler(f WatchErrorHandlerWithContext) { r.watchErrorHandler = f }

// HeldFor returns how many events are held for a handler with a bound, how many marks, and how
// many events it says these are.
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
