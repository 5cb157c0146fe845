package kinds

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// matchLabelKeys adds the values that a new pod's own labels have for the label keys of its constraints to their selectors.
func matchLabelKeys(p *corev1.Pod) {
	add := func(s *metav1.LabelSelector, keys []string, operator metav1.LabelSelectorOperator) {
		for _, key := range keys {
			if value, ok := p.Labels[key]; ok && s != nil {
				s.MatchExpressions = append(s.MatchExpressions, metav1.LabelSelectorRequirement{Key: key, Operator: operator, Values: []string{value}})
			}
		}
	}
	for i := range p.Spec.TopologySpreadConstraints {
		c := &p.Spec.TopologySpreadConstraints[i]
		add(c.LabelSelector, c.MatchLabelKeys, metav1.LabelSelectorOpIn)
	}
	terms := func(required []corev1.PodAffinityTerm, preferred []corev1.WeightedPodAffinityTerm) {
		for i := range required {
			add(required[i].LabelSelector, required[i].MatchLabelKeys, metav1.LabelSelectorOpIn)
			add(required[i].LabelSelector, required[i].MismatchLabelKeys, metav1.LabelSelectorOpNotIn)
		}
		for i := range preferred {
			t := &preferred[i].PodAffinityTerm
			add(t.LabelSelector, t.MatchLabelKeys, metav1.LabelSelectorOpIn)
			add(t.LabelSelector, t.MismatchLabelKeys, metav1.LabelSelectorOpNotIn)
		}
	}
	if p.Spec.Affinity == nil {
		return
	}
	if a := p.Spec.Affinity.PodAffinity; a != nil {
		terms(a.RequiredDuringSchedulingIgnoredDuringExecution, a.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	if a := p.Spec.Affinity.PodAntiAffinity; a != nil {
		terms(a.RequiredDuringSchedulingIgnoredDuringExecution, a.PreferredDuringSchedulingIgnoredDuringExecution)
	}
}
