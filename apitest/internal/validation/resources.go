package validation

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validation"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var resourceChecks = map[string]check{
	"container-resources": of(func(r *corev1.ResourceRequirements, at *field.Path) field.ErrorList {
		return requirements(r, containerResource, at)
	}),
	"pod-resources": of(func(r *corev1.ResourceRequirements, at *field.Path) field.ErrorList {
		return requirements(r, podResource, at)
	}),
	"overhead": of(func(list *corev1.ResourceList, at *field.Path) field.ErrorList {
		return requirements(&corev1.ResourceRequirements{Limits: *list}, containerResource, at)
	}),
	"claims": of(resourceClaims),
}

// names returns the names of resources in order.
func names(list corev1.ResourceList) []corev1.ResourceName {
	out := make([]corev1.ResourceName, 0, len(list))
	for name := range list {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// requirements checks the limits and requests of a container or pod.
func requirements(r *corev1.ResourceRequirements, isValid func(corev1.ResourceName, *field.Path) field.ErrorList, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	limits, requests := at.Child("limits"), at.Child("requests")
	for _, name := range names(r.Limits) {
		errs = append(errs, isValid(name, limits.Key(string(name)))...)
		errs = append(errs, amountOf(name, r.Limits[name], limits.Key(string(name)))...)
	}
	for _, name := range names(r.Requests) {
		amount := r.Requests[name]
		errs = append(errs, isValid(name, requests.Key(string(name)))...)
		errs = append(errs, amountOf(name, amount, requests.Key(string(name)))...)
		limit, limited := r.Limits[name]
		switch {
		case !limited && !overcommitted(name):
			errs = append(errs, field.Required(limits, "Limit must be set for non overcommitable resources"))
		case limited && amount.Cmp(limit) != 0 && !overcommitted(name):
			errs = append(errs, field.Invalid(requests, amount.String(), fmt.Sprintf("must be equal to %s limit of %s", name, limit.String())))
		case limited && amount.Cmp(limit) > 0:
			errs = append(errs, field.Invalid(requests, amount.String(), fmt.Sprintf("must be less than or equal to %s limit of %s", name, limit.String())))
		}
	}
	all := slices.Concat(names(r.Limits), names(r.Requests))
	if slices.ContainsFunc(all, isHugePages) && !slices.Contains(all, corev1.ResourceCPU) && !slices.Contains(all, corev1.ResourceMemory) {
		errs = append(errs, field.Forbidden(at, "HugePages require cpu or memory"))
	}
	return errs
}

// amountOf checks an amount of a resource.
func amountOf(name corev1.ResourceName, q resource.Quantity, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if q.Sign() < 0 {
		errs = append(errs, field.Invalid(at, q.String(), validation.IsNegativeErrorMsg))
	}
	if isCounted(name) && q.MilliValue()%1000 != 0 {
		errs = append(errs, field.Invalid(at, q, "must be an integer"))
	}
	return errs
}

// resourceName checks a name of a resource.
func resourceName(name corev1.ResourceName, at *field.Path) field.ErrorList {
	errs := invalid(at, name, utilvalidation.IsQualifiedName(string(name)))
	if len(errs) == 0 && !strings.Contains(string(name), "/") && !isStandard(name) {
		errs = append(errs, field.Invalid(at, name, "must be a standard resource type or fully qualified"))
	}
	return errs
}

func containerResource(name corev1.ResourceName, at *field.Path) field.ErrorList {
	errs := resourceName(name, at)
	switch {
	case !strings.Contains(string(name), "/"):
		if !isContainerResource(name) {
			errs = append(errs, field.Invalid(at, name, "must be a standard resource for containers"))
		}
	case !isNative(name) && !isExtended(name):
		errs = append(errs, field.Invalid(at, name, "doesn't follow extended resource name standard"))
	}
	return errs
}

func podResource(name corev1.ResourceName, at *field.Path) field.ErrorList {
	errs := resourceName(name, at)
	if name != corev1.ResourceCPU && name != corev1.ResourceMemory && !isHugePages(name) {
		errs = append(errs, field.NotSupported(at, name, []string{"cpu", "hugepages-", "memory"}))
	}
	return errs
}

func isContainerResource(name corev1.ResourceName) bool {
	return name == corev1.ResourceCPU || name == corev1.ResourceMemory || name == corev1.ResourceEphemeralStorage || isHugePages(name)
}

func isHugePages(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}

func isNative(name corev1.ResourceName) bool {
	return !strings.Contains(string(name), "/") || strings.Contains(string(name), corev1.ResourceDefaultNamespacePrefix)
}

// isExtended reports whether a name is one of a device plugin.
func isExtended(name corev1.ResourceName) bool {
	return !isNative(name) && !strings.HasPrefix(string(name), corev1.DefaultResourceRequestsPrefix) &&
		len(utilvalidation.IsQualifiedName(corev1.DefaultResourceRequestsPrefix+string(name))) == 0
}

func overcommitted(name corev1.ResourceName) bool { return isNative(name) && !isHugePages(name) }

// counted are the resources of which there is a number.
var counted = []corev1.ResourceName{
	corev1.ResourcePods, corev1.ResourceQuotas, corev1.ResourceServices, corev1.ResourceReplicationControllers, corev1.ResourceSecrets,
	corev1.ResourceConfigMaps, corev1.ResourcePersistentVolumeClaims, corev1.ResourceServicesNodePorts, corev1.ResourceServicesLoadBalancers,
}

// measured are those of which there is an amount.
var measured = []corev1.ResourceName{
	corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage, corev1.ResourceStorage, corev1.ResourceRequestsStorage,
	corev1.ResourceRequestsCPU, corev1.ResourceRequestsMemory, corev1.ResourceRequestsEphemeralStorage,
	corev1.ResourceLimitsCPU, corev1.ResourceLimitsMemory, corev1.ResourceLimitsEphemeralStorage,
}

func isCounted(name corev1.ResourceName) bool {
	return slices.Contains(counted, name) || isExtended(name)
}

func isStandard(name corev1.ResourceName) bool {
	return slices.Contains(counted, name) || slices.Contains(measured, name) || isHugePages(name) ||
		strings.HasPrefix(string(name), corev1.ResourceRequestsHugePagesPrefix)
}

// resourceClaims checks that containers name claims of the pod.
func resourceClaims(s *corev1.PodSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	known := make([]string, 0, len(s.ResourceClaims))
	for _, c := range s.ResourceClaims {
		known = append(known, c.Name)
	}
	for i, c := range s.Containers {
		for j, claim := range c.Resources.Claims {
			if slices.Contains(known, claim.Name) {
				continue
			}
			err := field.NotFound(at.Child("containers").Index(i).Child("resources", "claims").Index(j), claim.Name)
			err.Detail = "must be one of the names in pod.spec.resourceClaims"
			if len(known) == 0 {
				err.Detail += " which is empty"
			} else {
				err.Detail += ": " + strings.Join(known, ", ")
			}
			errs = append(errs, err)
		}
	}
	return errs
}
