package events

import (
	"context"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/internal/broadcast"
)

// EventRecorder records events. Its method does not wait for an event to be written; it is safe for concurrent
// use.
type EventRecorder = broadcast.EventRecorder

// AnnotatedEventRecorder records events with annotations. The recorders of this package implement it.
type AnnotatedEventRecorder = broadcast.AnnotatedEventRecorder

// EventRecorderLogger is an EventRecorder whose logger can be replaced.
type EventRecorderLogger = broadcast.EventRecorderLogger

// EventSink writes events. [EventSinkImpl] implements it.
//
// An event is written to its own namespace. Errors must be those of a REST client: a status error
// ([k8s.io/apimachinery/pkg/api/errors.StatusError]) is a rejection and final, any other error leads to another
// attempt. A sink may modify the events that it receives. It must be safe for concurrent use.
type EventSink interface {
	Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error)
	Update(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error)
	// Patch applies a strategic merge patch to the event with the namespace and name of oldEvent.
	Patch(ctx context.Context, oldEvent *eventsv1.Event, data []byte) (*eventsv1.Event, error)
}

// EventBroadcaster passes events from recorders to its sink, and to watchers: logs and functions. Its methods are
// safe for concurrent use.
//
// Watchers receive the events recorded after their start, each in a goroutine of its own. A watcher's queue
// contains up to 1,000 events; if it is full, further events are dropped for this watcher and counted in
// [Stats].
type EventBroadcaster interface {
	// StartRecordingToSink is StartRecordingToSinkWithContext with a channel that is closed at the end.
	// Failures are logged.
	//
	// Deprecated: use StartRecordingToSinkWithContext.
	StartRecordingToSink(stopCh <-chan struct{})

	// StartRecordingToSinkWithContext writes events to the sink, until the context is done: then it drops
	// those that are not yet written. It fails after Shutdown.
	StartRecordingToSinkWithContext(ctx context.Context) error

	// NewRecorder returns a recorder of events with a reporting controller, such as
	// "example.com/my-controller"; their reporting instance is its name, a hyphen, and the name of the host.
	// The scheme finds the kinds of objects that do not name theirs.
	NewRecorder(scheme *runtime.Scheme, reportingController string) EventRecorderLogger

	// StartEventWatcher calls eventHandler with each event, a [*eventsv1.Event] that others receive too and
	// that must not be modified. The function that it returns ends this after the events that are in the
	// queue. It fails after Shutdown.
	StartEventWatcher(eventHandler func(event runtime.Object)) (func(), error)

	// StartStructuredLogging is StartLogging with the global logger of klog.
	//
	// Deprecated: use StartLogging.
	StartStructuredLogging(verbosity klog.Level) func()

	// StartLogging logs events. The function that it returns ends this. It fails after Shutdown.
	StartLogging(logger klog.Logger) (func(), error)

	// Shutdown ends the broadcaster, its watchers and the writing to its sink. It does not wait for them: each
	// first handles the events in its queue. The sink gets each of these once, and no further ones after the
	// first failure that is not a rejection. Events recorded later are dropped and counted.
	Shutdown()
}
