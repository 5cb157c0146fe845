package validation

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// serviceType checks what the type of a service requires or excludes.
func serviceType(s *corev1.ServiceSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	named, headless := s.Type == corev1.ServiceTypeExternalName, s.ClusterIP == corev1.ClusterIPNone
	if len(s.Ports) == 0 && !headless && !named {
		errs = append(errs, field.Required(at.Child("ports"), ""))
	}
	if headless && (s.Type == corev1.ServiceTypeLoadBalancer || s.Type == corev1.ServiceTypeNodePort) {
		errs = append(errs, field.Invalid(at.Child("clusterIPs").Index(0), s.ClusterIP, "may not be set to 'None' for "+string(s.Type)+" services"))
	}
	if !named {
		return errs
	}
	const text = "may not be set for ExternalName services"
	if len(s.ClusterIPs) > 0 {
		errs = append(errs, field.Forbidden(at.Child("clusterIPs"), text))
	}
	if len(s.IPFamilies) > 0 {
		errs = append(errs, field.Forbidden(at.Child("ipFamilies"), text))
	}
	if s.IPFamilyPolicy != nil {
		errs = append(errs, field.Forbidden(at.Child("ipFamilyPolicy"), text))
	}
	name := strings.TrimSuffix(s.ExternalName, ".")
	if name == "" {
		return append(errs, field.Required(at.Child("externalName"), ""))
	}
	return append(errs, invalid(at.Child("externalName"), name, utilvalidation.IsDNS1123Subdomain(name))...)
}

// servicePorts checks each port of a service by itself, and that names are there once.
func servicePorts(ports *[]corev1.ServicePort, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	seen := map[string]bool{}
	protocols := []corev1.Protocol{corev1.ProtocolSCTP, corev1.ProtocolTCP, corev1.ProtocolUDP}
	for i := range *ports {
		p, port := &(*ports)[i], at.Index(i)
		if p.Name == "" && len(*ports) > 1 {
			errs = append(errs, field.Required(port.Child("name"), ""))
		}
		if p.Name != "" {
			errs = append(errs, dnsLabel(p.Name, port.Child("name"))...)
			if seen[p.Name] {
				errs = append(errs, field.Duplicate(port.Child("name"), p.Name))
			}
			seen[p.Name] = true
		}
		errs = append(errs, invalid(port.Child("port"), p.Port, utilvalidation.IsValidPortNum(int(p.Port)))...)
		if !slices.Contains(protocols, p.Protocol) {
			errs = append(errs, field.NotSupported(port.Child("protocol"), p.Protocol, protocols))
		}
		errs = append(errs, portOrName(&p.TargetPort, port.Child("targetPort"))...)
		if p.AppProtocol != nil {
			errs = append(errs, invalid(port.Child("appProtocol"), *p.AppProtocol, utilvalidation.IsQualifiedName(*p.AppProtocol))...)
		}
	}
	return errs
}

// affinityConfig checks how long clients stay with an endpoint.
func affinityConfig(s *corev1.ServiceSpec, at *field.Path) field.ErrorList {
	c := s.SessionAffinityConfig
	at = at.Child("sessionAffinityConfig")
	switch s.SessionAffinity {
	case corev1.ServiceAffinityNone:
		if c != nil {
			return field.ErrorList{field.Forbidden(at, "must not be set when session affinity is None")}
		}
	case corev1.ServiceAffinityClientIP:
		if c == nil || c.ClientIP == nil || c.ClientIP.TimeoutSeconds == nil {
			return field.ErrorList{field.Required(at, "when session affinity type is ClientIP")}
		}
		if n := *c.ClientIP.TimeoutSeconds; n <= 0 || n > 86400 {
			return field.ErrorList{field.Invalid(at.Child("clientIP", "timeoutSeconds"), n, "must be greater than 0 and less than 86400")}
		}
	}
	return nil
}

var (
	ipFamilies       = []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
	ipFamilyPolicies = []corev1.IPFamilyPolicy{corev1.IPFamilyPolicyPreferDualStack, corev1.IPFamilyPolicyRequireDualStack, corev1.IPFamilyPolicySingleStack}
)

// ServiceAddresses returns what is wrong with the addresses of a service, and with their families.
func ServiceAddresses(s *corev1.ServiceSpec, at *field.Path) field.ErrorList {
	if s.Type == corev1.ServiceTypeExternalName {
		return nil
	}
	ips := at.Child("clusterIPs")
	var errs field.ErrorList
	switch {
	case s.ClusterIP == "" && len(s.ClusterIPs) > 0:
		errs = append(errs, field.Invalid(ips, s.ClusterIPs, "must be empty when `clusterIP` is not specified"))
	case s.ClusterIP != "" && len(s.ClusterIPs) == 0:
		errs = append(errs, field.Required(ips, ""))
	case s.ClusterIP != "" && s.ClusterIPs[0] != s.ClusterIP:
		errs = append(errs, field.Invalid(ips, s.ClusterIPs, "first value must match `clusterIP`"))
	}
	for i, family := range s.IPFamilies {
		of := at.Child("ipFamilies").Index(i)
		if !slices.Contains(ipFamilies, family) {
			errs = append(errs, field.NotSupported(of, family, ipFamilies))
		}
		if slices.Contains(s.IPFamilies[:i], family) {
			errs = append(errs, field.Duplicate(of, family))
		}
	}
	if policy := s.IPFamilyPolicy; policy != nil && !slices.Contains(ipFamilyPolicies, *policy) {
		errs = append(errs, field.NotSupported(at.Child("ipFamilyPolicy"), *policy, ipFamilyPolicies))
	}
	found := validAddresses(s.ClusterIPs, ips)
	errs = append(errs, found...)
	if len(s.ClusterIPs) > 2 {
		errs = append(errs, field.Invalid(ips, s.ClusterIPs, "may only hold up to 2 values"))
	}
	if len(found) > 0 {
		return errs
	}
	if len(s.ClusterIPs) > 1 && !oneOfEachFamily(s.ClusterIPs) {
		errs = append(errs, field.Invalid(ips, s.ClusterIPs, "may specify no more than one IP for each IP family"))
	}
	if s.ClusterIP == corev1.ClusterIPNone {
		return errs
	}
	for i, ip := range s.ClusterIPs[:min(len(s.ClusterIPs), len(s.IPFamilies))] {
		if want := s.IPFamilies[i]; slices.Contains(ipFamilies, want) && want != FamilyOf(ip) {
			errs = append(errs, field.Invalid(ips.Index(i), ip, fmt.Sprintf("expected an %s value as indicated by `ipFamilies[%d]`", want, i)))
		}
	}
	return errs
}

// validAddresses checks each address by itself.
func validAddresses(ips []string, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, ip := range ips {
		switch {
		case i > 0 || ip != corev1.ClusterIPNone:
			errs = append(errs, utilvalidation.IsValidIPForLegacyField(at.Index(i), ip, true, nil)...)
		case len(ips) > 1:
			errs = append(errs, field.Invalid(at, ips, "'None' must be the first and only value"))
		}
	}
	return errs
}

// externalTraffic checks how traffic from outside reaches a service, and the port by which nodes are asked for endpoints.
func externalTraffic(s *corev1.ServiceSpec, at *field.Path) field.ErrorList {
	external := s.Type == corev1.ServiceTypeLoadBalancer || s.Type == corev1.ServiceTypeNodePort ||
		s.Type == corev1.ServiceTypeClusterIP && len(s.ExternalIPs) > 0
	policies := []corev1.ServiceExternalTrafficPolicy{corev1.ServiceExternalTrafficPolicyCluster, corev1.ServiceExternalTrafficPolicyLocal}
	var errs field.ErrorList
	switch policy := at.Child("externalTrafficPolicy"); {
	case !external && s.ExternalTrafficPolicy != "":
		errs = append(errs, field.Invalid(policy, s.ExternalTrafficPolicy, "may only be set for externally-accessible services"))
	case external && s.ExternalTrafficPolicy == "":
		errs = append(errs, field.Required(policy, ""))
	case external && !slices.Contains(policies, s.ExternalTrafficPolicy):
		errs = append(errs, field.NotSupported(policy, s.ExternalTrafficPolicy, policies))
	}
	at = at.Child("healthCheckNodePort")
	switch local := s.Type == corev1.ServiceTypeLoadBalancer && s.ExternalTrafficPolicy == corev1.ServiceExternalTrafficPolicyLocal; {
	case !local && s.HealthCheckNodePort != 0:
		errs = append(errs, field.Invalid(at, s.HealthCheckNodePort, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"))
	case local && s.HealthCheckNodePort == 0:
		errs = append(errs, field.Required(at, ""))
	case local:
		errs = append(errs, invalid(at, s.HealthCheckNodePort, utilvalidation.IsValidPortNum(int(s.HealthCheckNodePort)))...)
	}
	return errs
}
