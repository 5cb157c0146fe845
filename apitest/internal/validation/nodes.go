package validation

import (
	"encoding/json"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// taintsAnnotation contained the taints of nodes before they had a field.
const taintsAnnotation = "scheduler.alpha.kubernetes.io/taints"

var nodeChecks = map[string]check{
	"old-annotations": of(func(n *corev1.Node, _ *field.Path) field.ErrorList {
		at := field.NewPath("metadata", "annotations")
		return append(annotatedTaints(n.Annotations[taintsAnnotation], at), annotatedAvoidance(n.Annotations[corev1.PreferAvoidPodsAnnotationKey], at)...)
	}),
	// A node may be created with a status. Its addresses are checked only later.
	"first-status": func(p place) field.ErrorList {
		n := pointerTo[corev1.Node](p.value)
		if p.old.IsValid() {
			return nil
		}
		status := n.Status.DeepCopy()
		status.Addresses = nil
		errs := p.visit(place{path: field.NewPath("status"), value: reflect.ValueOf(status)}, false)
		if swap := n.Status.NodeInfo.Swap; swap != nil && swap.Capacity != nil && *swap.Capacity <= 0 {
			errs = append(errs, field.Invalid(field.NewPath("metadata", "nodeSwapStatus", "capacity"), *swap.Capacity, "must be greater than zero"))
		}
		return errs
	},
}

func annotatedTaints(text string, at *field.Path) field.ErrorList {
	if text == "" {
		return nil
	}
	var list []corev1.Taint
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return field.ErrorList{field.Invalid(at, taintsAnnotation, err.Error())}
	}
	return taints(list, at.Child(taintsAnnotation))
}

// annotatedAvoidance checks the controllers whose pods a node prefers to avoid.
func annotatedAvoidance(text string, at *field.Path) field.ErrorList {
	if text == "" {
		return nil
	}
	var avoided corev1.AvoidPods
	if err := json.Unmarshal([]byte(text), &avoided); err != nil {
		return field.ErrorList{field.Invalid(at.Child("AvoidPods"), corev1.PreferAvoidPodsAnnotationKey, err.Error())}
	}
	var errs field.ErrorList
	for i, entry := range avoided.PreferAvoidPods {
		signature := at.Child(corev1.PreferAvoidPodsAnnotationKey).Index(i).Child("PodSignature")
		switch c := entry.PodSignature.PodController; {
		case c == nil:
			errs = append(errs, field.Required(signature, ""))
		case c.Controller == nil || !*c.Controller:
			errs = append(errs, field.Invalid(signature.Child("PodController", "Controller"), false, "must point to a controller"))
		}
	}
	return errs
}
