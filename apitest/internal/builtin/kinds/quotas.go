package kinds

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// warnQuota warns of a new quota that allows larger requests than limits, which would be unusable.
func warnQuota(obj, old runtime.Object) []string {
	if old != nil {
		return nil
	}
	hard := obj.(*corev1.ResourceQuota).Spec.Hard
	var out []string
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceStorage, corev1.ResourceEphemeralStorage} {
		requests, limits := "requests."+name, "limits."+name
		if _, ok := hard[requests]; !ok && (name == corev1.ResourceCPU || name == corev1.ResourceMemory) {
			requests = name
		}
		request, requested := hard[requests]
		limit, limited := hard[limits]
		if requested && limited && request.Cmp(limit) > 0 {
			out = append(out, fmt.Sprintf("ResourceQuota %s (%s) should be less than %s (%s)", requests, request.String(), limits, limit.String()))
		}
	}
	return out
}
