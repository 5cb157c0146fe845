package v1beta2

import (
	"fmt"

	appsv1beta2 "k8s.io/api/apps/v1beta2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/kubernetes/listers/internal/selecting"
)

// DaemonSetListerExpansion has the methods of DaemonSetLister that are written by hand.
type DaemonSetListerExpansion interface {
	// GetPodDaemonSets returns the DaemonSets in the namespace of a pod that select it; the pod's
	// controller reference names the one that it belongs to. Finding none is an error.
	GetPodDaemonSets(pod *corev1.Pod) ([]*appsv1beta2.DaemonSet, error)
	// GetHistoryDaemonSets is the same for a revision in the history of DaemonSets.
	GetHistoryDaemonSets(history *appsv1beta2.ControllerRevision) ([]*appsv1beta2.DaemonSet, error)
}

// DaemonSetNamespaceListerExpansion has no methods.
type DaemonSetNamespaceListerExpansion interface{}

func (s *daemonSetLister) GetPodDaemonSets(pod *corev1.Pod) ([]*appsv1beta2.DaemonSet, error) {
	if len(pod.Labels) == 0 {
		return nil, fmt.Errorf("no daemon sets found for pod %v because it has no labels", pod.Name)
	}
	found, err := selecting.Find(s.DaemonSets(pod.Namespace), pod.Labels, selectorOfDaemonSet)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("could not find daemon set for pod %s in namespace %s with labels: %v", pod.Name, pod.Namespace, pod.Labels)
	}
	return found, err
}

func (s *daemonSetLister) GetHistoryDaemonSets(history *appsv1beta2.ControllerRevision) ([]*appsv1beta2.DaemonSet, error) {
	if len(history.Labels) == 0 {
		return nil, fmt.Errorf("no DaemonSet found for ControllerRevision %s because it has no labels", history.Name)
	}
	found, err := selecting.Find(s.DaemonSets(history.Namespace), history.Labels, selectorOfDaemonSet)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("could not find DaemonSets for ControllerRevision %s in namespace %s with labels: %v", history.Name, history.Namespace, history.Labels)
	}
	return found, err
}

func selectorOfDaemonSet(set *appsv1beta2.DaemonSet) *metav1.LabelSelector { return set.Spec.Selector }
