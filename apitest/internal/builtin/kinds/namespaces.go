package kinds

import (
	"context"
	"slices"

	"github.com/listwatch/listwatch/apitest/internal/builtin/defaults"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/registry/generic/registry"
)

func namespaceRules(r *Rules) {
	r.ValidName = validation.ValidateNamespaceName
	r.PrepareCreate = func(obj runtime.Object) {
		ns := obj.(*corev1.Namespace)
		ns.Status.Phase = corev1.NamespaceActive
		if !slices.Contains(ns.Spec.Finalizers, corev1.FinalizerKubernetes) {
			ns.Spec.Finalizers = append(ns.Spec.Finalizers, corev1.FinalizerKubernetes)
		}
	}
	r.PrepareUpdate = func(obj, old runtime.Object) {
		obj.(*corev1.Namespace).Spec.Finalizers = old.(*corev1.Namespace).Spec.Finalizers
	}
	r.Canonicalize = func(obj runtime.Object) { defaults.LabelNamespace(obj.(*corev1.Namespace)) }
	r.Fields = func(obj runtime.Object, set fields.Set) {
		ns := obj.(*corev1.Namespace)
		set["status.phase"] = string(ns.Status.Phase)
		set["name"] = ns.Name
	}
	r.DeleteDuringUpdate = func(ctx context.Context, key string, obj, existing runtime.Object) bool {
		return len(obj.(*corev1.Namespace).Spec.Finalizers) == 0 && registry.ShouldDeleteDuringUpdate(ctx, key, obj, existing)
	}
}
