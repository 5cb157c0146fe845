package broadcast

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"
)

// EventRecorder records events of events.k8s.io. It is declared here because package events uses package record,
// whose adapter implements it.
type EventRecorder interface {
	// Eventf records an event about the object regarding, or about the object to which it is a reference, in
	// its namespace, or in "default" if it has none. It does not wait for the event to be written, and it
	// reports failures to the log only.
	//
	// related is a second object that takes part, or nil: for example the one that an action creates. The
	// type is Normal or Warning. The reason is a word for programs, in UpperCamelCase, such as
	// FailedScheduling; action is the controller's action, in the same form. The note is for humans and is
	// formatted like by fmt.Sprintf; servers reject more than 1,024 bytes.
	Eventf(regarding runtime.Object, related runtime.Object, eventtype, reason, action, note string, args ...any)
}

// AnnotatedEventRecorder records events with annotations.
type AnnotatedEventRecorder interface {
	// AnnotatedEventf is [EventRecorder]'s Eventf with annotations, which are copied.
	AnnotatedEventf(regarding runtime.Object, related runtime.Object, annotations map[string]string, eventtype, reason, action, note string, args ...any)
}

// EventRecorderLogger is an EventRecorder whose logger can be replaced.
type EventRecorderLogger interface {
	EventRecorder

	// WithLogger returns a recorder that reports failures to logger. It is cheap enough to be called for
	// each event.
	WithLogger(logger klog.Logger) EventRecorderLogger
}
