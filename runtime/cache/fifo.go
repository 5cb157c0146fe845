package cache

// PopProcessFunc processes what was taken out of a queue.
type PopProcessFunc func(obj any, isInInitialList bool) error

// ProcessBatchFunc processes several deltas, no two of them of one object.
type ProcessBatchFunc func(deltas []Delta, isInInitialList bool) error

// Queue is a [ReflectorStore] from which what was put in is taken out again.
type Queue interface {
	ReflectorStore
	Pop(PopProcessFunc) (any, error)
	HasSynced() bool
	HasSyncedChecker() DoneChecker
	Close()
}

// QueueWithBatch is a [Queue] from which several deltas can be taken at once.
type QueueWithBatch interface {
	Queue
	PopBatch(processBatch ProcessBatchFunc, processSingle PopProcessFunc) error
}
