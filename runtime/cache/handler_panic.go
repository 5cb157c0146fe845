package cache

import (
	"context"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

// PanicPolicy is what to do when an event handler panics. In either case the panic is passed to
// [utilruntime.PanicHandlers], which log it, and counted in the [HandlerState]; the event counts
// as delivered.
type PanicPolicy uint8

const (
	// PanicCrash lets the panic continue, which ends the process. If
	// [utilruntime.ReallyCrash] is off, the handler gets the next event after a second.
	PanicCrash PanicPolicy = iota
	// PanicIsolate gives the handler the next event immediately.
	PanicIsolate
)

// reportPanic passes a panic that must not crash the process to the panic handlers, as
// utilruntime.HandleCrash does. It is called by the deferred function.
func reportPanic(logger klog.Logger, cause any) {
	const upToPanic = 4 // the panic handler, this function, the deferred one, the panic
	ctx := klog.NewContext(context.Background(), logger.WithCallDepth(upToPanic))
	for _, report := range utilruntime.PanicHandlers {
		report(ctx, cause)
	}
}
