package validation

import (
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
	if s.NominatedNodeName != "" {
		errs = append(errs, invalid(at.Child("nominatedNodeName"), s.NominatedNodeName, utilvalidation.IsDNS1123Subdomain(s.NominatedNodeName))...)
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
	errs = append(errs, endedContainers(s.ContainerStatuses, was.Status.ContainerStatuses, p.Spec.Containers, p.Spec.RestartPolicy, at.Child("containerStatuses"))...)
	errs = append(errs, endedContainers(s.InitContainerStatuses, was.Status.InitContainerStatuses, p.Spec.InitContainers, p.Spec.RestartPolicy, at.Child("initContainerStatuses"))...)
	errs = append(errs, deviceHealth(s.ContainerStatuses, p.Spec.Containers, at.Child("containerStatuses"))...)
	return append(errs, podAddresses(s, at)...)
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

// deviceHealth checks that the states of devices are those of resources that containers request.
func deviceHealth(list []corev1.ContainerStatus, specs []corev1.Container, at *field.Path) field.ErrorList {
	health := []corev1.ResourceHealthStatus{corev1.ResourceHealthStatusHealthy, corev1.ResourceHealthStatusUnhealthy, corev1.ResourceHealthStatusUnknown}
	var errs field.ErrorList
	for i, s := range list {
		for j, r := range s.AllocatedResourcesStatus {
			state := at.Index(i).Child("allocatedResourcesStatus").Index(j)
			requested := slices.ContainsFunc(specs, func(c corev1.Container) bool {
				_, ok := c.Resources.Requests[r.Name]
				return c.Name == s.Name && ok
			})
			if !requested && !strings.HasPrefix(string(r.Name), "claim:") {
				errs = append(errs, field.Invalid(state.Child("name"), r.Name, "must match one of the container's resource requests"))
			}
			for k, device := range r.Resources {
				if !slices.Contains(health, device.Health) {
					errs = append(errs, field.NotSupported(state.Child("resources").Index(k).Child("health"), device.Health, health))
				}
			}
		}
	}
	return errs
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
