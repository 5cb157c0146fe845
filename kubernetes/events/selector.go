package events

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	eventsv1beta1 "k8s.io/api/events/v1beta1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// GetFieldSelector returns a selector of the events about an object, for requests of a version of the events API:
// v1, events.k8s.io/v1 or events.k8s.io/v1beta1. Empty arguments select any object. The error reports another
// version.
func GetFieldSelector(eventsGroupVersion schema.GroupVersion, regardingGroupVersionKind schema.GroupVersionKind, regardingName string, regardingUID types.UID) (fields.Selector, error) {
	var object string
	switch eventsGroupVersion {
	case eventsv1.SchemeGroupVersion, eventsv1beta1.SchemeGroupVersion:
		object = "regarding"
	case corev1.SchemeGroupVersion:
		object = "involvedObject"
	default:
		return nil, fmt.Errorf("unknown version %v", eventsGroupVersion)
	}
	var terms []fields.Selector
	add := func(field, value string) {
		if value != "" {
			terms = append(terms, fields.OneTermEqualSelector(object+"."+field, value))
		}
	}
	add("name", regardingName)
	add("kind", regardingGroupVersionKind.Kind)
	add("apiVersion", regardingGroupVersionKind.GroupVersion().String())
	add("uid", string(regardingUID))
	return fields.AndSelectors(terms...), nil
}
