// Package reference creates references to objects.
//
// An [corev1.ObjectReference] names an object, or a part of it: events, for example, contain one to the object
// that they are about. [GetReference] creates it from the object, [GetPartialReference] with the path of a field.
//
// Functions are safe for concurrent use, if nobody modifies the object and the scheme.
//
// [corev1.ObjectReference]: https://pkg.go.dev/k8s.io/api/core/v1#ObjectReference
package reference
