package events

import (
	"errors"
	"fmt"
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/kubernetes/internal/broadcast"
	"github.com/listwatch/listwatch/kubernetes/record/util"
	"github.com/listwatch/listwatch/kubernetes/reference"
)

// recorder creates events and sends them to a broadcaster.
type recorder struct {
	scheme     *runtime.Scheme
	controller string
	instance   string
	to         *broadcast.Broadcaster[*eventsv1.Event]
	logger     klog.Logger
}

func (r *recorder) Eventf(regarding, related runtime.Object, eventtype, reason, action, note string, args ...any) {
	r.record(regarding, related, nil, eventtype, reason, action, fmt.Sprintf(note, args...))
}

func (r *recorder) AnnotatedEventf(regarding, related runtime.Object, annotations map[string]string, eventtype, reason, action, note string, args ...any) {
	r.record(regarding, related, annotations, eventtype, reason, action, fmt.Sprintf(note, args...))
}

func (r *recorder) WithLogger(logger klog.Logger) EventRecorderLogger {
	other := *r
	other.logger = logger
	return &other
}

func (r *recorder) record(regarding, related runtime.Object, annotations map[string]string, eventtype, reason, action, note string) {
	about, err := reference.GetReference(r.scheme, regarding)
	if err != nil {
		r.to.Invalid.Add(1)
		r.logger.Error(err, "Could not construct reference, will not report event",
			"object", regarding, "eventType", eventtype, "reason", reason, "message", note)
		return
	}
	if !util.ValidateEventType(eventtype) {
		r.to.Invalid.Add(1)
		r.logger.Error(nil, "Unsupported event type", "eventType", eventtype)
		return
	}
	event := r.event(about, r.related(related), annotations)
	event.Type, event.Reason, event.Action, event.Note = eventtype, reason, action, note
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

// related returns a reference to the second object of an event, or nil. The event is worth recording without it.
func (r *recorder) related(object runtime.Object) *corev1.ObjectReference {
	if object == nil {
		return nil
	}
	ref, err := reference.GetReference(r.scheme, object)
	if err != nil {
		r.logger.V(9).Info("Could not construct reference", "object", object, "err", err)
		return nil
	}
	return ref.DeepCopy()
}

func (r *recorder) event(about, related *corev1.ObjectReference, annotations map[string]string) *eventsv1.Event {
	now := time.Now()
	namespace := about.Namespace
	if namespace == "" {
		namespace = metav1.NamespaceDefault
	}
	return &eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{
			Name:        util.GenerateEventName(about.Name, r.to.Stamp(now)),
			Namespace:   namespace,
			Annotations: maps.Clone(annotations),
		},
		EventTime:           metav1.MicroTime{Time: now},
		ReportingController: r.controller,
		ReportingInstance:   r.instance,
		Regarding:           *about,
		Related:             related,
	}
}

// describe returns keys and values that describe an event in the log.
func describe(event *eventsv1.Event) []any {
	about := &event.Regarding
	return []any{
		"event", klog.KRef(event.Namespace, event.Name), "kind", about.Kind, "object", klog.KRef(about.Namespace, about.Name),
		"type", event.Type, "reason", event.Reason, "action", event.Action, "note", event.Note,
	}
}
