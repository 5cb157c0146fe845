package cache

import (
	"time"

	"k8s.io/klog/v2"
)

// ResourceEventHandler is told of what happens to objects.
type ResourceEventHandler interface {
	OnAdd(obj any, isInInitialList bool)
	OnUpdate(oldObj, newObj any)
	OnDelete(obj any)
}

// Object is what the typed parts of the package need of an object.
type Object interface {
	comparable
	GetName() string
	GetNamespace() string
}

// HandlerOptions says how a handler is run. The zero value is a plain one.
type HandlerOptions struct {
	// Logger is used for what concerns the handler, instead of the informer's.
	Logger *klog.Logger

	// ResyncPeriod is how often the handler is told again of every object; 0 is
	// never, nil the informer's own.
	ResyncPeriod *time.Duration
}

// ResourceEventHandlerRegistration stands for a handler that was added.
type ResourceEventHandlerRegistration interface {
	HasSynced() bool
	HasSyncedChecker() DoneChecker
}
