package clientgo

import (
	theirs "k8s.io/client-go/tools/cache"

	"github.com/listwatch/listwatch/runtime/cache"
)

// fromHandler returns a handler for our informers that calls one of client-go's.
func fromHandler(handler theirs.ResourceEventHandler) cache.ResourceEventHandler {
	if to, ok := handler.(handlerTo); ok {
		return to.ours
	}
	return handlerFrom{handler}
}

// toHandler returns a handler for client-go's informers that calls one of ours.
func toHandler(handler cache.ResourceEventHandler) theirs.ResourceEventHandler {
	if from, ok := handler.(handlerFrom); ok {
		return from.theirs
	}
	return handlerTo{handler}
}

// handlerFrom is a handler of client-go's in our form.
type handlerFrom struct{ theirs theirs.ResourceEventHandler }

func (h handlerFrom) OnAdd(object any, initial bool) { h.theirs.OnAdd(object, initial) }
func (h handlerFrom) OnUpdate(before, after any)     { h.theirs.OnUpdate(before, after) }
func (h handlerFrom) OnDelete(object any) {
	if d, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = theirs.DeletedFinalStateUnknown(d)
	}
	h.theirs.OnDelete(object)
}

// OnReleased implements [cache.ReleaseHandler].
func (h handlerFrom) OnReleased(object any) { released(h.theirs, object) }

// released calls a handler of client-go's for an object that is not this replica's any more, if it has the method. Those that
// filter pass the call on.
func released(handler theirs.ResourceEventHandler, object any) {
	switch h := handler.(type) {
	case cache.ReleaseHandler:
		h.OnReleased(object)
	case theirs.FilteringResourceEventHandler:
		if h.FilterFunc(object) {
			released(h.Handler, object)
		}
	}
}

// Unwrap returns the handler, for the name of ours in states and logs.
func (h handlerFrom) Unwrap() any { return nameable(h.theirs) }

// nameable returns a handler that our informers can name by its functions, if it is one of client-go's types of functions.
func nameable(handler theirs.ResourceEventHandler) any {
	switch h := handler.(type) {
	case theirs.ResourceEventHandlerFuncs:
		return cache.ResourceEventHandlerFuncs(h)
	case theirs.ResourceEventHandlerDetailedFuncs:
		return cache.ResourceEventHandlerDetailedFuncs(h)
	case theirs.FilteringResourceEventHandler:
		return nameable(h.Handler)
	default:
		return h
	}
}

// handlerTo is a handler of ours in client-go's form.
type handlerTo struct{ ours cache.ResourceEventHandler }

func (h handlerTo) OnAdd(object any, initial bool) { h.ours.OnAdd(object, initial) }
func (h handlerTo) OnUpdate(before, after any)     { h.ours.OnUpdate(before, after) }
func (h handlerTo) OnDelete(object any) {
	if d, ok := object.(theirs.DeletedFinalStateUnknown); ok {
		object = cache.DeletedFinalStateUnknown(d)
	}
	h.ours.OnDelete(object)
}

// OnReleased implements [cache.ReleaseHandler].
func (h handlerTo) OnReleased(object any) {
	if handler, ok := h.ours.(cache.ReleaseHandler); ok {
		handler.OnReleased(object)
	}
}
