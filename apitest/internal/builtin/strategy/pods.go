package strategy

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// PodPart is the strategy for a part of a pod's spec: only that part changes.
type PodPart struct {
	*Strategy
	keep   func(now, was *corev1.PodSpec) // sets was to the requested spec
	Only   []*fieldpath.SetMatcher        // the fields that belong to the part
	verify func(now, was *corev1.PodSpec) field.ErrorList
}

// EphemeralContainers allows containers to be added to a running pod.
func (s *Strategy) EphemeralContainers() PodPart {
	return PodPart{
		Strategy: s,
		Only:     []*fieldpath.SetMatcher{fieldpath.MakePrefixMatcherOrDie("spec", "ephemeralContainers")},
		keep:     func(now, was *corev1.PodSpec) { was.EphemeralContainers = now.EphemeralContainers },
		verify: func(now, was *corev1.PodSpec) field.ErrorList {
			path := field.NewPath("spec", "ephemeralContainers")
			var errs field.ErrorList
			byName := map[string]*corev1.EphemeralContainer{}
			for i := range now.EphemeralContainers {
				c := &now.EphemeralContainers[i]
				if c.Name == "" {
					errs = append(errs, field.Required(path.Index(i).Child("name"), ""))
				}
				if c.Image == "" {
					errs = append(errs, field.Required(path.Index(i).Child("image"), ""))
				}
				byName[c.Name] = c
			}
			for i := range was.EphemeralContainers {
				c := &was.EphemeralContainers[i]
				if n, ok := byName[c.Name]; !ok {
					errs = append(errs, field.Forbidden(path, "existing ephemeral containers \""+c.Name+"\" may not be removed\n"))
				} else if !equality.Semantic.DeepEqual(n, c) {
					errs = append(errs, field.Forbidden(path, "existing ephemeral containers \""+c.Name+"\" may not be changed\n"))
				}
			}
			return errs
		},
	}
}

// Resize allows the resources of a pod's containers to be changed.
func (s *Strategy) Resize() PodPart {
	matchers := []*fieldpath.SetMatcher{}
	for _, list := range []string{"containers", "initContainers"} {
		for _, name := range []string{"resources", "resizePolicy"} {
			matchers = append(matchers, fieldpath.MakePrefixMatcherOrDie("spec", list, fieldpath.MatchAnyPathElement(), name))
		}
	}
	return PodPart{
		Strategy: s,
		Only:     matchers,
		keep: func(now, was *corev1.PodSpec) {
			if len(now.Containers) != len(was.Containers) || len(now.InitContainers) != len(was.InitContainers) {
				return
			}
			for i := range now.Containers {
				was.Containers[i].Resources = now.Containers[i].Resources
				was.Containers[i].ResizePolicy = now.Containers[i].ResizePolicy
			}
			for i := range now.InitContainers {
				was.InitContainers[i].Resources = now.InitContainers[i].Resources
				was.InitContainers[i].ResizePolicy = now.InitContainers[i].ResizePolicy
			}
		},
	}
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
	if s.verify == nil {
		return nil
	}
	return s.verify(&obj.(*corev1.Pod).Spec, &old.(*corev1.Pod).Spec)
}
