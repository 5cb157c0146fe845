package cache

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// SharedInformer keeps a store of the objects of one resource up to date and notifies
// handlers of changes. Its methods may be called concurrently, also by handlers.
//
// Its contract:
//
//   - An object is identified by namespace and name. Of the states that an object has on
//     the server, the store contains one after the other, in the server's order. It may skip
//     some. While the informer runs and can reach the server, it arrives at the last.
//   - A read sees the store as of one moment.
//   - A handler is called for a change after the store and its indexes contain it. By then
//     the store may contain a later state.
//   - The calls of one handler do not overlap. There is one for every change of the store,
//     in the order of arrival. A handler with a bound (see [HandlerOptions]) may get fewer.
//   - A handler that is added to a running informer is first called for all objects in the
//     store at that moment, as adds.
//   - If an object is deleted and another of the same name is created, a handler may get a
//     single update from one to the other. Their UIDs differ.
//   - If a deletion was not watched but follows from a later list, the handler gets a
//     [DeletedFinalStateUnknown] in place of the object.
//   - An object that a later list returns in the state that is stored is not a change.
//
// All objects, in the store and in calls of handlers, are shared: do not modify them.
type SharedInformer interface {
	// AddEventHandler adds a handler with the informer's resync period.
	AddEventHandler(handler ResourceEventHandler) (ResourceEventHandlerRegistration, error)
	// AddEventHandlerWithResyncPeriod adds a handler that is called again for every
	// object in the store, as an update, once in each period; 0 disables resync. A resync reads
	// the store and makes no request. If the informer has no resync period itself, its
	// handlers are not resynced. Periods are at least a second, and for handlers added
	// while the informer runs at least as long as the informer's.
	AddEventHandlerWithResyncPeriod(handler ResourceEventHandler, resyncPeriod time.Duration) (ResourceEventHandlerRegistration, error)
	// AddEventHandlerWithOptions adds a handler. It fails if the informer has
	// stopped, as do the other two.
	AddEventHandlerWithOptions(handler ResourceEventHandler, options HandlerOptions) (ResourceEventHandlerRegistration, error)
	// RemoveEventHandler removes a handler. It does not wait for a call of the handler that
	// is running: see [ShutDownEventHandler]. Removing it again does nothing.
	RemoveEventHandler(handle ResourceEventHandlerRegistration) error
	// GetStore returns the store. Only the informer writes to it while it runs.
	GetStore() Store
	// GetController returns a controller whose Run does nothing.
	GetController() Controller
	// Run is RunWithContext until stopCh is closed.
	Run(stopCh <-chan struct{})
	// RunWithContext runs the informer until ctx is done, and returns when the calls of
	// its handlers have returned. An informer runs only once: further calls log a warning
	// and return.
	RunWithContext(ctx context.Context)
	// HasSynced reports whether the store contains the objects of the first list. Handlers
	// may not have been called for all of them yet: their registrations report that.
	HasSynced() bool
	// HasSyncedChecker returns a checker that is done when HasSynced becomes true.
	HasSyncedChecker() DoneChecker
	// LastSyncResourceVersion returns the resource version that was last received from
	// the server, with several sources the oldest of theirs; empty before the first list.
	// The store may not be up to date with it yet: see [WaitForObject].
	LastSyncResourceVersion() string
	// SetWatchErrorHandler sets the function that is called, in place of
	// [DefaultWatchErrorHandler], when a list fails or a watch cannot be started. It should
	// return soon. SetWatchErrorHandler fails once the informer was started.
	SetWatchErrorHandler(handler WatchErrorHandler) error
	// SetWatchErrorHandlerWithContext is SetWatchErrorHandler with a context.
	SetWatchErrorHandlerWithContext(handler WatchErrorHandlerWithContext) error
	// SetTransform sets the function that changes objects before they are stored. It
	// fails once the informer was started. It also fails for a [Keep] with invalid paths; the
	// informer never runs then, and its [State] shows the error.
	SetTransform(handler TransformFunc) error
	// IsStopped reports whether the informer has run and stopped. It cannot run again.
	IsStopped() bool
}

// SharedIndexInformer is a [SharedInformer] whose store is an [Indexer].
type SharedIndexInformer interface {
	SharedInformer
	// AddIndexers adds indexes, also while the informer runs, as [Indexer] describes. It
	// fails if one of that name exists or the informer has stopped.
	AddIndexers(indexers Indexers) error
	// GetIndexer returns the store. Only the informer writes to it while it runs.
	GetIndexer() Indexer
}

// ShutDownEventHandler removes a handler and waits until no call of it is running. The
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
