package cache

import (
	"errors"

	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/deltaqueue"
)

// ErrZeroLengthDeltasObject is in the [KeyError] for [Deltas] without a delta.
var ErrZeroLengthDeltasObject = errors.New("0 length Deltas object; can't get key")

// DeltaFIFOOptions are what a [DeltaFIFO] is made of. The zero value will do.
type DeltaFIFOOptions struct {
	// Logger is used instead of klog's.
	Logger *klog.Logger

	// Name is used in logs and by the queue's HasSyncedChecker; "DeltaFIFO" if empty.
	Name string

	// KeyFunction computes the objects' keys; [MetaNamespaceKeyFunc] if nil.
	KeyFunction KeyFunc

	// KnownObjects are the objects that the consumer knows of, as it keeps them up to date
	// with the deltas that it gets. A list's deletions are what is known when the list's
	// turn has come and is not in it. If it is nil the queue itself remembers what it has
	// handed over, and Resync does nothing.
	KnownObjects KeyListerGetter

	// EmitDeltaTypeReplaced makes the objects of a list come as [Replaced] instead of [Sync].
	EmitDeltaTypeReplaced bool

	// Transformer is called for every object that is put in, before it is queued.
	Transformer TransformFunc

	// AtomicEvents makes a list come as one [ReplacedAll] delta and a resync as one
	// [SyncAll]. Finding what a list deletes is left to the consumer then.
	AtomicEvents bool

	// EmitDeltaTypeBookmark makes bookmarks come as [Bookmark] deltas.
	EmitDeltaTypeBookmark bool
}

// DeltaFIFO is a [Queue] of changes in the order in which they arrived: each call of
// Pop processes [Deltas] of exactly one delta, also where several of one object wait.
// Nothing is merged and nothing left out.
//
// A list, put in by Replace, is one item of the queue. When its turn has come it falls
// apart into a deletion, with a [DeletedFinalStateUnknown], for every known object that
// is not in it, and a delta for each object that is. Resync likewise.
//
// All methods can be called at any time from any goroutine, also by the function that
// Pop calls, but for Pop itself there.
type DeltaFIFO struct {
	options DeltaFIFOOptions
	logger  klog.Logger
	queue   *deltaqueue.Queue
	source  *deltaqueue.Source
	first   *firstBatch
	told    toldObjects   // instead of KnownObjects
	turn    chan struct{} // holds a token while somebody takes out and processes; guards what follows
	taken   []delta.Delta // out of the queue but not yet in pending
	pending []pendingDelta
	head    int                     // how many of pending are out
	seen    map[delta.Name]struct{} // the objects of a batch
}

// pendingDelta is a delta whose turn has come.
type pendingDelta struct {
	Delta
	name  delta.Name
	first bool // of the first list
}

var (
	_ QueueWithBatch         = (*DeltaFIFO)(nil)
	_ TransformingStore      = (*DeltaFIFO)(nil)
	_ ReflectorBookmarkStore = (*DeltaFIFO)(nil)
	_ DoneChecker            = (*DeltaFIFO)(nil)
)

// NewDeltaFIFO returns a queue; see [DeltaFIFOOptions] for what keyFunc and
// knownObjects, which may be nil, are for.
func NewDeltaFIFO(keyFunc KeyFunc, knownObjects KeyListerGetter) *DeltaFIFO {
	return NewDeltaFIFOWithOptions(DeltaFIFOOptions{KeyFunction: keyFunc, KnownObjects: knownObjects})
}

// NewDeltaFIFOWithOptions returns a queue.
func NewDeltaFIFOWithOptions(opts DeltaFIFOOptions) *DeltaFIFO {
	if opts.KeyFunction == nil {
		opts.KeyFunction = MetaNamespaceKeyFunc
	}
	if opts.Name == "" {
		opts.Name = "DeltaFIFO"
	}
	logger := klog.Background()
	if opts.Logger != nil {
		logger = *opts.Logger
	}
	name := newNamer(opts.KeyFunction)
	transform := opts.Transformer.naming(name)
	queue := deltaqueue.New(deltaqueue.Options{
		Name:         name,
		TombstoneKey: tombstoneKey,
		Transform:    func() func(obj any) (any, error) { return transform },
	})
	f := &DeltaFIFO{
		options: opts,
		logger:  klog.LoggerWithName(logger, opts.Name),
		queue:   queue,
		source:  queue.Source(0, ""),
		first:   newFirstBatch(),
		turn:    make(chan struct{}, 1),
		seen:    map[delta.Name]struct{}{},
	}
	if opts.KnownObjects == nil {
		f.told = toldObjects{}
	}
	return f
}

// Add queues that there is a new object.
func (f *DeltaFIFO) Add(obj any) error {
	f.first.begin(0)
	return f.source.Add(obj)
}

// Update queues that an object has changed.
func (f *DeltaFIFO) Update(obj any) error {
	f.first.begin(0)
	return f.source.Update(obj)
}

// Delete queues that an object is gone, whether it is known or not. The object may be a
// [DeletedFinalStateUnknown].
func (f *DeltaFIFO) Delete(obj any) error {
	f.first.begin(0)
	return f.source.Delete(obj)
}

// Replace queues that list has all objects there are, as of a resource version. An error
// of the key function or the transform leaves the queue as it was.
func (f *DeltaFIFO) Replace(list []any, resourceVersion string) error {
	r := f.source.StartList(len(list))
	for _, obj := range list {
		if err := r.Add(obj); err != nil {
			return err
		}
	}
	size := 1
	if len(list) == 0 && !f.options.AtomicEvents && f.knowsNothing() {
		size = 0 // nobody may ever come to take out what is nothing
	}
	first := f.first.begin(size) && size > 0
	return f.queue.Put(delta.Delta{Kind: delta.ReplaceAll, Initial: first, RV: resourceVersion, List: &r.List})
}

// knowsNothing says whether a list can delete nothing, as long as nothing was put in.
func (f *DeltaFIFO) knowsNothing() bool {
	return f.options.KnownObjects == nil || len(f.options.KnownObjects.ListKeys()) == 0
}

// Resync queues that the consumer wants to be told again of every object it knows.
func (f *DeltaFIFO) Resync() error {
	return f.queue.Put(delta.Delta{Kind: delta.Resync})
}

// Bookmark queues that nothing has changed up to a resource version.
func (f *DeltaFIFO) Bookmark(resourceVersion string) error {
	if !f.options.EmitDeltaTypeBookmark {
		return nil
	}
	return f.source.Bookmark(resourceVersion)
}

// Close lets nothing more in. What is in the queue can still be taken out; after that
// Pop and PopBatch return [ErrFIFOClosed].
func (f *DeltaFIFO) Close() { f.queue.Close(false) }

// CloseAndDrop lets nothing more in and nothing more out: Pop and PopBatch return
// [ErrFIFOClosed].
func (f *DeltaFIFO) CloseAndDrop() { f.queue.Close(true) }

// IsClosed says whether the queue was closed.
func (f *DeltaFIFO) IsClosed() bool { return f.queue.IsClosed() }

// HasSynced says whether the first list was processed, or something else came before it.
func (f *DeltaFIFO) HasSynced() bool { return IsDone(f) }

// HasSyncedChecker is done when HasSynced is true.
func (f *DeltaFIFO) HasSyncedChecker() DoneChecker { return f }

// Name is the queue's name.
func (f *DeltaFIFO) Name() string { return f.options.Name }

// Done returns a channel that is closed when HasSynced becomes true.
func (f *DeltaFIFO) Done() <-chan struct{} { return f.first.done }

// Transformer returns what objects are transformed with before they are queued.
func (f *DeltaFIFO) Transformer() TransformFunc { return f.options.Transformer }

// KeyOf returns the key of an object, of the newest object of [Deltas], or of a
// [DeletedFinalStateUnknown].
func (f *DeltaFIFO) KeyOf(obj any) (string, error) {
	if d, ok := obj.(Deltas); ok {
		if len(d) == 0 {
			return "", KeyError{Obj: obj, Err: ErrZeroLengthDeltasObject}
		}
		obj = d.Newest().Object
	}
	if tombstone, ok := obj.(DeletedFinalStateUnknown); ok {
		return tombstone.Key, nil
	}
	return f.options.KeyFunction(obj)
}
