package cache

import (
	"context"
	"fmt"
	"time"
)

// TypedSharedIndexInformer is a [SharedIndexInformer] of objects of type T.
type TypedSharedIndexInformer[T Object] interface {
	SharedIndexInformer

	// AddTypedEventHandler adds a handler like AddEventHandlerWithOptions, or like
	// AddEventHandler without options. It fails if there is more than one.
	AddTypedEventHandler(handler TypedResourceEventHandler[T], options ...HandlerOptions) (ResourceEventHandlerRegistration, error)
	// AddTypedIndexers is AddIndexers with typed functions.
	AddTypedIndexers(indexers TypedIndexers[T]) error
	// GetTypedIndexer is GetIndexer with typed results.
	GetTypedIndexer() TypedIndexer[T]
}

// NewTypedSharedIndexInformer returns a typed view of an informer, which need not be one
// of this package. All of its objects have to be of type T: handlers and index functions
// panic on others.
func NewTypedSharedIndexInformer[T Object](informer SharedIndexInformer) TypedSharedIndexInformer[T] {
	return &typedInformer[T]{informer}
}

// typedInformer passes on the methods of an informer. They are written out: each one that was
// promoted from an embedded interface would be compiled again for every kind.
type typedInformer[T Object] struct {
	untyped SharedIndexInformer
}

func (i *typedInformer[T]) unwrap() SharedInformer { return i.untyped }

func (i *typedInformer[T]) AddTypedEventHandler(handler TypedResourceEventHandler[T], options ...HandlerOptions) (ResourceEventHandlerRegistration, error) {
	return addHandler(i.untyped, untypedHandler(handler), options)
}

// addHandler adds a handler with at most one value of options.
func addHandler(informer SharedIndexInformer, handler ResourceEventHandler, options []HandlerOptions) (ResourceEventHandlerRegistration, error) {
	switch len(options) {
	case 0:
		return informer.AddEventHandlerWithOptions(handler, HandlerOptions{})
	case 1:
		return informer.AddEventHandlerWithOptions(handler, options[0])
	default:
		return nil, fmt.Errorf("got %d handler options, want at most one", len(options))
	}
}

func (i *typedInformer[T]) AddTypedIndexers(indexers TypedIndexers[T]) error {
	return i.untyped.AddIndexers(TypedIndexersToIndexers(indexers))
}

func (i *typedInformer[T]) GetTypedIndexer() TypedIndexer[T] {
	return newTypedIndexer[T](i.untyped.GetIndexer())
}

func (i *typedInformer[T]) AddEventHandler(handler ResourceEventHandler) (ResourceEventHandlerRegistration, error) {
	return i.untyped.AddEventHandler(handler)
}

func (i *typedInformer[T]) AddEventHandlerWithResyncPeriod(handler ResourceEventHandler, period time.Duration) (ResourceEventHandlerRegistration, error) {
	return i.untyped.AddEventHandlerWithResyncPeriod(handler, period)
}

func (i *typedInformer[T]) AddEventHandlerWithOptions(handler ResourceEventHandler, options HandlerOptions) (ResourceEventHandlerRegistration, error) {
	return i.untyped.AddEventHandlerWithOptions(handler, options)
}

func (i *typedInformer[T]) RemoveEventHandler(handle ResourceEventHandlerRegistration) error {
	return i.untyped.RemoveEventHandler(handle)
}

func (i *typedInformer[T]) GetStore() Store               { return i.untyped.GetStore() }
func (i *typedInformer[T]) GetController() Controller     { return i.untyped.GetController() }
func (i *typedInformer[T]) Run(stopCh <-chan struct{})    { i.untyped.Run(stopCh) }
func (i *typedInformer[T]) HasSynced() bool               { return i.untyped.HasSynced() }
func (i *typedInformer[T]) HasSyncedChecker() DoneChecker { return i.untyped.HasSyncedChecker() }
func (i *typedInformer[T]) LastSyncResourceVersion() string {
	return i.untyped.LastSyncResourceVersion()
}
func (i *typedInformer[T]) IsStopped() bool     { return i.untyped.IsStopped() }
func (i *typedInformer[T]) GetIndexer() Indexer { return i.untyped.GetIndexer() }

func (i *typedInformer[T]) RunWithContext(ctx context.Context) { i.untyped.RunWithContext(ctx) }

func (i *typedInformer[T]) AddIndexers(indexers Indexers) error {
	return i.untyped.AddIndexers(indexers)
}

func (i *typedInformer[T]) SetTransform(transform TransformFunc) error {
	return i.untyped.SetTransform(transform)
}

func (i *typedInformer[T]) SetWatchErrorHandler(handler WatchErrorHandler) error {
	return i.untyped.SetWatchErrorHandler(handler)
}

func (i *typedInformer[T]) SetWatchErrorHandlerWithContext(handler WatchErrorHandlerWithContext) error {
	return i.untyped.SetWatchErrorHandlerWithContext(handler)
}
