package cache

import (
	"context"
	"time"
)

// Stand-ins for the store and the processor: who brings one in takes its stand-in out.

type (
	storeOptions     struct{}
	objectStore      struct{ Indexer }
	processorOptions struct{}
	processor        struct{}
	registration     struct {
		ResourceEventHandlerRegistration
	}
)

func newObjectStore(KeyFunc, Indexers, storeOptions) *objectStore                { return &objectStore{} }
func (s *objectStore) get(ObjectName) (any, bool)                                { return nil, false }
func (s *objectStore) apply([]change)                                            {}
func (s *objectStore) replace(string, []record, string) []change                 { return nil }
func (s *objectStore) len() int                                                  { return 0 }
func (s *objectStore) snapshot() []any                                           { return nil }
func (s *objectStore) indexErrors() []IndexError                                 { return nil }
func (s *objectStore) Bookmark(string)                                           {}
func TypedIndexersToIndexers[T any](indexers TypedIndexers[T]) Indexers          { return nil }
func newTypedIndexer[T any](indexer Indexer) TypedIndexer[T]                     { return nil }
func newProcessor(processorOptions) *processor                                   { return &processor{} }
func (p *processor) publish([]change)                                            {}
func (p *processor) markSynced()                                                 {}
func (p *processor) run(ctx context.Context)                                     { <-ctx.Done() }
func (p *processor) states() []HandlerState                                      { return nil }
func untypedHandler[T Object](TypedResourceEventHandler[T]) ResourceEventHandler { return nil }

func (p *processor) add(ResourceEventHandler, HandlerOptions, time.Duration, []any) *registration {
	return &registration{}
}

func (p *processor) remove(ResourceEventHandlerRegistration) (<-chan struct{}, error) {
	return nil, nil
}

// TypedResourceEventHandler is a [ResourceEventHandler] for objects of type T.
type TypedResourceEventHandler[T Object] interface {
	OnAdd(obj T, isInInitialList bool)
	OnUpdate(oldObj, newObj T)
	OnDelete(obj DeletedObject[T])
}

// DeletedObject is an object that was deleted.
type DeletedObject[T Object] struct {
	OptionalObj       T
	FinalStateUnknown *DeletedFinalStateUnknown
}

// DeletionHandlingMetaNamespaceKeyFunc computes keys.
func DeletionHandlingMetaNamespaceKeyFunc(any) (string, error) { return "", nil }
