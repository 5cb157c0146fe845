package cache

import (
	"sync/atomic"

	"k8s.io/klog/v2"

	. "github.com/listwatch/listwatch/runtime/cache"
)

type sharedIndexInformer = SharedIndexInformer

func eventHandlerCount(informer SharedInformer) int { return len(StateOf(informer).Handlers) }

func isStarted(informer SharedInformer) bool { return StateOf(informer).Started }

// isRegistered is right where handlers are of one mind: an informer does not say which it has.
func isRegistered(informer SharedInformer, handler ResourceEventHandlerRegistration) bool {
	return handler != nil && eventHandlerCount(informer) > 0
}

// RealFIFO is a DeltaFIFO whose consumer keeps the known objects up to date, as that wants.
type RealFIFO struct {
	*DeltaFIFO
	known Store
}

type RealFIFOOptions = DeltaFIFOOptions

func NewRealFIFO(keyFunc KeyFunc, known KeyListerGetter, transform TransformFunc) *RealFIFO {
	return NewRealFIFOWithOptions(RealFIFOOptions{KeyFunction: keyFunc, KnownObjects: known, Transformer: transform})
}

func NewRealFIFOWithOptions(options RealFIFOOptions) *RealFIFO {
	store := NewStore(options.KeyFunction)
	for _, key := range options.KnownObjects.ListKeys() {
		if obj, ok, err := options.KnownObjects.GetByKey(key); err != nil || !ok || store.Add(obj) != nil {
			panic("known objects are not known")
		}
	}
	options.KnownObjects = store
	options.EmitDeltaTypeReplaced = true
	return &RealFIFO{NewDeltaFIFOWithOptions(options), store}
}

func (f *RealFIFO) Pop(process PopProcessFunc) (any, error) {
	return f.DeltaFIFO.Pop(func(obj any, initial bool) error {
		for _, delta := range obj.(Deltas) {
			change, obj := f.known.Update, delta.Object
			if delta.Type == Deleted {
				change = f.known.Delete
			}
			if gone, ok := obj.(DeletedFinalStateUnknown); ok {
				obj = gone.Obj
			}
			if err := change(obj); err != nil {
				return err
			}
		}
		return process(obj, initial)
	})
}

func newQueueFIFO(logger klog.Logger, _ any, store Store, transform TransformFunc, _ InformerNameAndResource, _ InformerMetricsProvider) (klog.Logger, Queue) {
	return logger, NewDeltaFIFOWithOptions(DeltaFIFOOptions{KnownObjects: store, Transformer: transform, EmitDeltaTypeReplaced: true})
}

// sharedProcessorRunHook is called by nobody.
var sharedProcessorRunHook atomic.Pointer[func()]
