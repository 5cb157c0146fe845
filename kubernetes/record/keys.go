package record

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// join returns a key of several parts. The separator, which names do not contain, keeps different parts with the
// same concatenation apart.
func join(parts ...string) string { return strings.Join(parts, "\x00") }

// eventKey returns a key that repetitions of an event have in common.
func eventKey(e *corev1.Event) string {
	o := &e.InvolvedObject
	return join(e.Source.Component, e.Source.Host, o.Kind, o.Namespace, o.Name, o.FieldPath, string(o.UID), o.APIVersion,
		e.Type, e.Reason, e.Message)
}

// aggregateKey returns a key that similar events have in common.
func aggregateKey(e *corev1.Event) string {
	o := &e.InvolvedObject
	return join(e.Source.Component, e.Source.Host, o.Kind, o.Namespace, o.Name, string(o.UID), o.APIVersion,
		e.Type, e.Reason, e.ReportingController, e.ReportingInstance)
}

// spamKey returns a key that events about an object have in common, for each source and type.
func spamKey(e *corev1.Event) string {
	o := &e.InvolvedObject
	return join(e.Source.Component, e.Source.Host, o.Kind, o.Namespace, o.Name, string(o.UID), o.APIVersion, e.Type)
}
