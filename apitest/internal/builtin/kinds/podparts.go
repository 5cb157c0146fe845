package kinds

import (
	"maps"
	"slices"

	"github.com/listwatch/listwatch/apitest/internal/validation"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/diff"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// EphemeralContainersRemain checks that ephemeral containers are only added to a pod, and not to a static one.
func EphemeralContainersRemain(now, was *corev1.Pod) field.ErrorList {
	if _, static := was.Annotations[corev1.MirrorPodAnnotationKey]; static {
		return field.ErrorList{field.Forbidden(field.NewPath(""), "static pods do not support ephemeral containers")}
	}
	path := field.NewPath("spec", "ephemeralContainers")
	var errs field.ErrorList
	for _, before := range was.Spec.EphemeralContainers {
		i := slices.IndexFunc(now.Spec.EphemeralContainers, func(c corev1.EphemeralContainer) bool { return c.Name == before.Name })
		switch {
		case i < 0:
			errs = append(errs, field.Forbidden(path, "existing ephemeral containers \""+before.Name+"\" may not be removed\n"))
		case !equality.Semantic.DeepEqual(before, now.Spec.EphemeralContainers[i]):
			errs = append(errs, field.Forbidden(path, "existing ephemeral containers \""+before.Name+"\" may not be changed\n"+
				diff.Diff(validation.Internal(before), validation.Internal(now.Spec.EphemeralContainers[i]))))
		}
	}
	return errs
}

// KeepResources sets the resources of a pod and of its containers to the requested ones; if the containers are others, was is
// set to all of the requested spec, which is invalid.
func KeepResources(now, was *corev1.PodSpec) {
	if !sameNames(now.Containers, was.Containers) || !sameNames(now.InitContainers, was.InitContainers) {
		*was = *now
		return
	}
	if now.Resources != nil {
		was.Resources = now.Resources
	}
	for i, c := range now.Containers {
		was.Containers[i].Resources, was.Containers[i].ResizePolicy = c.Resources, c.ResizePolicy
	}
	for i, c := range now.InitContainers {
		was.InitContainers[i].Resources, was.InitContainers[i].ResizePolicy = c.Resources, c.ResizePolicy
	}
	defaultResources(was)
}

func sameNames(a, b []corev1.Container) bool {
	return slices.EqualFunc(a, b, func(a, b corev1.Container) bool { return a.Name == b.Name })
}

const onlyAmounts = "only cpu and memory resources are mutable"

// ValidateResize checks that the resources of a pod change as far as its quality of service remains.
func ValidateResize(now, was *corev1.Pod) field.ErrorList {
	if _, static := was.Annotations[corev1.MirrorPodAnnotationKey]; static {
		return field.ErrorList{field.Forbidden(field.NewPath(""), "static pods cannot be resized")}
	}
	if now.Spec.OS != nil && now.Spec.OS.Name == corev1.Windows {
		return field.ErrorList{field.Forbidden(field.NewPath(""), "windows pods cannot be resized")}
	}
	path := field.NewPath("spec")
	var errs field.ErrorList
	if before := qualityOf(was); qualityOf(now) != before {
		errs = append(errs, field.Invalid(path, before, "Pod QOS Class may not change as a result of resizing"))
	}
	expected := was.Spec.DeepCopy()
	errs = append(errs, resizePod(&now.Spec, expected, path)...)
	for _, c := range []struct {
		name     string
		now, was []corev1.Container
	}{{"containers", now.Spec.Containers, expected.Containers}, {"initContainers", now.Spec.InitContainers, expected.InitContainers}} {
		list := path.Child(c.name)
		if len(c.now) != len(c.was) {
			return append(errs, field.Forbidden(list, c.name+" may not be added or removed on resize"))
		}
		for i, n := range c.now {
			at, o := list.Index(i), &c.was[i]
			if n.Name != o.Name {
				return append(errs, field.Forbidden(at.Child("name"), c.name+" may not be renamed or reordered on resize"))
			}
			if removed(n.Resources.Requests, o.Resources.Requests) {
				errs = append(errs, field.Forbidden(at.Child("resources", "requests"), "resource requests cannot be removed"))
			}
			if removed(n.Resources.Limits, o.Resources.Limits) {
				errs = append(errs, field.Forbidden(at.Child("resources", "limits"), "resource limits cannot be removed"))
			}
			o.Resources.Requests = resized(n.Resources.Requests, o.Resources.Requests)
			o.Resources.Limits = resized(n.Resources.Limits, o.Resources.Limits)
			switch {
			case equality.Semantic.DeepEqual(&n, o):
			case c.name == "initContainers":
				errs = append(errs, field.Forbidden(at, "only cpu and memory resources for init or sidecar containers are mutable"))
			default:
				errs = append(errs, field.Forbidden(path, onlyAmounts))
			}
		}
	}
	if len(errs) == 0 && !equality.Semantic.DeepEqual(&now.Spec, expected) {
		errs = append(errs, field.Forbidden(path, onlyAmounts))
	}
	return errs
}

// resizePod sets the resources of a pod itself in expected to the new amounts, as far as they may change.
func resizePod(now, expected *corev1.PodSpec, path *field.Path) field.ErrorList {
	if now.Resources == nil {
		return nil
	}
	was, at := corev1.ResourceRequirements{}, path.Child("resources")
	if expected.Resources != nil {
		was = *expected.Resources
	}
	var errs field.ErrorList
	if removed(now.Resources.Requests, was.Requests) {
		errs = append(errs, field.Forbidden(at.Child("requests"), "pod-level resource requests cannot be removed"))
	}
	if removed(now.Resources.Limits, was.Limits) {
		errs = append(errs, field.Forbidden(at.Child("limits"), "pod-level resource limits cannot be removed"))
	}
	was.Requests, was.Limits = resized(now.Resources.Requests, was.Requests), resized(now.Resources.Limits, was.Limits)
	if !equality.Semantic.DeepEqual(now.Resources, &was) {
		errs = append(errs, field.Forbidden(path, "only cpu and memory resources are mutable at pod-level"))
	}
	expected.Resources = now.Resources
	return errs
}

var resizable = []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory}

// removed reports whether an amount that can be changed is missing.
func removed(now, was corev1.ResourceList) bool {
	return slices.ContainsFunc(resizable, func(name corev1.ResourceName) bool {
		_, is := now[name]
		_, had := was[name]
		return had && !is
	})
}

// resized returns the former amounts with the new ones of the resources that can be changed.
func resized(now, was corev1.ResourceList) corev1.ResourceList {
	out := maps.Clone(was)
	if out == nil {
		out = corev1.ResourceList{}
	}
	for _, name := range resizable {
		delete(out, name)
		if q, ok := now[name]; ok {
			out[name] = q
		}
	}
	return out
}
