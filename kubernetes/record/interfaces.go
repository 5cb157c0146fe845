package record

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/klog/v2"
)

// EventSink writes events. Clients of events implement it, such as EventSinkImpl of typed/core/v1.
//
// An event is written to its own namespace. Errors must be those of a REST client: a status error
// ([k8s.io/apimachinery/pkg/api/errors.StatusError]) is a rejection and final, any other error leads to another
// attempt. A sink may modify the events that it receives. It is called by one goroutine at a time.
type EventSink interface {
	Create(event *corev1.Event) (*corev1.Event, error)
	Update(event *corev1.Event) (*corev1.Event, error)
	// Patch applies a strategic merge patch to the event with the namespace and name of oldEvent.
	Patch(oldEvent *corev1.Event, data []byte) (*corev1.Event, error)
}

// EventRecorder records events about objects, for one source. Its methods do not wait for an event to be written,
// and report failures to the log only. They are safe for concurrent use.
type EventRecorder interface {
	// Event records an event about object, or about the object to which it is a reference, in its namespace,
	// or in "default" if it has none.
	//
	// The type is Normal or Warning. The reason is a word for programs, in UpperCamelCase, such as Created.
	// The message is for humans.
	Event(object runtime.Object, eventtype, reason, message string)

	// Eventf is Event with a message formatted like by fmt.Sprintf.
	Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...any)

	// AnnotatedEventf is Eventf with annotations for the event, which are copied.
	AnnotatedEventf(object runtime.Object, annotations map[string]string, eventtype, reason, messageFmt string, args ...any)
}

// EventRecorderLogger is an EventRecorder whose logger can be replaced.
type EventRecorderLogger interface {
	EventRecorder

	// WithLogger returns a recorder that reports failures to logger, instead of the global logger of klog. It
	// is cheap enough to be called for each event.
	WithLogger(logger klog.Logger) EventRecorderLogger
}

// EventBroadcaster passes events from recorders to watchers: sinks, logs, functions. Its methods are safe for
// concurrent use.
//
// Watchers receive the events recorded after their start, each in a goroutine of its own. A watcher's queue
// contains up to 1,000 events; if it is full, further events are dropped for this watcher and counted in
// [Stats]. Stop of a watcher ends it after the events that are in its queue. Its ResultChan delivers nothing; it
// is closed when the watcher has handled its last event, so that a program can wait for its events to be
// written before it exits:
//
//	broadcaster.Shutdown()
//	<-watcher.ResultChan()
type EventBroadcaster interface {
	// StartEventWatcher calls eventHandler with each event, which other watchers receive too and which must
	// not be modified.
	StartEventWatcher(eventHandler func(*corev1.Event)) watch.Interface

	// StartRecordingToSink correlates events and writes them to the sink; each call has its own correlator.
	StartRecordingToSink(sink EventSink) watch.Interface

	// StartLogging passes events to a function like klog.Infof.
	StartLogging(logf func(format string, args ...any)) watch.Interface

	// StartStructuredLogging logs events with the logger of the broadcaster's context, or with the global
	// logger of klog if there is none.
	StartStructuredLogging(verbosity klog.Level) watch.Interface

	// NewRecorder returns a recorder whose events have a source. The scheme finds the kinds of objects that do
	// not name theirs.
	NewRecorder(scheme *runtime.Scheme, source corev1.EventSource) EventRecorderLogger

	// Shutdown ends the broadcaster and its watchers. It does not wait for them: each first handles the
	// events in its queue. A sink gets each of these once, and no further ones after the first failure that
	// is not a rejection. Events recorded later are dropped and counted.
	Shutdown()
}
