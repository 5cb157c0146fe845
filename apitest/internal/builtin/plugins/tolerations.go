package plugins

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apiserver/pkg/admission"
)

// tolerations lets pods stay on an unhealthy node for five minutes, unless their user sets a toleration.
func tolerations(Options) admission.Interface {
	return &rule{operations: onWrite, admit: func(_ context.Context, a admission.Attributes) error {
		if pod, ok := written[corev1.Pod](a); ok {
			tolerate(pod, corev1.TaintNodeNotReady)
			tolerate(pod, corev1.TaintNodeUnreachable)
		}
		return nil
	}}
}

func tolerate(p *corev1.Pod, key string) {
	for _, t := range p.Spec.Tolerations {
		if (t.Key == key || t.Key == "") && (t.Effect == corev1.TaintEffectNoExecute || t.Effect == "") {
			return
		}
	}
	p.Spec.Tolerations = append(p.Spec.Tolerations, corev1.Toleration{
		Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: new(int64(300)),
	})
}

// mergeTolerations returns the tolerations of both lists without those that another one includes. Of equal ones, the
// first remains.
func mergeTolerations(lists ...[]corev1.Toleration) []corev1.Toleration {
	var all, merged []corev1.Toleration
	for _, list := range lists {
		all = append(all, list...)
	}
next:
	for i := range all {
		for j := range merged {
			if includes(&merged[j], &all[i]) {
				continue next
			}
		}
		for j := i + 1; j < len(all); j++ {
			if includes(&all[j], &all[i]) && !equality.Semantic.DeepEqual(all[i], all[j]) {
				continue next
			}
		}
		merged = append(merged, all[i])
	}
	return merged
}

// includes reports whether wide tolerates everything that t tolerates.
func includes(wide, t *corev1.Toleration) bool {
	exists := wide.Operator == corev1.TolerationOpExists
	switch {
	case equality.Semantic.DeepEqual(wide, t):
		return true
	case t.Key != wide.Key && (wide.Key != "" || !exists), t.Effect != wide.Effect && wide.Effect != "":
		return false
	}
	if seconds := wide.TolerationSeconds; wide.Effect == corev1.TaintEffectNoExecute && seconds != nil &&
		(t.TolerationSeconds == nil || *t.TolerationSeconds > *seconds) {
		return false
	}
	equal := wide.Operator == corev1.TolerationOpEqual || wide.Operator == ""
	return exists || equal && t.Operator == corev1.TolerationOpEqual && t.Value == wide.Value
}
