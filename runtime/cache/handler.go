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

	// ResyncPeriod is how often the handler is told again of every object that the
	// store holds, once it has synced; 0 is never, nil the informer's own. It is
	// rounded up to a multiple of the informer's period, or of a shorter one, but at
	// least a second, that a handler asked for before the informer started. An
	// informer whose own period is 0 does no resyncs. A handler that has not got
	// through its last resync is given no further one.
	ResyncPeriod *time.Duration

	// Name describes the handler in states, logs and waits. If it is empty, a name is
	// made from the handler's type or functions.
	Name string

	// Bound is from how many changes on that a handler has not been told of, further
	// ones are merged by object: an update with an update that is still waiting, a
	// deletion with the update or addition before it, and so on, such that the
	// handler is told of the last state, but maybe not of all before it. Then no more
	// changes wait for it than Bound and the number of objects together; merged
	// ones keep the place of the first of them, so that the order between objects may
	// differ from that of arrival. 0 is without bound: each change is told.
	Bound int

	// Panics says what happens when the handler panics.
	Panics PanicPolicy
}

// ResourceEventHandlerRegistration stands for a handler that was added. It is only of
// use to the informer it was added to.
type ResourceEventHandlerRegistration interface {
	// HasSynced says whether the handler has been told of all objects of the first
	// list. A handler that panicked has been told.
	HasSynced() bool

	// HasSyncedChecker returns what gets done when HasSynced gets true.
	HasSyncedChecker() DoneChecker
}
