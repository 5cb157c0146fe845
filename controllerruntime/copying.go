package controllerruntime

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	theircache "k8s.io/client-go/tools/cache"
)

// sharesParts reports whether equal parts of the objects of an informer are one in memory: if nobody gets a stored object
// without asking for it, so that handlers get copies, and if a scope has no transform of the program, with which nothing
// would be shared.
func (n *entry) sharesParts() bool {
	plain := false
	for i := range n.scopes {
		s := &n.scopes[i]
		if isTrue(s.UnsafeDisableDeepCopy, false) {
			return false
		}
		plain = plain || s.Transform == nil || positionOf(s.Transform) == stripManagedFields
	}
	return plain
}

// copying is an informer whose handlers get copies of the objects.
type copying struct{ theircache.SharedIndexInformer }

func (c copying) AddEventHandler(handler theircache.ResourceEventHandler) (theircache.ResourceEventHandlerRegistration, error) {
	return c.SharedIndexInformer.AddEventHandler(copyingHandler{handler})
}

func (c copying) AddEventHandlerWithResyncPeriod(handler theircache.ResourceEventHandler, period time.Duration) (theircache.ResourceEventHandlerRegistration, error) {
	return c.SharedIndexInformer.AddEventHandlerWithResyncPeriod(copyingHandler{handler}, period)
}

func (c copying) AddEventHandlerWithOptions(handler theircache.ResourceEventHandler, options theircache.HandlerOptions) (theircache.ResourceEventHandlerRegistration, error) {
	return c.SharedIndexInformer.AddEventHandlerWithOptions(copyingHandler{handler}, options)
}

// copyingHandler is a handler that gets copies.
type copyingHandler struct {
	handler theircache.ResourceEventHandler
}

func (h copyingHandler) OnAdd(obj any, initial bool) { h.handler.OnAdd(copyOf(obj), initial) }

func (h copyingHandler) OnUpdate(before, after any) {
	old := copyOf(before)
	if before == after { // a resync
		h.handler.OnUpdate(old, old)
		return
	}
	h.handler.OnUpdate(old, copyOf(after))
}

func (h copyingHandler) OnDelete(obj any) {
	if unknown, ok := obj.(theircache.DeletedFinalStateUnknown); ok {
		unknown.Obj = copyOf(unknown.Obj)
		h.handler.OnDelete(unknown)
		return
	}
	h.handler.OnDelete(copyOf(obj))
}

// Unwrap returns the handler, for its name in states.
func (h copyingHandler) Unwrap() any { return h.handler }

func copyOf(obj any) any {
	if object, ok := obj.(runtime.Object); ok {
		return object.DeepCopyObject()
	}
	return obj
}
