package v1beta1

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes/listers/internal/selecting"
)

// ReplicaSetListerExpansion has the methods of ReplicaSetLister that are written by hand.
type ReplicaSetListerExpansion interface {
	// GetPodReplicaSets returns the ReplicaSets in the namespace of a pod that select it; the pod's
	// controller reference names the one that it belongs to. Finding none is an error.
	GetPodReplicaSets(pod *corev1.Pod) ([]*extensionsv1beta1.ReplicaSet, error)
}

// ReplicaSetNamespaceListerExpansion has no methods.
type ReplicaSetNamespaceListerExpansion interface{}

func (s *replicaSetLister) GetPodReplicaSets(pod *corev1.Pod) ([]*extensionsv1beta1.ReplicaSet, error) {
	if len(pod.Labels) == 0 {
		return nil, fmt.Errorf("no ReplicaSets found for pod %v because it has no labels", pod.Name)
	}
	found, err := selecting.Find(s.ReplicaSets(pod.Namespace), pod.Labels, selectorOfReplicaSet)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("could not find ReplicaSet for pod %s in namespace %s with labels: %v", pod.Name, pod.Namespace, pod.Labels)
	}
	return found, err
}

func selectorOfReplicaSet(set *extensionsv1beta1.ReplicaSet) *metav1.LabelSelector {
	return set.Spec.Selector
}
