package validation

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	helpers "k8s.io/component-helpers/resource"
)

var resourceChecks = map[string]check{
	"container-resources": of(func(r *corev1.ResourceRequirements, at *field.Path) field.ErrorList {
		return requirements(r, containerResource, at)
	}),
	"pod-resources": of(podResources),
	"one-claim": of(func(c *corev1.PodResourceClaim, at *field.Path) field.ErrorList {
		switch claim, template := c.ResourceClaimName != nil, c.ResourceClaimTemplateName != nil; {
		case claim && template:
			return field.ErrorList{field.Invalid(at, internal{*c}, "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified")}
		case !claim && !template:
			return field.ErrorList{field.Invalid(at, internal{*c}, "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`")}
		}
		return nil
	}),
	"overhead": of(func(list *corev1.ResourceList, at *field.Path) field.ErrorList {
		return requirements(&corev1.ResourceRequirements{Limits: *list}, containerResource, at)
	}),
	"claims": of(resourceClaims),
	"only-labels": of(func(m *metav1.ObjectMeta, at *field.Path) field.ErrorList {
		errs := append(validation.ValidateAnnotations(m.Annotations, at.Child("annotations")), metavalidation.ValidateLabels(m.Labels, at.Child("labels"))...)
		value := reflect.ValueOf(*m)
		for i := range value.NumField() {
			name := value.Type().Field(i).Name
			if name != "Annotations" && name != "Labels" && !value.Field(i).IsZero() {
				errs = append(errs, field.Forbidden(at.Child(strings.ToLower(name[:1])+name[1:]), "cannot be set"))
			}
		}
		return errs
	}),
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
		errs = append(errs, wholePages(name, r.Limits[name], limits.Key(string(name)))...)
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
		errs = append(errs, wholePages(name, amount, requests.Key(string(name)))...)
	}
	all := slices.Concat(names(r.Limits), names(r.Requests))
	if slices.ContainsFunc(all, isHugePages) && !slices.Contains(all, corev1.ResourceCPU) && !slices.Contains(all, corev1.ResourceMemory) {
		errs = append(errs, field.Forbidden(at, "HugePages require cpu or memory"))
	}
	return errs
}

// wholePages checks that an amount of huge pages is a multiple of their size, which their name has.
func wholePages(name corev1.ResourceName, q resource.Quantity, at *field.Path) field.ErrorList {
	size, ok := strings.CutPrefix(string(name), corev1.ResourceHugePagesPrefix)
	if !ok {
		return nil
	}
	page, err := resource.ParseQuantity(size)
	if err != nil || page.Sign() <= 0 || page.MilliValue()%1000 != 0 || q.Value()%page.Value() != 0 {
		return field.ErrorList{field.Invalid(at, q.String(), fmt.Sprintf("%s is not positive integer multiple of %s", q.String(), name))}
	}
	return nil
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
	if len(errs) == 0 && !helpers.IsSupportedPodLevelResource(name) {
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

// podResources checks the resources of a pod itself: its containers request and use no more.
func podResources(s *corev1.PodSpec, at *field.Path) field.ErrorList {
	r := s.Resources
	if r == nil {
		return nil
	}
	at = at.Child("resources")
	if s.OS != nil && s.OS.Name == corev1.Windows {
		return field.ErrorList{field.Forbidden(at, "may not be set for a windows pod")}
	}
	var errs field.ErrorList
	if r.Claims != nil {
		errs = append(errs, field.Forbidden(at.Child("claims"), "claims may not be set for Resources at pod-level"))
	}
	errs = append(errs, requirements(r, podResource, at)...)
	errs = append(errs, claimNames(r.Claims, knownClaims(s), at.Child("claims"))...)
	pod := &corev1.Pod{Spec: *s}
	requests := helpers.AggregateContainerRequests(pod, helpers.PodResourcesOptions{})
	for _, name := range names(requests) {
		own, ok := r.Requests[name]
		if sum := requests[name]; ok && sum.Cmp(own) > 0 {
			errs = append(errs, field.Invalid(at.Child("requests").Key(string(name)), own.String(),
				"must be greater than or equal to aggregate container requests of "+sum.String()))
		}
	}
	limits := helpers.AggregateContainerLimits(pod, helpers.PodResourcesOptions{})
	for _, name := range names(limits) {
		own, ok := r.Limits[name]
		if sum := limits[name]; ok && isHugePages(name) && sum.Cmp(own) > 0 {
			errs = append(errs, field.Invalid(at.Child("limits").Key(string(name)), own.String(),
				"must be greater than or equal to aggregate container limits of "+sum.String()))
		}
	}
	for i, c := range s.Containers {
		for _, name := range names(c.Resources.Limits) {
			own, ok := r.Limits[name]
			if limit := c.Resources.Limits[name]; ok && limit.Cmp(own) > 0 {
				errs = append(errs, field.Invalid(at.Child("containers").Index(i).Key(string(name)).Child("limits"), limit.String(),
					"must be less than or equal to pod limits of "+own.String()))
			}
		}
	}
	return errs
}

// knownClaims returns the names of a pod's claims in order.
func knownClaims(s *corev1.PodSpec) []string {
	known := make([]string, 0, len(s.ResourceClaims))
	for _, c := range s.ResourceClaims {
		known = append(known, c.Name)
	}
	slices.Sort(known)
	return known
}

// resourceClaims checks that containers name claims of the pod, and each once.
func resourceClaims(s *corev1.PodSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	known := knownClaims(s)
	for i, c := range s.Containers {
		errs = append(errs, claimNames(c.Resources.Claims, known, at.Child("containers").Index(i).Child("resources", "claims"))...)
	}
	for i, c := range s.InitContainers {
		errs = append(errs, claimNames(c.Resources.Claims, known, at.Child("initContainers").Index(i).Child("resources", "claims"))...)
	}
	return errs
}

// claimNames checks the claims of a container: each is a claim of the pod, or one request in it.
func claimNames(claims []corev1.ResourceClaim, known []string, list *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, claim := range claims {
		at := list.Index(i)
		if claim.Name == "" {
			errs = append(errs, field.Required(at, ""))
			continue
		}
		errs = append(errs, claimedBefore(claims[:i], claim, at)...)
		if slices.Contains(known, claim.Name) {
			continue
		}
		err := field.NotFound(at, claim.Name)
		err.Detail = "must be one of the names in pod.spec.resourceClaims"
		if len(known) == 0 {
			err.Detail += " which is empty"
		} else {
			err.Detail += ": " + strings.Join(known, ", ")
		}
		errs = append(errs, err)
	}
	return errs
}

// claimedBefore checks that a claim, or the request in it, does not follow the same, the whole claim does not follow a
// request in it, nor the reverse.
func claimedBefore(before []corev1.ResourceClaim, claim corev1.ResourceClaim, at *field.Path) field.ErrorList {
	if slices.Contains(before, corev1.ResourceClaim{Name: claim.Name}) {
		return field.ErrorList{field.Duplicate(at, claim.Name)}
	}
	if claim.Request == "" {
		var errs field.ErrorList
		seen := map[string]bool{}
		for _, b := range before {
			if b.Name == claim.Name && !seen[b.Request] {
				seen[b.Request] = true
				errs = append(errs, field.Duplicate(at, claim.Name))
			}
		}
		return errs
	}
	errs := dnsLabel(claim.Request, at.Child("request"))
	if slices.Contains(before, claim) {
		errs = append(errs, field.Duplicate(at, claim.Name+"/"+claim.Request))
	}
	return errs
}
