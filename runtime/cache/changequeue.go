package cache

import (
	"context"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// changesPerChunk bounds how many changes are handed over at once: 24 KiB of them, which
// the allocator has a size for.
const changesPerChunk = 256

// heldObjects is what a queue needs to know of the store that it feeds.
type heldObjects interface {
	get(name ObjectName) (any, bool)
}

// changeQueueOptions are what a queue is made of. The zero value is a plain one.
type changeQueueOptions struct {
	key       KeyFunc              // the objects' keys, nil for [MetaNamespaceKeyFunc]
	known     heldObjects          // objects to use again when they come in a list, or nil
	transform func() TransformFunc // asked before every list and every change, or nil
	sources   int                  // how many there are, 1 if not set
}

// changeQueue holds changes in the order in which they arrived, until one consumer
// takes them out. Its sources put them in, at any time and from any goroutine. A list
// of all objects is one change, however long it is: what it deletes is found when it is
// applied, against what is known then.
type changeQueue struct {
	changeQueueOptions
	namer   namer
	entries []*queueSource // by source
	wake    chan struct{}  // holds a token when changes came since the consumer looked
	closed  chan struct{}

	transforming sync.Mutex // held while transforming

	mu     sync.Mutex // guards what follows
	chunks [][]change // oldest first, none of them empty; only the last is appended to
	depth  int        // objects in chunks, those of lists included
	last   int        // how long the chunk was that was taken last
	done   bool       // closed is closed
	drop   bool       // nothing is taken out any more
}

func newChangeQueue(o changeQueueOptions) *changeQueue {
	if o.key == nil {
		o.key = MetaNamespaceKeyFunc
	}
	q := &changeQueue{
		changeQueueOptions: o,
		namer:              newNamer(o.key),
		wake:               make(chan struct{}, 1),
		closed:             make(chan struct{}),
	}
	for i := range max(o.sources, 1) {
		q.entries = append(q.entries, &queueSource{queue: q, index: uint16(i)})
	}
	return q
}

// source returns the way in for source i, whose lists are of all objects in namespace,
// or of all objects if that is empty.
func (q *changeQueue) source(i int, namespace string) *queueSource {
	s := q.entries[i]
	s.namespace = namespace
	return s
}

// put appends a change. It fails with [ErrFIFOClosed] only.
func (q *changeQueue) put(c change) error {
	q.mu.Lock()
	if q.done {
		q.mu.Unlock()
		return ErrFIFOClosed
	}
	n := len(q.chunks)
	if n == 0 || len(q.chunks[n-1]) == changesPerChunk {
		size := max(q.last, 1)
		if n > 0 {
			size = changesPerChunk
		}
		q.chunks = append(q.chunks, make([]change, 0, size))
		n++
	}
	q.chunks[n-1] = append(q.chunks[n-1], c)
	q.depth += c.weight()
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
	return nil
}

// weight is how many objects c is about.
func (c *change) weight() int {
	if c.replacement != nil {
		return len(c.replacement.items)
	}
	return 1
}

// popChanges waits until there are changes and takes out some, oldest first. The slice
// is the caller's. It returns false when the queue is closed and empty. There must be
// one consumer.
func (q *changeQueue) popChanges() ([]change, bool) {
	return q.popChangesUntil(context.Background())
}

// popChangesUntil is popChanges, but returns false also when ctx is done.
func (q *changeQueue) popChangesUntil(ctx context.Context) ([]change, bool) {
	for {
		if ctx.Err() != nil {
			return nil, false
		}
		if chunk, open := q.tryPop(); chunk != nil || !open {
			return chunk, open
		}
		select {
		case <-q.wake:
		case <-q.closed:
		case <-ctx.Done():
		}
	}
}

// tryPop takes out the oldest chunk, if there is any. It returns false when there is
// none and none will come.
func (q *changeQueue) tryPop() ([]change, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.chunks) == 0 {
		return nil, !q.done
	}
	chunk := q.chunks[0]
	q.chunks = slices.Delete(q.chunks, 0, 1)
	for i := range chunk {
		q.depth -= chunk[i].weight()
	}
	q.last = len(chunk)
	return chunk, true
}

// close ends the queue: nothing can be put into it any more. What is in it can still
// be taken out, or is dropped if drop is set. Closing again drops what is left, if so
// told.
func (q *changeQueue) close(drop bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if drop {
		q.chunks, q.depth, q.drop = nil, 0, true
	}
	if !q.done {
		q.done = true
		close(q.closed)
	}
}

// isClosed says whether the queue was closed.
func (q *changeQueue) isClosed() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.done
}

// isDropped says whether the queue was closed and told to drop what was in it.
func (q *changeQueue) isDropped() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.drop
}

// len is how many objects wait in the queue, those of lists included.
func (q *changeQueue) len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.depth
}

// transformer returns the current transform function, nil if there is none.
func (q *changeQueue) transformer() TransformFunc {
	if q.transform == nil {
		return nil
	}
	return q.transform()
}

// transformed applies transform to obj. It makes one call at a time.
func (q *changeQueue) transformed(transform TransformFunc, obj any) (any, error) {
	q.transforming.Lock()
	defer q.transforming.Unlock()
	return transform.apply(obj, q.namer)
}

// metadataOf returns obj's metadata, nil if it has none.
func metadataOf(obj any) metav1.Object {
	if m, ok := obj.(metav1.Object); ok {
		return m
	}
	m, err := meta.Accessor(obj)
	if err != nil {
		return nil
	}
	return m
}
