package v1

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/listwatch/listwatch/kubernetes/listers/internal/selecting"
)

// PodDisruptionBudgetListerExpansion has the methods of PodDisruptionBudgetLister that are written by hand.
type PodDisruptionBudgetListerExpansion interface {
	// GetPodPodDisruptionBudgets returns the PodDisruptionBudgets in the namespace of a pod that select it.
	// An empty selector selects every pod. Finding none is an error.
	GetPodPodDisruptionBudgets(pod *corev1.Pod) ([]*policyv1.PodDisruptionBudget, error)
}

// PodDisruptionBudgetNamespaceListerExpansion has no methods.
type PodDisruptionBudgetNamespaceListerExpansion interface{}

func (s *podDisruptionBudgetLister) GetPodPodDisruptionBudgets(pod *corev1.Pod) ([]*policyv1.PodDisruptionBudget, error) {
	found, err := selecting.FindAny(s.PodDisruptionBudgets(pod.Namespace), pod.Labels, selectorOfBudget)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("could not find PodDisruptionBudget for pod %s in namespace %s with labels: %v", pod.Name, pod.Namespace, pod.Labels)
	}
	return found, err
}

// selectorOfBudget returns the selector of a budget; a missing or invalid one selects nothing.
func selectorOfBudget(budget *policyv1.PodDisruptionBudget) labels.Selector {
	selector, err := metav1.LabelSelectorAsSelector(budget.Spec.Selector)
	if err != nil {
		return labels.Nothing()
	}
	return selector
}
