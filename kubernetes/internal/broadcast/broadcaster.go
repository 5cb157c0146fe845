// Package broadcast contains the common parts of packages record and events: delivery of events to watchers
// without waiting for them, the counters of what is dropped, and the handling of a sink's errors.
package broadcast

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// QueueLength is the number of events that wait for a watcher before more are dropped.
const QueueLength = 1000

// ErrStopped reports that the broadcaster was shut down.
var ErrStopped = errors.New("broadcaster already stopped")

// ErrFull reports that a watcher has not received an event because its queue is full.
var ErrFull = errors.New("too many queued events, dropped event")

// Broadcaster delivers each event to all watchers. It never waits: each watcher has a queue, and what does not
// fit into it is dropped and counted. The zero value is ready for use.
type Broadcaster[E any] struct {
	Counters

	lastStamp atomic.Int64

	mu       sync.Mutex // guards the following, and sending to queues; nothing waits while it is held
	watchers []*Watcher[E]
	stopped  chan struct{} // closed by Shutdown; created by done
	isDown   bool
}

// Watcher receives the events that are sent after its creation.
type Watcher[E any] struct {
	from  *Broadcaster[E]
	queue chan E
}

// Watch adds a watcher, or returns [ErrStopped].
func (b *Broadcaster[E]) Watch() (*Watcher[E], error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.isDown {
		return nil, ErrStopped
	}
	w := &Watcher[E]{from: b, queue: make(chan E, QueueLength)}
	b.watchers = append(b.watchers, w)
	return w, nil
}

// Send delivers an event. The error is [ErrStopped], or [ErrFull] if at least one watcher has not received it.
func (b *Broadcaster[E]) Send(event E) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.isDown {
		b.Late.Add(1)
		return ErrStopped
	}
	b.Recorded.Add(1)
	var err error
	for _, w := range b.watchers {
		select {
		case w.queue <- event:
		default:
			b.Overflowed.Add(1)
			err = ErrFull
		}
	}
	return err
}

// Shutdown ends all watchers, which still receive what is in their queues, and all later calls of Watch and Send
// fail. It does not wait for watchers.
func (b *Broadcaster[E]) Shutdown() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.isDown {
		return
	}
	b.isDown = true
	close(b.done())
	for _, w := range b.watchers {
		close(w.queue)
	}
	b.watchers = nil
}

// Done returns a channel that Shutdown closes.
func (b *Broadcaster[E]) Done() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.done()
}

func (b *Broadcaster[E]) done() chan struct{} {
	if b.stopped == nil {
		b.stopped = make(chan struct{})
	}
	return b.stopped
}

// Stamp returns the time in nanoseconds since 1970, increased where necessary so that no two calls return the
// same: events are named by it, and clocks may be coarse.
func (b *Broadcaster[E]) Stamp(now time.Time) int64 {
	for {
		last := b.lastStamp.Load()
		next := max(now.UnixNano(), last+1)
		if b.lastStamp.CompareAndSwap(last, next) {
			return next
		}
	}
}

// Events returns the queue, which is closed by Stop and Shutdown and then still contains what was sent before.
func (w *Watcher[E]) Events() <-chan E { return w.queue }

// Stop ends the watcher. It may be called more than once, and after Shutdown.
func (w *Watcher[E]) Stop() {
	w.from.mu.Lock()
	defer w.from.mu.Unlock()
	if i := slices.Index(w.from.watchers, w); i >= 0 {
		w.from.watchers = slices.Delete(w.from.watchers, i, i+1)
		close(w.queue)
	}
}
