package strategy

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// finalizeStrategy is the strategy for a namespace's finalizers: everything except the status can
// change.
type finalizeStrategy struct{ *Strategy }

// PrepareForUpdate implements rest.RESTUpdateStrategy.
func (finalizeStrategy) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	obj.(*corev1.Namespace).Status = old.(*corev1.Namespace).Status
}
