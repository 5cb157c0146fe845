package cache

import (
	"errors"

	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/deltaqueue"
)

// ErrZeroLengthDeltasObject is in the [KeyError] for empty [Deltas].
var ErrZeroLengthDeltasObject = errors.New("0 length Deltas object; can't get key")

// DeltaFIFOOptions configure a [DeltaFIFO]. The zero value uses the defaults.
type DeltaFIFOOptions struct {
	// Logger is used for messages; nil uses klog's.
	Logger *klog.Logger

	// Name is used in logs and by the queue's HasSyncedChecker; "DeltaFIFO" if empty.
	Name string

	// KeyFunction computes the objects' keys; [MetaNamespaceKeyFunc] if nil.
	KeyFunction KeyFunc

	// KnownObjects are the objects that the consumer knows, which it updates from the deltas
	// that it gets. When a list is unfolded, known objects that are not in it are deleted. If
	// it is nil, the queue remembers what it has handed out, and Resync does nothing.
	KnownObjects KeyListerGetter

	// EmitDeltaTypeReplaced makes the type of a list's objects [Replaced] instead of [Sync].
	EmitDeltaTypeReplaced bool

	// Transformer is called for every object that is put in, before it is queued.
	Transformer TransformFunc

	// AtomicEvents makes a list one [ReplacedAll] delta and a resync one [SyncAll] delta. The
	// consumer then has to find what a list deletes.
	AtomicEvents bool

	// EmitDeltaTypeBookmark makes bookmarks [Bookmark] deltas; otherwise they are dropped.
	EmitDeltaTypeBookmark bool
}

// DeltaFIFO is a [Queue] of deltas in order of arrival: each call of Pop processes [Deltas] of
// exactly one delta, even if several of one object wait. Nothing is merged, and nothing dropped.
//
// It exists for code that is written for client-go, and is a thin layer on the queue that informers
// use. Informers bypass it: they take many deltas at once, and their store determines what a list
// changes, so that readers see all of a list or nothing. DeltaFIFO returns deltas one by one, and
// unfolds a list, which is one item of the queue, when it is reached: every known object that is
// not in it becomes a deletion, with a [DeletedFinalStateUnknown], and each object in it a delta. A
// resync is unfolded likewise.
//
// All methods may be called at any time from any goroutine, also by the function that Pop calls,
// except Pop itself there.
type DeltaFIFO struct {
	options DeltaFIFOOptions
	logger  klog.Logger
	queue   *deltaqueue.Queue
	source  *deltaqueue.Source
	first   *firstBatch
	popped  poppedObjects // instead of KnownObjects
	turn    chan struct{} // contains a token while a caller takes out and processes; guards the fields below
	taken   []delta.Delta // out of the queue but not yet in pending
	pending []pendingDelta
	head    int                     // number of pending that are taken out
	seen    map[delta.Name]struct{} // the objects of a batch
}

// pendingDelta is an unfolded delta.
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

// NewDeltaFIFO returns an empty queue; [DeltaFIFOOptions] documents keyFunc and knownObjects, which
// may be nil.
func NewDeltaFIFO(keyFunc KeyFunc, knownObjects KeyListerGetter) *DeltaFIFO {
	return NewDeltaFIFOWithOptions(DeltaFIFOOptions{KeyFunction: keyFunc, KnownObjects: knownObjects})
}

// NewDeltaFIFOWithOptions returns an empty queue.
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
		Transform:    func(int) func(obj any) (any, error) { return transform },
	})
	f := &DeltaFIFO{
		options: opts,
		logger:  klog.LoggerWithName(logger, opts.Name),
		queue:   queue,
		source:  queue.Source(0, delta.Scope{}),
		first:   newFirstBatch(),
		turn:    make(chan struct{}, 1),
		seen:    map[delta.Name]struct{}{},
	}
	if opts.KnownObjects == nil {
		f.popped = poppedObjects{}
	}
	return f
}

// Add queues a new object.
func (f *DeltaFIFO) Add(obj any) error {
	f.first.begin(0)
	return f.source.Add(obj)
}

// Update queues a changed object.
func (f *DeltaFIFO) Update(obj any) error {
	f.first.begin(0)
	return f.source.Update(obj)
}

// Delete queues the deletion of an object, known or not. obj may be a [DeletedFinalStateUnknown].
func (f *DeltaFIFO) Delete(obj any) error {
	f.first.begin(0)
	return f.source.Delete(obj)
}

// Replace queues a list of all objects, as of a resource version. After an error of the key
// function or the transform, the queue is unchanged.
func (f *DeltaFIFO) Replace(list []any, resourceVersion string) error {
	r := f.source.StartList(len(list))
	for _, obj := range list {
		if err := r.Add(obj); err != nil {
			return err
		}
	}
	size := 1
	if len(list) == 0 && !f.options.AtomicEvents && f.knowsNothing() {
		size = 0 // there is nothing to take out, so Pop may never be called
	}
	first := f.first.begin(size) && size > 0
	return f.queue.Put(delta.Delta{Kind: delta.ReplaceAll, Initial: first, RV: resourceVersion, List: &r.List})
}

// knowsNothing reports whether a list deletes nothing, if the queue was never used.
func (f *DeltaFIFO) knowsNothing() bool {
	return f.options.KnownObjects == nil || len(f.options.KnownObjects.ListKeys()) == 0
}

// Resync queues a [Sync] delta of every known object.
func (f *DeltaFIFO) Resync() error {
	return f.queue.Put(delta.Delta{Kind: delta.Resync})
}

// Bookmark queues that nothing else changed up to a resource version.
func (f *DeltaFIFO) Bookmark(resourceVersion string) error {
	if !f.options.EmitDeltaTypeBookmark {
		return nil
	}
	return f.source.Bookmark(resourceVersion)
}

// Close makes the queue reject new items. What is in it can still be taken out; after that Pop and
// PopBatch return [ErrFIFOClosed].
func (f *DeltaFIFO) Close() { f.queue.Close(false) }

// CloseAndDrop makes the queue reject new items and drops what is in it: Pop and PopBatch return
// [ErrFIFOClosed].
func (f *DeltaFIFO) CloseAndDrop() { f.queue.Close(true) }

// IsClosed reports whether the queue was closed.
func (f *DeltaFIFO) IsClosed() bool { return f.queue.IsClosed() }

// HasSynced reports whether the first list was processed. It also reports true if something else
// was put in before a list.
func (f *DeltaFIFO) HasSynced() bool { return IsDone(f) }

// HasSyncedChecker returns a checker that is done when HasSynced becomes true.
func (f *DeltaFIFO) HasSyncedChecker() DoneChecker { return f }

// Name returns the queue's name.
func (f *DeltaFIFO) Name() string { return f.options.Name }

// Done returns a channel that is closed when HasSynced becomes true.
func (f *DeltaFIFO) Done() <-chan struct{} { return f.first.done }

// Transformer returns the function that transforms objects before they are queued.
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
