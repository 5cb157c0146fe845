package kinds

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
)

// eventSeconds is how long an event is stored.
const eventSeconds = 3600

func eventRules(r *Rules) {
	r.Fields = eventFields
	r.Garbage = rest.Unsupported
	r.TTL = func(runtime.Object, uint64, bool) (uint64, error) { return eventSeconds, nil }
	r.Validate = func(obj runtime.Object) field.ErrorList {
		e := obj.(*corev1.Event)
		if !e.EventTime.IsZero() {
			return validateNewEvent(e)
		}
		of := e.InvolvedObject.Namespace
		if of == e.Namespace || of == "" && e.Namespace == metav1.NamespaceDefault {
			return nil
		}
		return field.ErrorList{field.Invalid(field.NewPath("involvedObject", "namespace"), of, "does not match event.namespace")}
	}
}

// validateNewEvent checks an event that names its reporter.
func validateNewEvent(e *corev1.Event) field.ErrorList {
	var errs field.ErrorList
	for _, f := range []struct{ name, value string }{
		{"reportingController", e.ReportingController}, {"reportingInstance", e.ReportingInstance},
		{"action", e.Action}, {"reason", e.Reason},
	} {
		if f.value == "" {
			errs = append(errs, field.Required(field.NewPath(f.name), ""))
		}
	}
	return errs
}
