package cache

import (
	"time"

	"k8s.io/klog/v2"
)

// ResourceEventHandler receives the events of what happens to objects. Its methods are called
// one after the other, in the order in which changes arrived, and after the store was changed;
// the store may contain a later state by then.
//
// The objects are those in the store, shared with all readers: do not modify them, nor
// anything that they refer to. The methods should return soon; pass on what takes longer, for
// instance through a work queue.
type ResourceEventHandler interface {
	// OnAdd is called for a new object. isInInitialList reports that it existed when the
	// informer was started, or the handler was added.
	OnAdd(obj any, isInInitialList bool)

	// OnUpdate is called for an object that changed, and in a resync for every object.
	// oldObj is the last state that the handler was called for; states in between may be
	// missing. If an object is deleted and another of the same name is created, that may be
	// one update: their UIDs differ.
	OnUpdate(oldObj, newObj any)

	// OnDelete is called for a deleted object, with its last state, or with a
	// [DeletedFinalStateUnknown] if the deletion itself was not watched.
	OnDelete(obj any)
}

// ReleaseHandler may be implemented by a [ResourceEventHandler] of an informer that follows [Shards]. A
// [TypedResourceEventHandler] may have the method, too, with an obj of its type; so may one of client-go's form that package
// clientgo converts. Filtering handlers pass the call on.
type ReleaseHandler interface {
	// OnReleased is called for an object that is not this replica's any more, with its last state here. It was not
	// deleted, and may exist. If it is gained again, OnAdd is called for it. A handler with a bound may get an
	// OnUpdate in place of the two.
	OnReleased(obj any)
}

// released calls handler for an object that was released, if it wants that.
func released(handler ResourceEventHandler, obj any) {
	if h, ok := handler.(ReleaseHandler); ok {
		h.OnReleased(obj)
	}
}

// HandlerOptions configure a handler. The zero value uses the defaults.
type HandlerOptions struct {
	// Logger is used for messages about the handler; nil uses the informer's.
	Logger *klog.Logger

	// ResyncPeriod is how often the handler, once it has synced, is called again for every object
	// in the store; 0 disables resync, nil uses the informer's period. It is rounded up to a
	// multiple of the informer's unit: the shortest period of the informer and the handlers added
	// before it was started, at least a second. An informer whose own period is 0 does no resyncs.
	// While a handler has not completed a resync, the next is skipped.
	ResyncPeriod *time.Duration

	// Name describes the handler in states, logs and waits. If it is empty, the
	// name is derived from the handler's type or functions.
	Name string

	// Bound limits how many events wait for a slow handler; 0 means no limit, and the
	// handler is called for every event. While that many wait, a further event of an object
	// is merged with the one that waits: two updates become one, an update and a deletion
	// become a deletion, an add and a deletion become nothing. So the handler gets the last
	// state of each object, but not every state before it. At most Bound plus the number of
	// objects wait: objects in the store, and deleted ones that the handler was not called
	// for yet. A merged event has the position of the first, so that different objects may
	// not be in order of arrival.
	Bound int

	// Panics is the policy for panics of the handler; the zero value crashes.
	Panics PanicPolicy
}

// ResourceEventHandlerRegistration represents a handler that was added to an informer. Only
// that informer accepts it.
type ResourceEventHandlerRegistration interface {
	// HasSynced reports whether the handler was called for all objects of the first list,
	// or, if it was added later, of the store as of then. A call that panicked counts.
	HasSynced() bool

	// HasSyncedChecker returns a checker that is done when HasSynced becomes true.
	HasSyncedChecker() DoneChecker
}
