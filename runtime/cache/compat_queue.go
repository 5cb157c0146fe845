package cache

import "github.com/listwatch/listwatch/runtime/cache/internal/deltaqueue"

// ErrFIFOClosed says that a queue is closed: nothing can be put into it, and what was
// in it has been taken out.
var ErrFIFOClosed = deltaqueue.ErrClosed

// Queue is a [ReflectorStore] from which what was put in is taken out again, to be
// processed by one consumer.
type Queue interface {
	ReflectorStore

	// Pop waits until there is something, takes it out and processes it. It returns what
	// that was and the error of the function, or [ErrFIFOClosed] when the queue is closed
	// and empty.
	Pop(PopProcessFunc) (any, error)

	// HasSynced says whether the first list was processed. It is also true when something
	// else was put in before a list.
	HasSynced() bool

	// HasSyncedChecker is done when HasSynced is true.
	HasSyncedChecker() DoneChecker

	// Close lets nothing more in.
	Close()
}

// QueueWithBatch is a [Queue] from which several deltas can be taken at once.
type QueueWithBatch interface {
	Queue

	// PopBatch waits until there are deltas and processes several of different objects by
	// processBatch, or a single one by processSingle. It returns the function's error, or
	// [ErrFIFOClosed] when the queue is closed and empty.
	PopBatch(processBatch ProcessBatchFunc, processSingle PopProcessFunc) error
}

// PopProcessFunc processes what was taken out of a queue: [Deltas], or an object. Until
// the first list is processed isInInitialList is set.
type PopProcessFunc func(obj any, isInInitialList bool) error

// ProcessBatchFunc processes several deltas, no two of them of one object. The slice is
// its own.
type ProcessBatchFunc func(deltas []Delta, isInInitialList bool) error
