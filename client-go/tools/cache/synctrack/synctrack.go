// Package synctrack helps handlers to report that they have processed all initial objects, when they do so later or in
// other goroutines than they are called in.
//
// # Terms
//
// A handler is *upstream synced* once it was called with all initial objects: the informer then calls
// UpstreamHasSynced, or reports it by HasSynced. A tracker has *synced* if in addition everything that was started is
// finished.
//
// # Operations
//
// [AsyncTracker] counts by key, [SingleFileTracker] by number, for handlers that process one object after another.
// [Lazy] holds a value that is computed from what handlers stored, when it is asked for.
package synctrack

import (
	"sync"
	"sync/atomic"
)

// done is closed once.
type done struct {
	closed chan struct{}
	once   sync.Once
}

func newDone() *done { return &done{closed: make(chan struct{})} }

func (d *done) close() { d.once.Do(func() { close(d.closed) }) }

func (d *done) isClosed() bool {
	select {
	case <-d.closed:
		return true
	default:
		return false
	}
}

// AsyncTracker has synced when the informer has and no key is processed. Create it with [NewAsyncTracker]. Its methods
// may be called concurrently.
type AsyncTracker[T comparable] struct {
	name   string
	synced *done

	mu       sync.Mutex     // guards what follows
	waiting  map[T]struct{} // keys that are started and not finished
	upstream bool
}

// NewAsyncTracker returns a tracker, whose name tells who has not synced.
func NewAsyncTracker[T comparable](name string) *AsyncTracker[T] {
	return &AsyncTracker[T]{name: name, synced: newDone(), waiting: map[T]struct{}{}}
}

// Start is called before a key is processed, by the handler itself, not later. A key that is started twice need be
// finished once.
func (t *AsyncTracker[T]) Start(key T) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting[key] = struct{}{}
}

// Finished is called after a key was processed.
func (t *AsyncTracker[T]) Finished(key T) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.waiting, key)
	t.check()
}

// UpstreamHasSynced is called after the handler was called with all initial objects.
func (t *AsyncTracker[T]) UpstreamHasSynced() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.upstream = true
	t.check()
}

// check closes synced if nothing is missing. The caller holds mu.
func (t *AsyncTracker[T]) check() {
	if t.upstream && len(t.waiting) == 0 {
		t.synced.close()
	}
}

// HasSynced reports whether the tracker has synced. Once it has, that stays so.
func (t *AsyncTracker[T]) HasSynced() bool { return t.synced.isClosed() }

// Done returns a channel that is closed when the tracker has synced.
func (t *AsyncTracker[T]) Done() <-chan struct{} { return t.synced.closed }

// Name returns the name of the tracker.
func (t *AsyncTracker[T]) Name() string { return t.name }

// SingleFileTracker has synced when the informer has and nothing is processed. Create it with [NewSingleFileTracker].
// Its methods may be called concurrently, but Start must be called in the order of the objects.
type SingleFileTracker struct {
	name     string
	synced   *done
	count    atomic.Int64
	upstream atomic.Bool
}

// NewSingleFileTracker returns a tracker, whose name tells who has not synced.
func NewSingleFileTracker(name string) *SingleFileTracker {
	return &SingleFileTracker{name: name, synced: newDone()}
}

// Start is called before an object is processed.
func (t *SingleFileTracker) Start() { t.count.Add(1) }

// Finished is called after an object was processed. More calls than of Start are a panic.
func (t *SingleFileTracker) Finished() {
	count := t.count.Add(-1)
	if count < 0 {
		panic("synctrack: negative counter; this logic error means HasSynced may return incorrect value")
	}
	if count == 0 && t.upstream.Load() {
		t.synced.close()
	}
}

// UpstreamHasSynced is called after the handler was called with all initial objects.
func (t *SingleFileTracker) UpstreamHasSynced() {
	// Stored before the count is read: of this and the last Finished, the later one sees both.
	t.upstream.Store(true)
	if t.count.Load() == 0 {
		t.synced.close()
	}
}

// HasSynced reports whether the tracker has synced. Once it has, that stays so.
func (t *SingleFileTracker) HasSynced() bool { return t.synced.isClosed() }

// Done returns a channel that is closed when the tracker has synced.
func (t *SingleFileTracker) Done() <-chan struct{} { return t.synced.closed }

// Name returns the name of the tracker.
func (t *SingleFileTracker) Name() string { return t.name }
