package cache

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// SharedInformer keeps a store of the objects of one resource up to date and tells
// handlers of what changes. Its methods may be called concurrently, also by handlers.
//
// The contract is this. An object is known by its namespace and name. What the store
// holds of an object is a state that the server had, and of its states the store goes
// through some, in the server's order and, as long as the informer runs and can reach
// the server, up to the last. Reads see the store as of one moment.
//
// A handler is told of a change after the store and its indexes have it, so the store
// may be further than what it is told. It is told one thing at a time, in the order in
// which the changes came in, of every one (unless it has a bound, see [HandlerOptions]).
// A handler that is added later is first told of all objects that the store then
// holds, as additions. If an object is deleted and another of its name is created, that
// may be told as one update: the UIDs tell. If a deletion was not seen, but concluded
// from a later list, a [DeletedFinalStateUnknown] stands for the object.
//
// All objects, those in the store and those that handlers are given, are shared: they
// must not be changed.
type SharedInformer interface {
	// AddEventHandler adds a handler with the informer's resync period.
	AddEventHandler(handler ResourceEventHandler) (ResourceEventHandlerRegistration, error)
	// AddEventHandlerWithResyncPeriod adds a handler that is told of all objects
	// again, as updates, about once in a period; 0 is never. No request is made for
	// it. If the informer itself has no resync period, there is none. Periods are at
	// least a second, and at least as long as the informer's once it runs.
	AddEventHandlerWithResyncPeriod(handler ResourceEventHandler, resyncPeriod time.Duration) (ResourceEventHandlerRegistration, error)
	// AddEventHandlerWithOptions adds a handler. It fails if the informer has
	// stopped, as do the other two.
	AddEventHandlerWithOptions(handler ResourceEventHandler, options HandlerOptions) (ResourceEventHandlerRegistration, error)
	// RemoveEventHandler removes a handler. Calls of it that have begun may still go
	// on when this returns: see [ShutDownEventHandler]. Removing again does nothing.
	RemoveEventHandler(handle ResourceEventHandlerRegistration) error
	// GetStore returns the store. Only the informer writes to it while it runs.
	GetStore() Store
	// GetController returns a controller whose Run does nothing.
	GetController() Controller
	// Run is RunWithContext until stopCh is closed.
	Run(stopCh <-chan struct{})
	// RunWithContext runs the informer until ctx is done and all its handlers have
	// returned. An informer runs once: further calls log that and return.
	RunWithContext(ctx context.Context)
	// HasSynced says whether the store has been filled by a first list. Whether a
	// handler has been told of it says its registration.
	HasSynced() bool
	// HasSyncedChecker returns what gets done when HasSynced gets true.
	HasSyncedChecker() DoneChecker
	// LastSyncResourceVersion returns the resource version that was last received,
	// of several sources the oldest. The store may not have got there yet: see
	// [WaitForResourceVersion].
	LastSyncResourceVersion() string
	// SetWatchErrorHandler sets what is called when a list or a watch fails, instead
	// of [DefaultWatchErrorHandler]. It should return soon. It fails if the informer
	// was started.
	SetWatchErrorHandler(handler WatchErrorHandler) error
	// SetWatchErrorHandlerWithContext is SetWatchErrorHandler with a context.
	SetWatchErrorHandlerWithContext(handler WatchErrorHandlerWithContext) error
	// SetTransform sets what changes objects before they are stored. It fails if the
	// informer was started.
	SetTransform(handler TransformFunc) error
	// IsStopped says whether the informer ran and has stopped, for good.
	IsStopped() bool
}

// SharedIndexInformer is a [SharedInformer] whose store is an [Indexer].
type SharedIndexInformer interface {
	SharedInformer
	// AddIndexers adds indexes, also while the informer runs. It fails if one of that
	// name exists or the informer has stopped.
	AddIndexers(indexers Indexers) error
	// GetIndexer returns the store. Only the informer writes to it while it runs.
	GetIndexer() Indexer
}

// ShutDownEventHandler removes a handler and waits until no call of it goes on. The
// handler itself must not call it. Shutting down again does nothing.
func ShutDownEventHandler(informer SharedInformer, handle ResourceEventHandlerRegistration) error {
	if err := informer.RemoveEventHandler(handle); err != nil {
		return err
	}
	h, ok := handle.(interface{ ShutdownChan() <-chan struct{} })
	if !ok {
		return fmt.Errorf("cannot tell when a handler with a %T has shut down", handle)
	}
	<-h.ShutdownChan()
	return nil
}

var (
	errStarted      = errors.New("informer has already started")
	errNeverStarted = errors.New("informer was never started")
)
