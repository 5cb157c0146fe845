package builtin

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// A defaulter fills in what the scheme does, and the defaults of Kubernetes' own kinds.
type defaulter struct{ *runtime.Scheme }

// Default implements runtime.ObjectDefaulter.
func (d defaulter) Default(obj runtime.Object) {
	d.Scheme.Default(obj)
	if ns, ok := obj.(*corev1.Namespace); ok {
		labelNamespace(ns)
	}
}
