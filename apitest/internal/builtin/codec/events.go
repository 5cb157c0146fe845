package codec

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// eventInVersion returns an event, or a list of events, in the requested group.
func eventInVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, bool) {
	var out runtime.Object
	kind := "Event"
	switch in.(type) {
	case *corev1.Event:
		out = &eventsv1.Event{}
	case *corev1.EventList:
		out, kind = &eventsv1.EventList{}, "EventList"
	case *eventsv1.Event:
		out = &corev1.Event{}
	case *eventsv1.EventList:
		out, kind = &corev1.EventList{}, "EventList"
	default:
		return nil, false
	}
	kinds := []schema.GroupVersionKind{corev1.SchemeGroupVersion.WithKind(kind), eventsv1.SchemeGroupVersion.WithKind(kind)}
	if _, old := in.(*corev1.Event); !old {
		if _, old := in.(*corev1.EventList); !old {
			slices.Reverse(kinds) // the kind of the object first
		}
	}
	if target == nil {
		return nil, false
	}
	want, ok := target.KindForGroupVersionKinds(kinds)
	if !ok || want == kinds[0] || !convertEvent(in, out) {
		return nil, false
	}
	out.GetObjectKind().SetGroupVersionKind(want)
	return out, true
}

// convertEvent converts events between their two groups, and reports whether it did.
func convertEvent(in, out any) bool {
	switch in := in.(type) {
	case *corev1.Event:
		if out, ok := out.(*eventsv1.Event); ok {
			*out = toNewEvent(in)
			return true
		}
	case *eventsv1.Event:
		if out, ok := out.(*corev1.Event); ok {
			*out = toCoreEvent(in)
			return true
		}
	case *corev1.EventList:
		if out, ok := out.(*eventsv1.EventList); ok {
			out.ListMeta = in.ListMeta
			out.Items = make([]eventsv1.Event, len(in.Items))
			for i := range in.Items {
				out.Items[i] = toNewEvent(&in.Items[i])
			}
			return true
		}
	case *eventsv1.EventList:
		if out, ok := out.(*corev1.EventList); ok {
			out.ListMeta = in.ListMeta
			out.Items = make([]corev1.Event, len(in.Items))
			for i := range in.Items {
				out.Items[i] = toCoreEvent(&in.Items[i])
			}
			return true
		}
	}
	return false
}

func toNewEvent(e *corev1.Event) eventsv1.Event {
	out := eventsv1.Event{
		ObjectMeta: e.ObjectMeta, EventTime: e.EventTime, ReportingController: e.ReportingController,
		ReportingInstance: e.ReportingInstance, Action: e.Action, Reason: e.Reason, Regarding: e.InvolvedObject,
		Related: e.Related, Note: e.Message, Type: e.Type, DeprecatedSource: e.Source,
		DeprecatedFirstTimestamp: e.FirstTimestamp, DeprecatedLastTimestamp: e.LastTimestamp, DeprecatedCount: e.Count,
	}
	if e.Series != nil {
		out.Series = &eventsv1.EventSeries{Count: e.Series.Count, LastObservedTime: e.Series.LastObservedTime}
	}
	return out
}

func toCoreEvent(e *eventsv1.Event) corev1.Event {
	out := corev1.Event{
		ObjectMeta: e.ObjectMeta, EventTime: e.EventTime, ReportingController: e.ReportingController,
		ReportingInstance: e.ReportingInstance, Action: e.Action, Reason: e.Reason, InvolvedObject: e.Regarding,
		Related: e.Related, Message: e.Note, Type: e.Type, Source: e.DeprecatedSource,
		FirstTimestamp: e.DeprecatedFirstTimestamp, LastTimestamp: e.DeprecatedLastTimestamp, Count: e.DeprecatedCount,
	}
	if e.Series != nil {
		out.Series = &corev1.EventSeries{Count: e.Series.Count, LastObservedTime: e.Series.LastObservedTime}
	}
	return out
}
