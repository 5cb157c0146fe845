package cache

import (
	"context"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

// PanicPolicy says what happens when an event handler panics. Either way the panic is
// given to [utilruntime.PanicHandlers], which log it, and counted in the
// [HandlerState]; the event counts as told.
type PanicPolicy uint8

const (
	// PanicCrash lets the panic go on and so ends the process. With
	// [utilruntime.ReallyCrash] off the handler is given the next event after a second.
	PanicCrash PanicPolicy = iota
	// PanicIsolate gives the handler the next event at once.
	PanicIsolate
)

// reportPanic tells the panic handlers, as utilruntime.HandleCrash does, of a panic
// that is not to crash the process. It is called by the deferred function.
func reportPanic(logger klog.Logger, cause any) {
	const upToPanic = 4 // the panic handler, this function, the deferred one, the panic
	ctx := klog.NewContext(context.Background(), logger.WithCallDepth(upToPanic))
	for _, report := range utilruntime.PanicHandlers {
		report(ctx, cause)
	}
}
