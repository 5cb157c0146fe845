package strategy

import (
	"context"

	"github.com/listwatch/listwatch/apitest/internal/builtin/kinds"
	checks "github.com/listwatch/listwatch/apitest/internal/validation"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// PodPart is the strategy for a part of a pod's spec: only that part changes.
type PodPart struct {
	*Strategy
	keep   func(now, was *corev1.PodSpec)             // sets was to the requested spec
	verify func(now, was *corev1.Pod) field.ErrorList // besides what all pods have
}

// EphemeralContainers allows containers to be added to a running pod.
func (s *Strategy) EphemeralContainers() PodPart {
	return PodPart{
		Strategy: s,
		keep:     func(now, was *corev1.PodSpec) { was.EphemeralContainers = now.EphemeralContainers },
		verify:   kinds.EphemeralContainersRemain,
	}
}

// Resize allows the resources of a pod and of its containers to be changed.
func (s *Strategy) Resize() PodPart {
	return PodPart{Strategy: s, keep: kinds.KeepResources, verify: kinds.ValidateResize}
}

// PrepareForUpdate implements rest.RESTUpdateStrategy.
func (s PodPart) PrepareForUpdate(_ context.Context, obj, old runtime.Object) {
	p, o := obj.(*corev1.Pod), old.(*corev1.Pod)
	spec := o.Spec.DeepCopy()
	s.keep(&p.Spec, spec)
	p.Spec, p.Status = *spec, o.Status
	metav1.ResetObjectMetaForStatus(&p.ObjectMeta, &o.ObjectMeta)
	if !equality.Semantic.DeepEqual(p.Spec, o.Spec) {
		p.Generation++
	}
}

// ValidateUpdate implements rest.RESTUpdateStrategy.
func (s PodPart) ValidateUpdate(_ context.Context, obj, old runtime.Object) field.ErrorList {
	return append(checks.Update(obj, old), s.verify(obj.(*corev1.Pod), old.(*corev1.Pod))...)
}
