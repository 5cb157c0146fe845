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
	n := len(o.queue.entries)
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

// dispatch applies changes and tells of them.
func (d *dispatcher) dispatch(changes []change) {
	var start time.Time
	if d.observe != nil {
		start = time.Now()
	}
	d.mu.Lock()
	for len(changes) > 0 {
		n := 1
		switch c := &changes[0]; c.kind {
		case changeReplace:
			d.replace(c)
			*c = change{} // what is published next to it shall not keep the list
		case changeBookmark:
			d.bookmark(c)
		default:
			for n < len(changes) && (changes[n].kind == changeSet || changes[n].kind == changeDelete) {
				n++
			}
			d.apply(changes[:n:n])
		}
		changes = changes[n:]
	}
	d.mu.Unlock()
	if d.observe != nil {
		d.observe(d.queue.len(), time.Since(start))
	}
}

// apply handles changes of single objects. d.mu is held.
func (d *dispatcher) apply(changes []change) {
	d.store.apply(changes)
	d.advance(changes)
	d.sink.publish(changes)
}

// bookmark handles a bookmark. d.mu is held.
func (d *dispatcher) bookmark(c *change) {
	d.progress.advance([]change{*c})
	d.tellVersion()
}

// advance notes how far changes, which were applied, bring their source. With one source
// the store knows that by itself. d.mu is held.
func (d *dispatcher) advance(changes []change) {
	d.progress.advance(changes)
	if len(d.listed) > 1 {
		d.tellVersion()
	}
}

// tellVersion tells the store the resource version that all sources have reached, if all
// were listed. d.mu is held.
func (d *dispatcher) tellVersion() {
	if rv := d.progress.oldest(); rv != "" {
		d.store.Bookmark(rv)
	}
}

// replace handles a list of all objects of a source. d.mu is held.
func (d *dispatcher) replace(c *change) {
	diff := d.store.replace(c.replacement.source.namespace, c.replacement.items, c.rv)
	first := !d.listed[c.source]
	for i := range diff {
		diff[i].source, diff[i].initial = c.source, first
	}
	d.advance([]change{*c})
	if len(diff) > 0 {
		d.sink.publish(diff)
	}
	if !first {
		return
	}
	d.listed[c.source] = true
	if d.open--; d.open == 0 {
		d.sink.markSynced()
		close(d.synced)
	}
}
