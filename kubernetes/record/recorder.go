package record

import (
	"errors"
	"fmt"
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/internal/broadcast"
	"github.com/listwatch/listwatch/kubernetes/record/util"
	"github.com/listwatch/listwatch/kubernetes/reference"
)

// recorder creates events and sends them to a broadcaster.
type recorder struct {
	scheme *runtime.Scheme
	source corev1.EventSource
	to     *broadcast.Broadcaster[*corev1.Event]
	logger klog.Logger
}

func (r *recorder) Event(object runtime.Object, eventtype, reason, message string) {
	r.record(object, nil, eventtype, reason, message)
}

func (r *recorder) Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...any) {
	r.record(object, nil, eventtype, reason, fmt.Sprintf(messageFmt, args...))
}

func (r *recorder) AnnotatedEventf(object runtime.Object, annotations map[string]string, eventtype, reason, messageFmt string, args ...any) {
	r.record(object, annotations, eventtype, reason, fmt.Sprintf(messageFmt, args...))
}

func (r *recorder) WithLogger(logger klog.Logger) EventRecorderLogger {
	other := *r
	other.logger = logger
	return &other
}

func (r *recorder) record(object runtime.Object, annotations map[string]string, eventtype, reason, message string) {
	about, err := reference.GetReference(r.scheme, object)
	if err != nil {
		r.to.Invalid.Add(1)
		r.logger.Error(err, "Could not construct reference, will not report event",
			"object", object, "eventType", eventtype, "reason", reason, "message", message)
		return
	}
	if !util.ValidateEventType(eventtype) {
		r.to.Invalid.Add(1)
		r.logger.Error(nil, "Unsupported event type", "eventType", eventtype)
		return
	}
	event := r.event(about, annotations, eventtype, reason, message)
	switch err := r.to.Send(event); {
	case errors.Is(err, broadcast.ErrFull):
		if r.to.LogDrop() {
			r.logger.Error(nil, "Unable to record event: too many queued events, dropped event",
				append(describe(event), "dropped", r.to.Overflowed.Load())...)
		}
	case err != nil:
		r.logger.Error(err, "Unable to record event (will not retry!)")
	}
}

func (r *recorder) event(about *corev1.ObjectReference, annotations map[string]string, eventtype, reason, message string) *corev1.Event {
	now := time.Now()
	namespace := about.Namespace
	if namespace == "" {
		namespace = metav1.NamespaceDefault
	}
	return &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{
			Name:        util.GenerateEventName(about.Name, r.to.Stamp(now)),
			Namespace:   namespace,
			Annotations: maps.Clone(annotations),
		},
		InvolvedObject:      *about,
		Reason:              reason,
		Message:             message,
		FirstTimestamp:      metav1.Time{Time: now},
		LastTimestamp:       metav1.Time{Time: now},
		Count:               1,
		Type:                eventtype,
		Source:              r.source,
		ReportingController: r.source.Component,
		ReportingInstance:   r.source.Host,
	}
}

// describe returns keys and values that describe an event in the log.
func describe(event *corev1.Event) []any {
	about := &event.InvolvedObject
	return []any{
		"event", klog.KRef(event.Namespace, event.Name), "kind", about.Kind, "object", klog.KRef(about.Namespace, about.Name),
		"type", event.Type, "reason", event.Reason, "message", event.Message,
	}
}
