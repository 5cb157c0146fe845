// Package deltaqueue provides the queue between reflectors and the store.
//
// Informers take deltas out of a [Queue] in chunks and let the store compute what a list changes,
// so that readers see all of a list or nothing. The items of a list are in pieces, which are not
// joined: the list is one delta, and what it deletes follows, when it is reached, from a store that
// contains everything before it. cache.DeltaFIFO and cache.FIFO provide client-go's
// API on the same queue: they return deltas one by one.
package deltaqueue

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// ErrClosed reports that a queue is closed.
var ErrClosed = errors.New("DeltaFIFO: manipulating with closed queue") // client-go's text

// ChunkSize bounds the number of deltas that are taken out at once: 24 KiB of them, which is
// a size class of the allocator.
const ChunkSize = 256

// Options configure a [Queue]. Only Name is required.
type Options struct {
	// Name returns the names of objects.
	Name delta.Namer
	// TombstoneKey returns the key of a tombstone, and whether obj is one. If it is nil, no
	// object is.
	TombstoneKey func(obj any) (key string, ok bool)
	// Known finds the stored object of a name, which replaces a list's object in the same state. If
	// it is nil, no object is replaced.
	Known interface {
		Held(name delta.Name) (any, bool)
	}
	// Pack returns an object in the form in which it is stored: stored, if that is not nil and the same state of it. An
	// error rejects the object. If it is nil, objects are stored as they are.
	Pack func(obj, stored any) (any, error)
	// Transform is called before every list and every single object of a source, and returns the
	// function that transforms objects, or nil. Calls of that function do not overlap.
	Transform func(source int) func(obj any) (any, error)
	// Sources is the number of sources; 0 means 1.
	Sources int
}

// Queue stores deltas in order of arrival until its only consumer takes them out. Sources add them
// at any time and from any goroutine. A list of all objects is one delta of any length: which
// objects it deletes is determined when it is applied, by comparison with the store at that time.
type Queue struct {
	options Options
	sources []*Source
	wake    chan struct{} // contains a token when deltas arrived since the consumer last looked
	closed  chan struct{}

	transforming sync.Mutex // held while an object is transformed

	mu     sync.Mutex      // guards the fields below
	chunks [][]delta.Delta // oldest first, none of them empty; deltas are only appended to the last
	length int             // objects in chunks, those of lists included
	last   int             // length of the chunk that was taken out last
	done   bool            // closed is closed
	drop   bool            // nothing can be taken out any more
}

// New returns an empty queue.
func New(options Options) *Queue {
	q := &Queue{
		options: options,
		wake:    make(chan struct{}, 1),
		closed:  make(chan struct{}),
	}
	for i := range max(options.Sources, 1) {
		q.sources = append(q.sources, &Source{queue: q, index: uint16(i)})
	}
	return q
}

// Source returns source i, whose lists contain all objects of scope.
func (q *Queue) Source(i int, scope delta.Scope) *Source {
	s := q.sources[i]
	s.scope = scope
	return s
}

// Sources returns the number of sources.
func (q *Queue) Sources() int { return len(q.sources) }

// Put appends a delta. The only error is [ErrClosed].
func (q *Queue) Put(d delta.Delta) error {
	q.mu.Lock()
	if q.done {
		q.mu.Unlock()
		return ErrClosed
	}
	n := len(q.chunks)
	if n == 0 || len(q.chunks[n-1]) == ChunkSize {
		size := max(q.last, 1)
		if n > 0 {
			size = ChunkSize
		}
		q.chunks = append(q.chunks, make([]delta.Delta, 0, size))
		n++
	}
	q.chunks[n-1] = append(q.chunks[n-1], d)
	q.length += d.Weight()
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
	return nil
}

// Pop waits for deltas and takes out the oldest chunk. The caller owns the slice. It returns
// false if the queue is closed and empty, or ctx is done.
func (q *Queue) Pop(ctx context.Context) ([]delta.Delta, bool) {
	for {
		if ctx.Err() != nil {
			return nil, false
		}
		if chunk, open := q.TryPop(); chunk != nil || !open {
			return chunk, open
		}
		select {
		case <-q.wake:
		case <-q.closed:
		case <-ctx.Done():
		}
	}
}

// TryPop takes out the oldest chunk, if there is one. It returns false if the queue is closed
// and empty.
func (q *Queue) TryPop() ([]delta.Delta, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.chunks) == 0 {
		return nil, !q.done
	}
	chunk := q.chunks[0]
	q.chunks = slices.Delete(q.chunks, 0, 1)
	for i := range chunk {
		q.length -= chunk[i].Weight()
	}
	q.last = len(chunk)
	return chunk, true
}

// Close makes Put fail. The contents of the queue can still be taken out, unless drop is set,
// possibly by a later call.
func (q *Queue) Close(drop bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if drop {
		q.chunks, q.length, q.drop = nil, 0, true
	}
	if !q.done {
		q.done = true
		close(q.closed)
	}
}

// IsClosed reports whether the queue was closed.
func (q *Queue) IsClosed() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.done
}

// IsDropped reports whether the queue was closed and its contents dropped.
func (q *Queue) IsDropped() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.drop
}

// Len returns the number of objects in the queue, those of lists included.
func (q *Queue) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.length
}

// Transformer returns the current transform function of a source, nil if there is none.
func (q *Queue) Transformer(source int) func(obj any) (any, error) {
	if q.options.Transform == nil {
		return nil
	}
	return q.options.Transform(source)
}

// Transformed applies transform, if it is not nil, to obj, one call at a time.
func (q *Queue) Transformed(transform func(obj any) (any, error), obj any) (any, error) {
	if transform == nil {
		return obj, nil
	}
	q.transforming.Lock()
	defer q.transforming.Unlock()
	return transform(obj)
}
