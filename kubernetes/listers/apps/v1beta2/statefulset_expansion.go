package v1beta2

import (
	"fmt"

	appsv1beta2 "k8s.io/api/apps/v1beta2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes/listers/internal/selecting"
)

// StatefulSetListerExpansion has the methods of StatefulSetLister that are written by hand.
type StatefulSetListerExpansion interface {
	// GetPodStatefulSets returns the StatefulSets in the namespace of a pod that select it; the pod's
	// controller reference names the one that it belongs to. Finding none is an error.
	GetPodStatefulSets(pod *corev1.Pod) ([]*appsv1beta2.StatefulSet, error)
}

// StatefulSetNamespaceListerExpansion has no methods.
type StatefulSetNamespaceListerExpansion interface{}

func (s *statefulSetLister) GetPodStatefulSets(pod *corev1.Pod) ([]*appsv1beta2.StatefulSet, error) {
	if len(pod.Labels) == 0 {
		return nil, fmt.Errorf("no StatefulSets found for pod %v because it has no labels", pod.Name)
	}
	found, err := selecting.Find(s.StatefulSets(pod.Namespace), pod.Labels, selectorOfStatefulSet)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("could not find StatefulSet for pod %s in namespace %s with labels: %v", pod.Name, pod.Namespace, pod.Labels)
	}
	return found, err
}

func selectorOfStatefulSet(set *appsv1beta2.StatefulSet) *metav1.LabelSelector {
	return set.Spec.Selector
}
