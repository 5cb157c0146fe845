package kinds

import (
	"slices"
	"strings"

	"github.com/listwatch/listwatch/apitest/internal/validation"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	helpers "k8s.io/component-helpers/resource"
)

// defaultResources completes the resources of a pod itself, if there are some, from those of its containers: huge pages are
// limited to what the containers may use, requests are those of the containers, or the limits, and a resource that all
// containers limit is limited to the sum.
func defaultResources(s *corev1.PodSpec) {
	r := s.Resources
	if r == nil || len(r.Requests)+len(r.Limits) == 0 {
		return
	}
	of := &corev1.Pod{Spec: corev1.PodSpec{Containers: s.Containers, InitContainers: s.InitContainers}}
	requests := helpers.AggregateContainerRequests(of, helpers.PodResourcesOptions{})
	limits := helpers.AggregateContainerLimits(of, helpers.PodResourcesOptions{})
	for name, q := range limits {
		if _, requested := r.Requests[name]; isHugePages(name) && !requested {
			fillAmount(&r.Limits, name, q)
		}
	}
	for name, q := range requests {
		if helpers.IsSupportedPodLevelResource(name) && !isHugePages(name) {
			fillAmount(&r.Requests, name, q)
		}
	}
	for name, q := range r.Limits {
		if helpers.IsSupportedPodLevelResource(name) {
			fillAmount(&r.Requests, name, q)
		}
	}
	for name, request := range r.Requests {
		if !helpers.IsSupportedPodLevelResource(name) || slices.ContainsFunc(slices.Concat(s.InitContainers, s.Containers, validation.AsContainers(s.EphemeralContainers)), func(c corev1.Container) bool {
			_, limited := c.Resources.Limits[name]
			return !limited
		}) {
			continue
		}
		if limit, ok := limits[name]; ok {
			if request.Cmp(limit) > 0 {
				limit = request
			}
			fillAmount(&r.Limits, name, limit)
		}
	}
}

func isHugePages(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}

// fillAmount sets an amount that is missing.
func fillAmount(list *corev1.ResourceList, name corev1.ResourceName, q resource.Quantity) {
	if _, ok := (*list)[name]; ok {
		return
	}
	if *list == nil {
		*list = corev1.ResourceList{}
	}
	(*list)[name] = q.DeepCopy()
}

// qualityOf returns the quality of service class of a pod: that of its own resources, if there are some, or of its
// containers'.
func qualityOf(p *corev1.Pod) corev1.PodQOSClass {
	if helpers.IsPodLevelResourcesSet(p) {
		return qualityOfAll(*p.Spec.Resources)
	}
	var all []corev1.ResourceRequirements
	for _, c := range slices.Concat(p.Spec.InitContainers, p.Spec.Containers) {
		all = append(all, c.Resources)
	}
	return qualityOfAll(all...)
}

func qualityOfAll(list ...corev1.ResourceRequirements) corev1.PodQOSClass {
	some, all := false, true
	for _, r := range list {
		for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
			request, limit := r.Requests[name], r.Limits[name]
			some = some || !request.IsZero() || !limit.IsZero()
			all = all && !limit.IsZero() && limit.Equal(request)
		}
	}
	switch {
	case !some:
		return corev1.PodQOSBestEffort
	case all:
		return corev1.PodQOSGuaranteed
	}
	return corev1.PodQOSBurstable
}
