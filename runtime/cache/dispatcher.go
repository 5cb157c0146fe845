package cache

import (
	"context"
	"sync"
	"time"
)

// changeStore is what a dispatcher applies changes to.
type changeStore interface {
	apply(changes []change)
	replace(namespace string, items []record, rv string) []change
	Bookmark(rv string)
}

// changeSink is what a dispatcher tells of the changes that it has applied.
type changeSink interface {
	publish(changes []change)
	markSynced()
}

// dispatcherOptions are what a dispatcher is made of.
type dispatcherOptions struct {
	queue   *changeQueue
	store   changeStore
	sink    changeSink
	observe func(queued int, took time.Duration) // told of every batch, or nil
}

// dispatcher takes changes out of the queue, applies them to the store and tells the
// handlers of them, in one goroutine.
type dispatcher struct {
	dispatcherOptions
	progress *progress
	synced   chan struct{} // closed when the first list of each source was applied

	mu     sync.Mutex // guards writes to the store and to the sink, both at once
	listed []bool     // by source: its first list was applied
	open   int        // how many of listed are false
}

func newDispatcher(o dispatcherOptions) *dispatcher {
	n := len(o.queue.listed)
	return &dispatcher{
		dispatcherOptions: o,
		progress:          newProgress(n),
		synced:            make(chan struct{}),
		listed:            make([]bool, n),
		open:              n,
	}
}

// run dispatches until the queue is closed and empty, or ctx is done.
func (d *dispatcher) run(ctx context.Context) {
	defer d.progress.stop()
	for {
		changes, ok := d.queue.popChangesUntil(ctx)
		if !ok {
			return
		}
		d.dispatch(changes)
	}
}

// locked calls f while nothing changes: the store and what the handlers were told of
// agree.
func (d *dispatcher) locked(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f()
}

// hasSynced says whether the first list of each source was applied.
func (d *dispatcher) hasSynced() bool {
	select {
	case <-d.synced:
		return true
	default:
		return false
	}
}

// dispatch applies changes and tells of them.
func (d *dispatcher) dispatch(changes []change) {
	start := time.Now()
	d.mu.Lock()
	for len(changes) > 0 {
		n := 0
		for n < len(changes) && changes[n].kind != changeReplace {
			n++
		}
		if n == 0 {
			d.replace(&changes[0])
			changes = changes[1:]
			continue
		}
		d.apply(changes[:n:n])
		changes = changes[n:]
	}
	d.mu.Unlock()
	if d.observe != nil {
		d.observe(d.queue.len(), time.Since(start))
	}
}

// apply does with changes that are no replacements. d.mu is held.
func (d *dispatcher) apply(changes []change) {
	real := changes[:0]
	for i := range changes {
		c := &changes[i]
		d.progress.set(int(c.source), c.rv)
		if c.kind == changeBookmark {
			d.store.Bookmark(c.rv)
			continue
		}
		real = append(real, *c)
	}
	if len(real) > 0 {
		d.store.apply(real)
		d.sink.publish(real)
	}
	d.progress.tell()
}

// replace does with a replacement. d.mu is held.
func (d *dispatcher) replace(c *change) {
	source := int(c.source)
	diff := d.store.replace(c.replacement.source.namespace, c.replacement.items, c.rv)
	first := !d.listed[source]
	for i := range diff {
		diff[i].source, diff[i].initial = c.source, first
	}
	if len(diff) > 0 {
		d.sink.publish(diff)
	}
	d.progress.set(source, c.rv)
	d.progress.tell()
	if !first {
		return
	}
	d.listed[source] = true
	if d.open--; d.open == 0 {
		d.sink.markSynced()
		close(d.synced)
	}
}
