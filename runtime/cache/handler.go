package cache

import (
	"time"

	"k8s.io/klog/v2"
)

// ResourceEventHandler is told of what happens to objects. Its methods are called one
// after the other, in the order in which the changes came in, and after the store was
// changed; the store may be further by then.
//
// The objects are those in the store and shared with all readers: they must not be
// changed, nor anything that can be reached from them. The methods should return
// soon; what takes longer is best handed on, for instance through a work queue.
type ResourceEventHandler interface {
	// OnAdd is called for an object that is new. isInInitialList says that it was
	// there already when the informer, or the handler, was started.
	OnAdd(obj any, isInInitialList bool)

	// OnUpdate is called for an object that changed, and in a resync for every object.
	// oldObj is the last state that the handler was told of; states in between may
	// have been left out. If an object is deleted and another of the same name is
	// created, that may be one update: the UID tells.
	OnUpdate(oldObj, newObj any)

	// OnDelete is called for an object that is gone, with its last state, or with a
	// [DeletedFinalStateUnknown] if the deletion itself was not seen.
	OnDelete(obj any)
}

// HandlerOptions says how a handler is run. The zero value is a plain one.
type HandlerOptions struct {
	// Logger is used for what concerns the handler, instead of the informer's.
	Logger *klog.Logger

	// ResyncPeriod is how often the handler, once it has synced, is called again for
	// every object in the store; 0 is never, nil the informer's own period. It is rounded
	// up to a multiple of the informer's unit: the shortest period that the informer or
	// one of the handlers added before it was started asks for, at least a second. An
	// informer whose own period is 0 does no resyncs. While a handler has not got through
	// one resync, the next is left out.
	ResyncPeriod *time.Duration

	// Name describes the handler in states, logs and waits. If it is empty, a name is
	// made from the handler's type or functions.
	Name string

	// Bound limits how many changes wait for a slow handler; 0 is no limit, and every
	// change is told. While that many wait, a further change of an object is merged with
	// the one of that object that waits already: two updates become one, an update and a
	// deletion a deletion, an addition and a deletion nothing. So the handler learns of
	// the last state of each object, but not of every state before it. No more changes
	// wait, or are held, than Bound plus the number of objects: those in the store, and
	// deleted ones that the handler has yet to be told of. A merged change keeps the place
	// of the first one, so that the order between different objects may not be that of
	// arrival.
	Bound int

	// Panics says what happens when the handler panics.
	Panics PanicPolicy
}

// ResourceEventHandlerRegistration stands for a handler that was added. It is only of
// use to the informer it was added to.
type ResourceEventHandlerRegistration interface {
	// HasSynced reports whether the handler has been called for all objects of the first
	// list, or, if it was added later, of the store as it was then. A call that panicked
	// counts.
	HasSynced() bool

	// HasSyncedChecker returns a checker that is done when HasSynced becomes true.
	HasSyncedChecker() DoneChecker
}
