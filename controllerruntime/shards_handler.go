package controllerruntime

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	theircache "k8s.io/client-go/tools/cache"

	"github.com/listwatch/listwatch/runtime/cache"
)

// noting is an informer of a replica. What a handler is notified of as deleted has been noted for reconcilers before.
type noting struct {
	theircache.SharedIndexInformer
	note func(metav1.Object)
}

func (n noting) AddEventHandler(handler theircache.ResourceEventHandler) (theircache.ResourceEventHandlerRegistration, error) {
	return n.SharedIndexInformer.AddEventHandler(notingHandler{handler, n.note})
}

func (n noting) AddEventHandlerWithResyncPeriod(handler theircache.ResourceEventHandler, period time.Duration) (theircache.ResourceEventHandlerRegistration, error) {
	return n.SharedIndexInformer.AddEventHandlerWithResyncPeriod(notingHandler{handler, n.note}, period)
}

func (n noting) AddEventHandlerWithOptions(handler theircache.ResourceEventHandler, options theircache.HandlerOptions) (theircache.ResourceEventHandlerRegistration, error) {
	return n.SharedIndexInformer.AddEventHandlerWithOptions(notingHandler{handler, n.note}, options)
}

type notingHandler struct {
	theircache.ResourceEventHandler
	note func(metav1.Object)
}

// OnDelete implements [theircache.ResourceEventHandler].
func (h notingHandler) OnDelete(obj any) {
	last := obj
	if unknown, ok := obj.(theircache.DeletedFinalStateUnknown); ok {
		last = unknown.Obj
	}
	if m, ok := last.(metav1.Object); ok {
		h.note(m)
	}
	h.ResourceEventHandler.OnDelete(obj)
}

// OnReleased implements [github.com/listwatch/listwatch/runtime/cache.ReleaseHandler].
func (h notingHandler) OnReleased(obj any) {
	if handler, ok := h.ResourceEventHandler.(cache.ReleaseHandler); ok {
		handler.OnReleased(obj)
	}
}
