package record

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/internal/broadcast"
)

// EventRecorderAdapter makes a recorder of this package usable as a recorder of package events. Related objects
// and actions, which core events lack, are dropped.
type EventRecorderAdapter struct {
	recorder EventRecorderLogger
}

// NewEventRecorderAdapter returns an adapter for a recorder.
func NewEventRecorderAdapter(recorder EventRecorderLogger) *EventRecorderAdapter {
	return &EventRecorderAdapter{recorder}
}

// Eventf calls Eventf of the recorder, with the note as message.
func (a *EventRecorderAdapter) Eventf(regarding, _ runtime.Object, eventtype, reason, _, note string, args ...any) {
	a.recorder.Eventf(regarding, eventtype, reason, note, args...)
}

// AnnotatedEventf calls AnnotatedEventf of the recorder, with the note as message.
func (a *EventRecorderAdapter) AnnotatedEventf(regarding, _ runtime.Object, annotations map[string]string, eventtype, reason, _, note string, args ...any) {
	a.recorder.AnnotatedEventf(regarding, annotations, eventtype, reason, note, args...)
}

// WithLogger returns an adapter for the recorder with a logger.
func (a *EventRecorderAdapter) WithLogger(logger klog.Logger) broadcast.EventRecorderLogger {
	return &EventRecorderAdapter{a.recorder.WithLogger(logger)}
}
