package kinds

import (
	"context"
	"fmt"

	checks "github.com/listwatch/listwatch/apitest/internal/validation"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
)

// eventSeconds is how long an event is stored.
const eventSeconds = 3600

func eventRules(r *Rules) {
	r.Fields = eventFields
	r.Garbage = rest.Unsupported
	r.TTL = func(runtime.Object, uint64, bool) (uint64, error) { return eventSeconds, nil }
	r.ValidateRequest = validateEvent
}

// validateEvent checks an event as both groups do, and as only events.k8s.io does.
func validateEvent(ctx context.Context, obj, old runtime.Object) field.ErrorList {
	e := obj.(*corev1.Event)
	info, ok := request.RequestInfoFrom(ctx)
	strict := ok && info.APIGroup == eventsv1.GroupName
	reporter := "reportingComponent"
	if strict {
		reporter = "reportingController"
	}
	errs := eventInAnyGroup(e, reporter)
	if !strict {
		return errs
	}
	errs = append(errs, checks.Finalizers(e.Finalizers)...)
	was, update := old.(*corev1.Event)
	if !update {
		return append(errs, newEvent(e)...)
	}
	if !equality.Semantic.DeepEqual(e.Series, was.Series) {
		errs = append(errs, eventSeries(e.Series)...)
	}
	return append(errs, eventRemains(e, was)...)
}

// eventInAnyGroup checks an event whose reporter is in a field of a name.
func eventInAnyGroup(e *corev1.Event, reporter string) field.ErrorList {
	const otherNamespace = "does not match event.namespace"
	of := field.NewPath("involvedObject", "namespace")
	namespace := e.InvolvedObject.Namespace
	if e.EventTime.IsZero() {
		if namespace == e.Namespace || namespace == "" && e.Namespace == metav1.NamespaceDefault {
			return nil
		}
		return field.ErrorList{field.Invalid(of, namespace, otherNamespace)}
	}
	var errs field.ErrorList
	if namespace == "" && e.Namespace != metav1.NamespaceDefault && e.Namespace != metav1.NamespaceSystem {
		errs = append(errs, field.Invalid(of, namespace, otherNamespace))
	}
	if e.ReportingController == "" {
		errs = append(errs, field.Required(field.NewPath(reporter), ""))
	}
	for _, msg := range utilvalidation.IsQualifiedName(e.ReportingController) {
		errs = append(errs, field.Invalid(field.NewPath(reporter), e.ReportingController, msg))
	}
	for _, f := range []struct {
		name, value string
		required    bool
		limit       int
	}{
		{"reportingInstance", e.ReportingInstance, true, 128}, {"action", e.Action, true, 128},
		{"reason", e.Reason, true, 128}, {"message", e.Message, false, 1024},
	} {
		if f.required && f.value == "" {
			errs = append(errs, field.Required(field.NewPath(f.name), ""))
		}
		if len(f.value) > f.limit {
			errs = append(errs, field.Invalid(field.NewPath(f.name), "", fmt.Sprintf("can have at most %d characters", f.limit)))
		}
	}
	return errs
}

// newEvent checks an event that is created in events.k8s.io.
func newEvent(e *corev1.Event) field.ErrorList {
	var errs field.ErrorList
	for _, text := range validation.NameIsDNSSubdomain(e.Name, false) {
		errs = append(errs, field.Invalid(field.NewPath("metadata", "name"), e.Name, text))
	}
	errs = append(errs, eventSeries(e.Series)...)
	if e.EventTime.IsZero() {
		errs = append(errs, field.Required(field.NewPath("eventTime"), ""))
	}
	if e.Type != corev1.EventTypeNormal && e.Type != corev1.EventTypeWarning {
		errs = append(errs, field.Invalid(field.NewPath("type"), "", "has invalid value: "+e.Type))
	}
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"firstTimestamp", !e.FirstTimestamp.IsZero()}, {"lastTimestamp", !e.LastTimestamp.IsZero()},
		{"count", e.Count != 0}, {"source", e.Source != corev1.EventSource{}},
	} {
		if f.set {
			errs = append(errs, field.Invalid(field.NewPath(f.name), "", "needs to be unset"))
		}
	}
	return errs
}

func eventSeries(s *corev1.EventSeries) field.ErrorList {
	var errs field.ErrorList
	if s == nil {
		return nil
	}
	if s.Count < 2 {
		errs = append(errs, field.Invalid(field.NewPath("series.count"), "", "should be at least 2"))
	}
	if s.LastObservedTime.IsZero() {
		errs = append(errs, field.Required(field.NewPath("series.lastObservedTime"), ""))
	}
	return errs
}

// eventRemains checks that only the series of an event changes.
func eventRemains(e, was *corev1.Event) field.ErrorList {
	var errs field.ErrorList
	fixed := func(name string, now, before any) {
		if !equality.Semantic.DeepEqual(now, before) {
			errs = append(errs, field.Invalid(field.NewPath(name), now, validation.FieldImmutableErrorMsg))
		}
	}
	if e.InvolvedObject != was.InvolvedObject {
		errs = append(errs, field.Invalid(field.NewPath("involvedObject"), checks.Internal(e.InvolvedObject), validation.FieldImmutableErrorMsg))
	}
	fixed("reason", e.Reason, was.Reason)
	fixed("message", e.Message, was.Message)
	if e.Source != was.Source {
		errs = append(errs, field.Invalid(field.NewPath("source"), checks.Internal(e.Source), validation.FieldImmutableErrorMsg))
	}
	fixed("firstTimestamp", e.FirstTimestamp, was.FirstTimestamp)
	fixed("lastTimestamp", e.LastTimestamp, was.LastTimestamp)
	fixed("count", e.Count, was.Count)
	fixed("reason", e.Reason, was.Reason)
	fixed("type", e.Type, was.Type)
	fixed("eventTime", e.EventTime, was.EventTime)
	fixed("action", e.Action, was.Action)
	if !equality.Semantic.DeepEqual(e.Related, was.Related) {
		errs = append(errs, field.Invalid(field.NewPath("related"), checks.Internal(e.Related), validation.FieldImmutableErrorMsg))
	}
	fixed("reportingController", e.ReportingController, was.ReportingController)
	fixed("reportingInstance", e.ReportingInstance, was.ReportingInstance)
	return errs
}
