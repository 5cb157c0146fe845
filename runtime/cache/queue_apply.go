package cache

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/deltaqueue"
)

// deltaStore is the store of an [applier].
type deltaStore interface {
	Apply(deltas []delta.Delta)
	ApplyList(scope delta.Scope, items delta.Items, rv string) iter.Seq[[]delta.Delta]
	Bookmark(rv string)
	Held(name delta.Name) (any, bool)
	AppendHeld(to []any) []any
}

// deltaSink receives the deltas that an [applier] has applied. It does not retain the slices.
type deltaSink interface {
	publish(deltas []delta.Delta)
	markSynced()
}

// applierOptions configure an [applier].
type applierOptions struct {
	queue   *deltaqueue.Queue
	store   deltaStore
	sink    deltaSink
	observe func(queued int, took time.Duration) // called after every chunk, or nil
}

// applier takes deltas out of the queue, applies them to the store and publishes them to the
// handlers, in one goroutine.
type applier struct {
	applierOptions
	progress *progress
	synced   *signal   // when the first list of each source was applied
	listed   []*signal // by source: when its first list was applied

	mu   sync.Mutex // guards writes to the store and to the sink, both at once
	open int        // number of sources whose first list was not applied
}

func newApplier(o applierOptions) *applier {
	n := o.queue.Sources()
	a := &applier{applierOptions: o, progress: newProgress(n), synced: newSignal(), open: n}
	for range n {
		a.listed = append(a.listed, newSignal())
	}
	return a
}

// run applies deltas until the queue is closed and empty, or ctx is done.
func (a *applier) run(ctx context.Context) {
	defer a.progress.stop()
	for {
		deltas, ok := a.queue.Pop(ctx)
		if !ok {
			return
		}
		a.apply(deltas)
	}
}

// locked calls f while nothing changes: the store agrees with what was published.
func (a *applier) locked(f func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	f()
}

// apply applies and publishes deltas.
func (a *applier) apply(deltas []delta.Delta) {
	var start time.Time
	if a.observe != nil {
		start = time.Now()
	}
	a.mu.Lock()
	for len(deltas) > 0 {
		n := 1
		switch d := &deltas[0]; d.Kind {
		case delta.ReplaceAll:
			a.applyList(d)
			*d = delta.Delta{} // what is published next to it must not retain the list
		case delta.Bookmark:
			a.applyBookmark(d)
		case delta.Join:
			a.applyJoin(d)
			*d = delta.Delta{}
		case delta.Release:
			a.applyRelease(d)
			*d = delta.Delta{}
		default:
			for !d.Behind && n < len(deltas) && (deltas[n].Kind == delta.Set || deltas[n].Kind == delta.Delete) && !deltas[n].Behind {
				n++
			}
			if d.Behind && a.isPast(d) {
				a.applyBookmark(d)
				break
			}
			a.applyObjects(deltas[:n:n])
		}
		deltas = deltas[n:]
	}
	a.mu.Unlock()
	if a.observe != nil {
		a.observe(a.queue.Len(), time.Since(start))
	}
}

// applyObjects applies deltas of single objects. a.mu is held.
func (a *applier) applyObjects(deltas []delta.Delta) {
	a.store.Apply(deltas)
	a.advance(deltas)
	a.sink.publish(deltas)
}

// applyBookmark applies a bookmark. a.mu is held.
func (a *applier) applyBookmark(d *delta.Delta) {
	a.progress.advance([]delta.Delta{*d})
	a.setVersion()
}

// advance records the resource versions of deltas that were applied. A store of one source
// follows these by itself. a.mu is held.
func (a *applier) advance(deltas []delta.Delta) {
	a.progress.advance(deltas)
	if len(a.listed) > 1 {
		a.setVersion()
	}
}

// setVersion sets the store's resource version to the one that all sources have reached, once
// all were listed. a.mu is held.
func (a *applier) setVersion() {
	if rv := a.progress.oldest(); rv != "" {
		a.store.Bookmark(rv)
	}
}

// applyList applies a list of all objects of a source. a.mu is held.
func (a *applier) applyList(d *delta.Delta) {
	diff := a.store.ApplyList(d.List.Scope, d.List.Items, d.RV)
	first := !a.listed[d.Source].happened()
	a.advance([]delta.Delta{*d})
	for part := range diff {
		for i := range part {
			part[i].Source, part[i].Initial = d.Source, first
		}
		a.sink.publish(part)
	}
	if !first {
		return
	}
	a.listed[d.Source].send()
	if a.open--; a.open == 0 {
		a.sink.markSynced()
		a.synced.send()
	}
}
