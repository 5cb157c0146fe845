package cache

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
)

// NewInformer is [NewInformerWithOptions] with a plain store.
func NewInformer(lw ListerWatcher, objType runtime.Object, resyncPeriod time.Duration, h ResourceEventHandler) (Store, Controller) {
	return NewInformerWithOptions(InformerOptions{
		ListerWatcher: lw, ObjectType: objType, ResyncPeriod: resyncPeriod, Handler: h,
	})
}

// NewIndexerInformer is [NewInformerWithOptions] with an indexer.
func NewIndexerInformer(lw ListerWatcher, objType runtime.Object, resyncPeriod time.Duration, h ResourceEventHandler, indexers Indexers) (Indexer, Controller) {
	return newPrivateInformer(InformerOptions{
		ListerWatcher: lw, ObjectType: objType, ResyncPeriod: resyncPeriod, Handler: h, Indexers: indexers,
	})
}

// NewTransformingInformer is [NewInformerWithOptions] with a plain store and a
// transform function.
func NewTransformingInformer(lw ListerWatcher, objType runtime.Object, resyncPeriod time.Duration, h ResourceEventHandler, transformer TransformFunc) (Store, Controller) {
	return NewInformerWithOptions(InformerOptions{
		ListerWatcher: lw, ObjectType: objType, ResyncPeriod: resyncPeriod, Handler: h, Transform: transformer,
	})
}

// NewTransformingIndexerInformer is [NewInformerWithOptions] with an indexer and a
// transform function.
func NewTransformingIndexerInformer(lw ListerWatcher, objType runtime.Object, resyncPeriod time.Duration, h ResourceEventHandler, indexers Indexers, transformer TransformFunc) (Indexer, Controller) {
	return newPrivateInformer(InformerOptions{
		ListerWatcher: lw, ObjectType: objType, ResyncPeriod: resyncPeriod, Handler: h, Indexers: indexers, Transform: transformer,
	})
}

// NewInformerWithOptions returns a store, and the controller that keeps it up to date and
// calls the handler, in its own goroutine. The store is an [Indexer]; only the controller may
// write to it. The controller has synced when the handler was called for all objects of the
// first list. Resync periods may be of any length.
func NewInformerWithOptions(options InformerOptions) (Store, Controller) {
	return newPrivateInformer(options)
}

func newPrivateInformer(o InformerOptions) (Indexer, Controller) {
	s := newSharedInformer(o.ListerWatcher, o.ObjectType, informerOptions{
		SharedIndexInformerOptions: SharedIndexInformerOptions{
			ResyncPeriod:            o.ResyncPeriod,
			Indexers:                o.Indexers,
			Identifier:              o.Identifier,
			InformerMetricsProvider: o.InformerMetricsProvider,
			Packed:                  o.Packed,
			Shards:                  o.Shards,
		},
		logger:          o.Logger,
		minWatchTimeout: o.MinWatchTimeout,
		private:         true,
	})
	s.transform = o.Transform.unnamed()
	c := privateInformer{informer: s}
	if o.Handler != nil {
		// It cannot fail: the informer has not stopped.
		c.handler, _ = s.AddEventHandler(o.Handler)
	}
	s.refuse(o.Transform.keeper().check(o.ObjectType))
	return s.GetIndexer(), c
}

// privateInformer is an informer for one handler: it has synced when the handler has.
type privateInformer struct {
	informer *sharedInformer
	handler  ResourceEventHandlerRegistration // nil if there is no handler
}

func (c privateInformer) Run(stopCh <-chan struct{})         { c.informer.Run(stopCh) }
func (c privateInformer) RunWithContext(ctx context.Context) { c.informer.RunWithContext(ctx) }
func (c privateInformer) LastSyncResourceVersion() string {
	return c.informer.LastSyncResourceVersion()
}
func (c privateInformer) HasSynced() bool { return IsDone(c.HasSyncedChecker()) }

func (c privateInformer) HasSyncedChecker() DoneChecker {
	if c.handler == nil {
		return c.informer.HasSyncedChecker()
	}
	return c.handler.HasSyncedChecker()
}

// informerController is the result of GetController: a view whose Run does nothing.
type informerController struct{ informer *sharedInformer }

func (informerController) Run(<-chan struct{})             {}
func (informerController) RunWithContext(context.Context)  {}
func (c informerController) HasSynced() bool               { return IsDone(c.HasSyncedChecker()) }
func (c informerController) HasSyncedChecker() DoneChecker { return c.informer.HasSyncedChecker() }
func (c informerController) LastSyncResourceVersion() string {
	return c.informer.LastSyncResourceVersion()
}
