package cache

import (
	"context"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// deltasPerBatch bounds the number of deltas that PopBatch takes out at once.
const deltasPerBatch = 1000

// Pop waits for a delta, takes it out and processes it, as [Deltas] of one. It returns these and the
// error of process, or [ErrFIFOClosed] if the queue is closed and empty. Concurrent calls process
// one after the other. No lock is held that other methods need.
func (f *DeltaFIFO) Pop(process PopProcessFunc) (any, error) {
	return f.PopWithContext(context.Background(), process)
}

// PopWithContext is Pop, except that it returns ctx's cause when ctx ends.
func (f *DeltaFIFO) PopWithContext(ctx context.Context, process PopProcessFunc) (any, error) {
	if err := f.await(ctx); err != nil {
		return nil, err
	}
	defer f.leave()
	next := f.next()
	if next.first {
		defer f.first.processed(1)
	}
	deltas := Deltas{next.Delta}
	return deltas, process(deltas, !f.HasSynced())
}

// PopBatch waits for deltas and takes out all that are of different objects, up to a limit. Several
// are processed by processBatch; a single one, and one that is not of a single object, by
// processSingle, as [Deltas] of one. It returns the error of the function, or [ErrFIFOClosed] if
// the queue is closed and empty.
func (f *DeltaFIFO) PopBatch(processBatch ProcessBatchFunc, processSingle PopProcessFunc) error {
	return f.PopBatchWithContext(context.Background(), processBatch, processSingle)
}

// PopBatchWithContext is PopBatch, except that it returns ctx's cause when ctx ends.
func (f *DeltaFIFO) PopBatchWithContext(ctx context.Context, processBatch ProcessBatchFunc, processSingle PopProcessFunc) error {
	if err := f.await(ctx); err != nil {
		return err
	}
	defer f.leave()
	batch, first := f.batch()
	if first {
		defer f.first.processed(len(batch))
	}
	if len(batch) == 1 {
		return processSingle(Deltas(batch), !f.HasSynced())
	}
	return processBatch(batch, !f.HasSynced())
}

// await waits until it is the caller's turn and a delta is pending. If it returns nil, the caller
// must call leave.
func (f *DeltaFIFO) await(ctx context.Context) error {
	select {
	case f.turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	for {
		if f.queue.IsDropped() {
			f.taken, f.pending, f.head = nil, nil, 0
		}
		if f.head < len(f.pending) {
			return nil
		}
		if len(f.taken) == 0 {
			var ok bool
			if f.taken, ok = f.queue.Pop(ctx); !ok {
				f.leave()
				if err := context.Cause(ctx); err != nil && !f.queue.IsClosed() {
					return err
				}
				return ErrFIFOClosed
			}
			continue
		}
		f.unfold()
	}
}

// leave ends the caller's turn.
func (f *DeltaFIFO) leave() { <-f.turn }

// batch takes out the first pending delta and those after it that can be processed with it: of
// different objects, and all of the first list if the first one is.
func (f *DeltaFIFO) batch() (batch []Delta, first bool) {
	next := f.next()
	batch = make([]Delta, 1, min(1+len(f.pending)-f.head+len(f.taken), deltasPerBatch))
	batch[0], first = next.Delta, next.first
	if next.single() {
		return batch, first
	}
	clear(f.seen)
	f.seen[next.name] = struct{}{}
	for len(batch) < deltasPerBatch && f.more() {
		next = f.pending[f.head]
		if _, again := f.seen[next.name]; again || next.single() || next.first != first {
			break
		}
		f.seen[next.name] = struct{}{}
		batch = append(batch, f.next().Delta)
	}
	return batch, first
}

// single reports whether the delta is not of a single object, so that it is processed alone.
func (d *pendingDelta) single() bool {
	return d.Type == ReplacedAll || d.Type == SyncAll || d.Type == Bookmark
}

// more reports whether a delta is pending, after unfolding the next one if there is one. Lists and
// resyncs do not count: they are unfolded only when everything before them is processed.
func (f *DeltaFIFO) more() bool {
	if f.head < len(f.pending) {
		return true
	}
	if len(f.taken) == 0 {
		f.taken, _ = f.queue.TryPop()
	}
	if len(f.taken) == 0 || f.taken[0].Kind == delta.ReplaceAll || f.taken[0].Kind == delta.Resync {
		return false
	}
	f.unfold()
	return true
}

// next takes out the first pending delta.
func (f *DeltaFIFO) next() pendingDelta {
	next := f.pending[f.head]
	f.pending[f.head] = pendingDelta{}
	f.head++
	return next
}

// unfold turns the first change that was taken out of the queue into pending deltas. All
// before it has been processed.
func (f *DeltaFIFO) unfold() {
	c := f.taken[0]
	f.taken[0] = delta.Delta{}
	f.taken = f.taken[1:]
	f.pending, f.head = f.pending[:0], 0
	if cap(f.pending) > deltasPerBatch {
		f.pending = nil // it was for a list
	}
	switch c.Kind {
	case delta.Set:
		typ := Updated
		if c.Added {
			typ = Added
		}
		f.pend(Delta{typ, c.Object}, c.Name)
	case delta.Delete:
		f.pend(Delta{Deleted, c.Object}, c.Name)
	case delta.Bookmark:
		f.pend(Delta{Bookmark, BookmarkInfo{ResourceVersion: c.RV}}, delta.Name{})
	case delta.Resync:
		f.unfoldResync()
	case delta.ReplaceAll:
		f.unfoldReplace(&c)
		if c.Initial { // it counted as one item; now its deltas count
			for i := range f.pending {
				f.pending[i].first = true
			}
			f.first.grow(len(f.pending))
			f.first.processed(1)
		}
	}
}

// pend makes a delta pending.
func (f *DeltaFIFO) pend(d Delta, name delta.Name) {
	f.pending = append(f.pending, pendingDelta{Delta: d, name: name})
	if f.popped != nil {
		f.popped.update(d, name)
	}
}

func (f *DeltaFIFO) unfoldResync() {
	switch {
	case f.options.AtomicEvents:
		f.pend(Delta{SyncAll, SyncAllInfo{}}, delta.Name{})
	case f.options.KnownObjects != nil:
		f.eachKnown(func(key string, obj any) {
			if obj != nil {
				f.pend(Delta{Sync, obj}, delta.NameOfKey(key))
			}
		})
	}
}

func (f *DeltaFIFO) unfoldReplace(c *delta.Delta) {
	items := c.List.Items
	if f.options.AtomicEvents {
		objs := make([]any, items.Len())
		for i, item := range items.All() {
			objs[i] = item.Object
		}
		f.pend(Delta{ReplacedAll, ReplacedAllInfo{ResourceVersion: c.RV, Objects: objs}}, delta.Name{})
		return
	}
	listed := make(map[delta.Name]struct{}, items.Len())
	for _, item := range items.All() {
		listed[item.Name] = struct{}{}
	}
	f.eachKnown(func(key string, obj any) {
		name := delta.NameOfKey(key)
		if _, ok := listed[name]; !ok {
			f.pend(Delta{Deleted, DeletedFinalStateUnknown{Key: key, Obj: obj}}, name)
		}
	})
	replaced := Sync
	if f.options.EmitDeltaTypeReplaced {
		replaced = Replaced
	}
	for _, item := range items.All() {
		f.pend(Delta{replaced, item.Object}, item.Name)
	}
}

// eachKnown calls visit for all objects that the consumer knows; obj is nil if it cannot be
// retrieved.
func (f *DeltaFIFO) eachKnown(visit func(key string, obj any)) {
	if f.options.KnownObjects == nil {
		f.popped.each(visit)
		return
	}
	for _, key := range f.options.KnownObjects.ListKeys() {
		obj, exists, err := f.options.KnownObjects.GetByKey(key)
		if err != nil || !exists {
			utilruntime.HandleErrorWithLogger(f.logger, err, "Failed to get known object", "key", key)
			obj = nil
		}
		visit(key, obj)
	}
}

// poppedObjects are the objects that a consumer knows from the deltas that it got.
type poppedObjects map[delta.Name]any

func (t poppedObjects) update(d Delta, name delta.Name) {
	switch d.Type {
	case Deleted:
		delete(t, name)
	case Added, Updated, Replaced, Sync:
		t[name] = d.Object
	}
}

// each calls visit for all objects; visit may delete them.
func (t poppedObjects) each(visit func(key string, obj any)) {
	for name, obj := range t {
		visit(name.String(), obj)
	}
}
