package cache

import (
	"context"
	"time"
)

// Controller keeps a store up to date.
type Controller interface {
	RunWithContext(ctx context.Context)
	Run(stopCh <-chan struct{})
	HasSynced() bool
	HasSyncedChecker() DoneChecker
	LastSyncResourceVersion() string
}

// SharedInformer keeps a store of objects up to date and tells handlers of changes.
type SharedInformer interface {
	AddEventHandler(handler ResourceEventHandler) (ResourceEventHandlerRegistration, error)
	AddEventHandlerWithResyncPeriod(handler ResourceEventHandler, resyncPeriod time.Duration) (ResourceEventHandlerRegistration, error)
	AddEventHandlerWithOptions(handler ResourceEventHandler, options HandlerOptions) (ResourceEventHandlerRegistration, error)
	RemoveEventHandler(handle ResourceEventHandlerRegistration) error
	GetStore() Store
	GetController() Controller
	Run(stopCh <-chan struct{})
	RunWithContext(ctx context.Context)
	HasSynced() bool
	HasSyncedChecker() DoneChecker
	LastSyncResourceVersion() string
	SetWatchErrorHandler(handler WatchErrorHandler) error
	SetWatchErrorHandlerWithContext(handler WatchErrorHandlerWithContext) error
	SetTransform(handler TransformFunc) error
	IsStopped() bool
}

// SharedIndexInformer is a [SharedInformer] whose store is an [Indexer].
type SharedIndexInformer interface {
	SharedInformer
	AddIndexers(indexers Indexers) error
	GetIndexer() Indexer
}
