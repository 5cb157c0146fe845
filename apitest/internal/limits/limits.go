// Package limits applies LimitRanges to pods and claims: their defaults, and their bounds.
//
// Texts of errors are the real server's.
package limits

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
)

// annotation of a pod describes the defaults that it got.
const annotation = "kubernetes.io/limit-ranger"

// Default gives the containers of a new pod the requests and limits that they lack.
func Default(pod *corev1.Pod, ranges []corev1.LimitRange) {
	for i := range ranges {
		requests, limits := corev1.ResourceList{}, corev1.ResourceList{}
		for _, item := range ranges[i].Spec.Limits {
			if item.Type == corev1.LimitTypeContainer {
				maps.Copy(requests, item.DefaultRequest)
				maps.Copy(limits, item.Default)
			}
		}
		var notes []string
		for j := range pod.Spec.Containers {
			notes = append(notes, complete(&pod.Spec.Containers[j], "container", requests, limits)...)
		}
		for j := range pod.Spec.InitContainers {
			notes = append(notes, complete(&pod.Spec.InitContainers[j], "init container", requests, limits)...)
		}
		if len(notes) == 0 {
			continue
		}
		if pod.Annotations == nil {
			pod.Annotations = map[string]string{}
		}
		pod.Annotations[annotation] = "LimitRanger plugin set: " + strings.Join(notes, "; ")
	}
}

// complete completes the resources of a container, and describes what it adds.
func complete(c *corev1.Container, what string, requests, limits corev1.ResourceList) []string {
	var notes []string
	for _, part := range []struct {
		name  string
		field *corev1.ResourceList
		from  corev1.ResourceList
	}{
		{"request", &c.Resources.Requests, requests},
		{"limit", &c.Resources.Limits, limits},
	} {
		var added []string
		for name, quantity := range part.from {
			if _, ok := (*part.field)[name]; ok {
				continue
			}
			if *part.field == nil {
				*part.field = corev1.ResourceList{}
			}
			(*part.field)[name] = quantity.DeepCopy()
			added = append(added, string(name))
		}
		if len(added) > 0 {
			slices.Sort(added)
			notes = append(notes, fmt.Sprintf("%s %s for %s %s", strings.Join(added, ", "), part.name, what, c.Name))
		}
	}
	return notes
}

// CheckPod returns an error that lists all bounds of a LimitRange that a pod does not keep.
func CheckPod(pod *corev1.Pod, r *corev1.LimitRange) error {
	var errs []error
	for _, item := range r.Spec.Limits {
		switch item.Type {
		case corev1.LimitTypeContainer:
			for _, c := range slices.Concat(pod.Spec.Containers, pod.Spec.InitContainers) {
				errs = append(errs, check(item, c.Resources.Requests, c.Resources.Limits)...)
			}
		case corev1.LimitTypePod:
			errs = append(errs, check(item, Requests(pod), Limits(pod))...)
		}
	}
	return utilerrors.NewAggregate(errs)
}

// CheckClaim is CheckPod for a claim.
func CheckClaim(claim *corev1.PersistentVolumeClaim, r *corev1.LimitRange) error {
	var errs []error
	requests := claim.Spec.Resources.Requests
	for _, item := range r.Spec.Limits {
		if item.Type != corev1.LimitTypePersistentVolumeClaim {
			continue
		}
		b := bounds{item.Type, requests, nil}
		for _, name := range names(item.Min) {
			errs = append(errs, b.atLeast(name, item.Min[name]))
		}
		for _, name := range names(item.Max) {
			errs = append(errs, b.requestAtMost(name, item.Max[name]))
		}
	}
	return utilerrors.NewAggregate(errs)
}

func names(list corev1.ResourceList) []corev1.ResourceName {
	return slices.Sorted(maps.Keys(list))
}

func check(item corev1.LimitRangeItem, requests, limits corev1.ResourceList) []error {
	b := bounds{item.Type, requests, limits}
	var errs []error
	for _, name := range names(item.Min) {
		errs = append(errs, b.atLeast(name, item.Min[name]))
	}
	for _, name := range names(item.Max) {
		errs = append(errs, b.atMost(name, item.Max[name]))
	}
	for _, name := range names(item.MaxLimitRequestRatio) {
		errs = append(errs, b.ratio(name, item.MaxLimitRequestRatio[name]))
	}
	return errs
}

// bounds checks requests and limits of something, against bounds of a type.
type bounds struct {
	of               corev1.LimitType
	requests, limits corev1.ResourceList
}

func (b bounds) atLeast(name corev1.ResourceName, bound resource.Quantity) error {
	const text = "minimum %s usage per %s is %s"
	request, requested := b.requests[name]
	limit, limited := b.limits[name]
	switch {
	case !requested:
		return fmt.Errorf(text+".  No request is specified", name, b.of, bound.String())
	case request.Cmp(bound) < 0:
		return fmt.Errorf(text+", but request is %s", name, b.of, bound.String(), request.String())
	case limited && limit.Cmp(bound) < 0:
		return fmt.Errorf(text+", but limit is %s", name, b.of, bound.String(), limit.String())
	}
	return nil
}

const mostText = "maximum %s usage per %s is %s"

func (b bounds) atMost(name corev1.ResourceName, bound resource.Quantity) error {
	limit, limited := b.limits[name]
	switch {
	case !limited:
		return fmt.Errorf(mostText+".  No limit is specified", name, b.of, bound.String())
	case limit.Cmp(bound) > 0:
		return fmt.Errorf(mostText+", but limit is %s", name, b.of, bound.String(), limit.String())
	}
	if _, ok := b.requests[name]; !ok {
		return nil
	}
	return b.requestAtMost(name, bound)
}

func (b bounds) requestAtMost(name corev1.ResourceName, bound resource.Quantity) error {
	request, requested := b.requests[name]
	switch {
	case !requested:
		return fmt.Errorf(mostText+".  No request is specified", name, b.of, bound.String())
	case request.Cmp(bound) > 0:
		return fmt.Errorf(mostText+", but request is %s", name, b.of, bound.String(), request.String())
	}
	return nil
}

func (b bounds) ratio(name corev1.ResourceName, bound resource.Quantity) error {
	const text = "%s max limit to request ratio per %s is %s"
	request, limit := b.requests[name], b.limits[name]
	switch {
	case request.IsZero():
		return fmt.Errorf(text+", but no request is specified or request is 0", name, b.of, bound.String())
	case limit.IsZero():
		return fmt.Errorf(text+", but no limit is specified or limit is 0", name, b.of, bound.String())
	}
	if ratio := limit.AsApproximateFloat64() / request.AsApproximateFloat64(); ratio > bound.AsApproximateFloat64() {
		return fmt.Errorf(text+", but provided ratio is %f", name, b.of, bound.String(), ratio)
	}
	return nil
}
