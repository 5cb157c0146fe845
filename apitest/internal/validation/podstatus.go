package validation

import (
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var podStatusChecks = map[string]check{"pod-status": changed(podStatus)}

const notNegativeInteger = "must be a non-negative integer"

// podStatus checks the status of a pod, and that it fits the spec and the former status.
func podStatus(p, was *corev1.Pod, _ *field.Path) field.ErrorList {
	at := field.NewPath("status")
	s := &p.Status
	var errs field.ErrorList
	for i, c := range s.Conditions {
		condition := at.Child("conditions").Index(i)
		errs = append(errs, invalid(condition.Child("Type"), c.Type, utilvalidation.IsQualifiedName(string(c.Type)))...)
		if c.ObservedGeneration < 0 {
			errs = append(errs, field.Invalid(condition.Child("observedGeneration"), c.ObservedGeneration, notNegativeInteger))
		}
	}
	if s.ObservedGeneration < 0 {
		errs = append(errs, field.Invalid(at.Child("observedGeneration"), s.ObservedGeneration, notNegativeInteger))
	}
	if s.NominatedNodeName != "" && s.NominatedNodeName != was.Status.NominatedNodeName {
		errs = append(errs, invalid(at.Child("nominatedNodeName"), s.NominatedNodeName, utilvalidation.IsDNS1123Subdomain(s.NominatedNodeName))...)
		if was.Spec.NodeName != "" {
			errs = append(errs, field.Forbidden(at.Child("nominatedNodeName"), "may not be set on pods that are already bound to a node"))
		}
	}
	if s.QOSClass != was.Status.QOSClass {
		errs = append(errs, field.Invalid(at.Child("qosClass"), s.QOSClass, validation.FieldImmutableErrorMsg))
	}
	for i, c := range s.ResourceClaimStatuses {
		if !slices.ContainsFunc(p.Spec.ResourceClaims, func(claim corev1.PodResourceClaim) bool { return claim.Name == c.Name }) {
			errs = append(errs, field.Invalid(at.Child("resourceClaimStatuses").Index(i).Child("name"), c.Name,
				"must match the name of an entry in `spec.resourceClaims`"))
		}
	}
	errs = append(errs, extendedClaim(s.ExtendedResourceClaimStatus, &p.Spec, at.Child("extendedResourceClaimStatus"))...)
	errs = append(errs, endedContainers(s.ContainerStatuses, was.Status.ContainerStatuses, p.Spec.Containers, p.Spec.RestartPolicy, at.Child("containerStatuses"))...)
	errs = append(errs, endedContainers(s.InitContainerStatuses, was.Status.InitContainerStatuses, p.Spec.InitContainers, p.Spec.RestartPolicy, at.Child("initContainerStatuses"))...)
	errs = append(errs, containerUsers(s.ContainerStatuses, p.Spec.OS, at.Child("containerStatuses"))...)
	errs = append(errs, containerUsers(s.InitContainerStatuses, p.Spec.OS, at.Child("initContainerStatuses"))...)
	errs = append(errs, containerUsers(s.EphemeralContainerStatuses, p.Spec.OS, at.Child("ephemeralContainerStatuses"))...)
	errs = append(errs, deviceHealth(s.ContainerStatuses, p.Spec.Containers, s.ExtendedResourceClaimStatus, at.Child("containerStatuses"))...)
	errs = append(errs, deviceHealth(s.InitContainerStatuses, p.Spec.InitContainers, s.ExtendedResourceClaimStatus, at.Child("initContainerStatuses"))...)
	for i, c := range s.EphemeralContainerStatuses {
		if len(c.AllocatedResourcesStatus) > 0 {
			errs = append(errs, field.Forbidden(at.Child("ephemeralContainerStatuses").Index(i).Child("allocatedResourcesStatus"), "must not be specified in container status"))
		}
	}
	return append(errs, podAddresses(s, at)...)
}

// extendedClaim checks the claim that was made for resources of devices which containers request.
func extendedClaim(s *corev1.PodExtendedResourceClaimStatus, spec *corev1.PodSpec, at *field.Path) field.ErrorList {
	if s == nil {
		return nil
	}
	var errs field.ErrorList
	mappings := at.Child("requestMappings")
	if len(s.RequestMappings) == 0 {
		errs = append(errs, field.Required(mappings, "at least one request mapping is required"))
	}
	containers := slices.Concat(spec.Containers, spec.InitContainers)
	for i, m := range s.RequestMappings {
		one := mappings.Index(i)
		j := slices.IndexFunc(containers, func(c corev1.Container) bool { return c.Name == m.ContainerName })
		if j < 0 {
			errs = append(errs, field.Invalid(one.Child("containerName"), m.ContainerName, "must match the name of an entry in spec.initContainers.name or spec.containers.name"))
		} else if _, ok := containers[j].Resources.Requests[corev1.ResourceName(m.ResourceName)]; !ok {
			errs = append(errs, field.Invalid(one.Child("resourceName"), m.ResourceName,
				"must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests"))
		}
		errs = append(errs, dnsLabel(m.RequestName, at.Child("requestName"))...)
		if slices.Contains(s.RequestMappings[:i], m) {
			errs = append(errs, field.Duplicate(one.Child("containerName"), m.ContainerName), field.Duplicate(one.Child("resourceName"), m.ResourceName),
				field.Duplicate(one.Child("requestName"), m.RequestName))
		}
	}
	if s.ResourceClaimName == "" {
		return append(errs, field.Required(at.Child("resourceClaimName"), ""))
	}
	return append(errs, invalid(at.Child("resourceClaimName"), s.ResourceClaimName, utilvalidation.IsDNS1123Subdomain(s.ResourceClaimName))...)
}

// endedContainers checks that containers which are not restarted remain terminated.
func endedContainers(now, was []corev1.ContainerStatus, specs []corev1.Container, policy corev1.RestartPolicy, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, before := range was {
		i := slices.IndexFunc(now, func(s corev1.ContainerStatus) bool { return s.Name == before.Name })
		if ended := before.State.Terminated; ended != nil && i >= 0 && now[i].State.Terminated == nil && !restarts(specs, before.Name, policy, ended.ExitCode) {
			errs = append(errs, field.Forbidden(at.Index(i).Child("state"), "may not be transitioned to non-terminated state"))
		}
	}
	return errs
}

// restarts reports whether a container may start again after it has ended.
func restarts(specs []corev1.Container, name string, policy corev1.RestartPolicy, code int32) bool {
	for _, c := range specs {
		if c.Name != name {
			continue
		}
		if len(c.RestartPolicyRules) > 0 {
			return true
		}
		if c.RestartPolicy != nil {
			policy = corev1.RestartPolicy(*c.RestartPolicy)
		}
	}
	return policy == corev1.RestartPolicyAlways || policy == corev1.RestartPolicyOnFailure && code != 0
}

// containerUsers checks as whom containers run.
func containerUsers(list []corev1.ContainerStatus, os *corev1.PodOS, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, s := range list {
		if s.User == nil || s.User.Linux == nil {
			continue
		}
		user := at.Index(i).Child("user", "linux")
		if os != nil && os.Name == corev1.Windows {
			errs = append(errs, field.Forbidden(user, "cannot be set for a windows pod"))
			continue
		}
		if id := s.User.Linux.UID; id < 0 || id > math.MaxUint32 {
			errs = append(errs, field.Invalid(user.Child("uid"), id, fmt.Sprintf("must be between 0 and %d, inclusive", int64(math.MaxUint32))))
		}
		errs = append(errs, invalid(user.Child("gid"), s.User.Linux.GID, utilvalidation.IsValidGroupID(s.User.Linux.GID))...)
		for j, id := range s.User.Linux.SupplementalGroups {
			errs = append(errs, invalid(user.Child("supplementalGroups").Index(j), id, utilvalidation.IsValidGroupID(id))...)
		}
	}
	return errs
}

// deviceHealth checks that the states of devices are those of resources or claims that containers request, unless the
// containers are not in the pod.
func deviceHealth(list []corev1.ContainerStatus, specs []corev1.Container, extended *corev1.PodExtendedResourceClaimStatus, at *field.Path) field.ErrorList {
	health := []corev1.ResourceHealthStatus{corev1.ResourceHealthStatusHealthy, corev1.ResourceHealthStatusUnhealthy, corev1.ResourceHealthStatusUnknown}
	var errs field.ErrorList
	for i, s := range list {
		container := slices.IndexFunc(specs, func(c corev1.Container) bool { return c.Name == s.Name })
		for j, r := range s.AllocatedResourcesStatus {
			state := at.Index(i).Child("allocatedResourcesStatus").Index(j)
			if container >= 0 {
				errs = append(errs, requested(r.Name, &specs[container], extended, state.Child("name"))...)
			}
			for k, device := range r.Resources {
				if slices.ContainsFunc(r.Resources[:k], func(before corev1.ResourceHealth) bool { return before.ResourceID == device.ResourceID }) {
					errs = append(errs, field.Duplicate(state.Child("resources").Index(k).Child("resourceID"), device.ResourceID))
				}
				if !slices.Contains(health, device.Health) {
					errs = append(errs, field.NotSupported(state.Child("resources").Index(k).Child("health"), device.Health, health))
				}
				switch message := device.Message; {
				case message == nil:
				case *message == "":
					errs = append(errs, field.Required(state.Child("resources").Index(k).Child("message"), "must be non-empty if specified"))
				case len(*message) > corev1.ResourceHealthMessageMaxLength:
					errs = append(errs, field.TooLong(state.Child("resources").Index(k).Child("message"), *message, corev1.ResourceHealthMessageMaxLength))
				}
			}
		}
	}
	return errs
}

// requested checks that a container requests a resource, or what "claim:NAME/REQUEST" names of a claim; the request is
// missing if the container uses all of the claim. extended are the claims that were made for resources.
func requested(name corev1.ResourceName, c *corev1.Container, extended *corev1.PodExtendedResourceClaimStatus, at *field.Path) field.ErrorList {
	claim, ok := strings.CutPrefix(string(name), "claim:")
	if !ok {
		if _, requests := c.Resources.Requests[name]; requests {
			return nil
		}
		return field.ErrorList{field.Invalid(at, name, "must match one of the container's resource requests")}
	}
	claim, request, _ := strings.Cut(claim, "/")
	if slices.Contains(c.Resources.Claims, corev1.ResourceClaim{Name: claim, Request: request}) {
		return nil
	}
	if extended != nil && claim == extended.ResourceClaimName && request != "" && slices.ContainsFunc(extended.RequestMappings, func(m corev1.ContainerExtendedResourceRequest) bool {
		q := c.Resources.Requests[corev1.ResourceName(m.ResourceName)]
		return m.ContainerName == c.Name && m.RequestName == request && !q.IsZero()
	}) {
		return nil
	}
	return field.ErrorList{field.Invalid(at, name, "must match one of the container's resource claims as 'claim:<claimName>/<requestName>' "+
		"when container.resources.claims[*].request is set or 'claim:<claimName>' when it is empty")}
}

// podAddresses checks the addresses of a pod and its node: one of each family.
func podAddresses(s *corev1.PodStatus, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	var ips, hosts []string
	for i, ip := range s.PodIPs {
		ips = append(ips, ip.IP)
		errs = append(errs, utilvalidation.IsValidIPForLegacyField(at.Child("podIPs").Index(i), ip.IP, true, nil)...)
	}
	if !oneOfEachFamily(ips) {
		errs = append(errs, field.Invalid(at.Child("podIPs"), internal{s.PodIPs}, "may specify no more than one IP for each IP family"))
	}
	for i, ip := range s.HostIPs {
		hosts = append(hosts, ip.IP)
		errs = append(errs, utilvalidation.IsValidIPForLegacyField(at.Child("hostIPs").Index(i), ip.IP, true, nil)...)
	}
	if len(hosts) > 0 && hosts[0] != s.HostIP {
		errs = append(errs, field.Invalid(at.Child("hostIPs").Index(0).Child("ip"), hosts[0], "must be equal to `hostIP`"))
	}
	if !oneOfEachFamily(hosts) {
		errs = append(errs, field.Invalid(at.Child("hostIPs"), internal{s.HostIPs}, "may specify no more than one IP for each IP family"))
	}
	return errs
}

// oneOfEachFamily reports whether at most one of some addresses is of IPv4, and one of IPv6. It ignores invalid ones.
func oneOfEachFamily(ips []string) bool {
	count := map[bool]int{}
	for _, ip := range ips {
		if a, err := netip.ParseAddr(ip); err == nil {
			count[a.Is4()]++
		}
	}
	return count[true] <= 1 && count[false] <= 1
}
