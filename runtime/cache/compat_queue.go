package cache

import "github.com/listwatch/listwatch/runtime/cache/internal/deltaqueue"

// ErrFIFOClosed reports that a queue is closed: it accepts nothing, and is empty.
var ErrFIFOClosed = deltaqueue.ErrClosed

// Queue is a [ReflectorStore] whose items are taken out and processed by one consumer.
type Queue interface {
	ReflectorStore

	// Pop waits for an item, takes it out and processes it. It returns the item and the error
	// of the function, or [ErrFIFOClosed] if the queue is closed and empty.
	Pop(PopProcessFunc) (any, error)

	// HasSynced reports whether the first list was processed. It also reports true if
	// something else was put in before a list.
	HasSynced() bool

	// HasSyncedChecker returns a checker that is done when HasSynced becomes true.
	HasSyncedChecker() DoneChecker

	// Close makes the queue reject new items.
	Close()
}

// QueueWithBatch is a [Queue] from which several deltas can be taken at once.
type QueueWithBatch interface {
	Queue

	// PopBatch waits for deltas and processes several of different objects by processBatch, or
	// a single one by processSingle. It returns the function's error, or [ErrFIFOClosed] if
	// the queue is closed and empty.
	PopBatch(processBatch ProcessBatchFunc, processSingle PopProcessFunc) error
}

// PopProcessFunc processes an item of a queue: [Deltas], or an object. isInInitialList is set until
// the first list is processed.
type PopProcessFunc func(obj any, isInInitialList bool) error

// ProcessBatchFunc processes several deltas of different objects. It owns the slice.
type ProcessBatchFunc func(deltas []Delta, isInInitialList bool) error
