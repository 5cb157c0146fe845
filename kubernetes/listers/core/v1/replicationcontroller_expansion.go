package v1

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/listwatch/listwatch/kubernetes/listers/internal/selecting"
)

// ReplicationControllerListerExpansion has the methods of ReplicationControllerLister that are written by
// hand.
type ReplicationControllerListerExpansion interface {
	// GetPodControllers returns the ReplicationControllers in the namespace of a pod that select it; the
	// pod's controller reference names the one that it belongs to. Finding none is an error.
	GetPodControllers(pod *corev1.Pod) ([]*corev1.ReplicationController, error)
}

// ReplicationControllerNamespaceListerExpansion has no methods.
type ReplicationControllerNamespaceListerExpansion interface{}

func (s *replicationControllerLister) GetPodControllers(pod *corev1.Pod) ([]*corev1.ReplicationController, error) {
	if len(pod.Labels) == 0 {
		return nil, fmt.Errorf("no controllers found for pod %v because it has no labels", pod.Name)
	}
	found, err := selecting.FindAny(s.ReplicationControllers(pod.Namespace), pod.Labels, selectorOfController)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("could not find controller for pod %s in namespace %s with labels: %v", pod.Name, pod.Namespace, pod.Labels)
	}
	return found, err
}

// selectorOfController returns the selector of a controller; a missing one selects nothing.
func selectorOfController(controller *corev1.ReplicationController) labels.Selector {
	if len(controller.Spec.Selector) == 0 {
		return labels.Nothing()
	}
	return labels.SelectorFromValidatedSet(controller.Spec.Selector)
}
