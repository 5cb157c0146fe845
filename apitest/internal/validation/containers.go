package validation

import (
	"iter"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// containers are the containers of a pod that are in the same field.
type containers struct {
	field string
	list  []corev1.Container
}

// containersOf returns all containers of a pod, in the order in which most checks read them. They are those of the pod
// itself, except the ephemeral ones.
func containersOf(s *corev1.PodSpec) []containers {
	return []containers{{"initContainers", s.InitContainers}, {"containers", s.Containers}, {"ephemeralContainers", AsContainers(s.EphemeralContainers)}}
}

// EachContainer returns all containers of a pod with their paths below that of its spec: init containers, then regular and
// ephemeral ones. The latter are copies.
func EachContainer(s *corev1.PodSpec, at *field.Path) iter.Seq2[*field.Path, *corev1.Container] {
	return func(yield func(*field.Path, *corev1.Container) bool) {
		for _, of := range containersOf(s) {
			for i := range of.list {
				if !yield(at.Child(of.field).Index(i), &of.list[i]) {
					return
				}
			}
		}
	}
}

// AsContainers returns ephemeral containers as other ones.
func AsContainers(list []corev1.EphemeralContainer) []corev1.Container {
	out := make([]corev1.Container, len(list))
	for i := range list {
		out[i] = corev1.Container(list[i].EphemeralContainerCommon)
	}
	return out
}
