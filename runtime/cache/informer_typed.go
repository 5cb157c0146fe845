package cache

import "fmt"

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
	return typedInformer[T]{informer}
}

type typedInformer[T Object] struct {
	SharedIndexInformer
}

func (i typedInformer[T]) unwrap() SharedInformer { return i.SharedIndexInformer }

func (i typedInformer[T]) AddTypedEventHandler(handler TypedResourceEventHandler[T], options ...HandlerOptions) (ResourceEventHandlerRegistration, error) {
	switch len(options) {
	case 0:
		return i.AddEventHandlerWithOptions(untypedHandler(handler), HandlerOptions{})
	case 1:
		return i.AddEventHandlerWithOptions(untypedHandler(handler), options[0])
	default:
		return nil, fmt.Errorf("%d handler options given, at most one may be", len(options))
	}
}

func (i typedInformer[T]) AddTypedIndexers(indexers TypedIndexers[T]) error {
	return i.AddIndexers(TypedIndexersToIndexers(indexers))
}

func (i typedInformer[T]) GetTypedIndexer() TypedIndexer[T] {
	return newTypedIndexer[T](i.GetIndexer())
}
