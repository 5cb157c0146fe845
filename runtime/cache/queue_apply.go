package cache

import (
	"context"
	"sync"
	"time"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/deltaqueue"
)

// changeStore is what a dispatcher applies changes to.
type changeStore interface {
	Apply(changes []delta.Delta)
	ApplyList(namespace string, items []delta.Item, rv string) []delta.Delta
	Bookmark(rv string)
}

// changeSink is what a dispatcher tells of the changes that it has applied.
type changeSink interface {
	publish(changes []delta.Delta)
	markSynced()
}

// dispatcherOptions are what a dispatcher is made of.
type dispatcherOptions struct {
	queue   *deltaqueue.Queue
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
	n := o.queue.Sources()
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
		changes, ok := d.queue.Pop(ctx)
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
func (d *dispatcher) dispatch(changes []delta.Delta) {
	var start time.Time
	if d.observe != nil {
		start = time.Now()
	}
	d.mu.Lock()
	for len(changes) > 0 {
		n := 1
		switch c := &changes[0]; c.Kind {
		case delta.ReplaceAll:
			d.replace(c)
			*c = delta.Delta{} // what is published next to it shall not keep the list
		case delta.Bookmark:
			d.bookmark(c)
		default:
			for n < len(changes) && (changes[n].Kind == delta.Set || changes[n].Kind == delta.Delete) {
				n++
			}
			d.apply(changes[:n:n])
		}
		changes = changes[n:]
	}
	d.mu.Unlock()
	if d.observe != nil {
		d.observe(d.queue.Len(), time.Since(start))
	}
}

// apply handles changes of single objects. d.mu is held.
func (d *dispatcher) apply(changes []delta.Delta) {
	d.store.Apply(changes)
	d.advance(changes)
	d.sink.publish(changes)
}

// bookmark handles a bookmark. d.mu is held.
func (d *dispatcher) bookmark(c *delta.Delta) {
	d.progress.advance([]delta.Delta{*c})
	d.tellVersion()
}

// advance notes how far changes, which were applied, bring their source. With one source
// the store knows that by itself. d.mu is held.
func (d *dispatcher) advance(changes []delta.Delta) {
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
func (d *dispatcher) replace(c *delta.Delta) {
	diff := d.store.ApplyList(c.List.Namespace, c.List.Items, c.RV)
	first := !d.listed[c.Source]
	for i := range diff {
		diff[i].Source, diff[i].Initial = c.Source, first
	}
	d.advance([]delta.Delta{*c})
	if len(diff) > 0 {
		d.sink.publish(diff)
	}
	if !first {
		return
	}
	d.listed[c.Source] = true
	if d.open--; d.open == 0 {
		d.sink.markSynced()
		close(d.synced)
	}
}
