package validation

import (
	"fmt"
	"net"
	"net/netip"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var serviceChecks = map[string]check{
	"service-ports": of(func(s *corev1.ServiceSpec, at *field.Path) field.ErrorList {
		if len(s.Ports) == 0 && s.ClusterIP != corev1.ClusterIPNone && s.Type != corev1.ServiceTypeExternalName {
			return field.ErrorList{field.Required(at.Child("ports"), "")}
		}
		var errs field.ErrorList
		for i, p := range s.Ports {
			if len(s.Ports) > 1 && p.Name == "" {
				errs = append(errs, field.Required(at.Child("ports").Index(i).Child("name"), ""))
			}
		}
		return errs
	}),
	"headless": of(func(s *corev1.ServiceSpec, at *field.Path) field.ErrorList {
		if s.ClusterIP == corev1.ClusterIPNone && (s.Type == corev1.ServiceTypeLoadBalancer || s.Type == corev1.ServiceTypeNodePort) {
			return field.ErrorList{field.Invalid(at.Child("clusterIPs").Index(0), s.ClusterIP, "may not be set to 'None' for "+string(s.Type)+" services")}
		}
		return nil
	}),
	"affinity-timeout": of(func(s *corev1.ServiceSpec, at *field.Path) field.ErrorList {
		c := s.SessionAffinityConfig
		if s.SessionAffinity != corev1.ServiceAffinityClientIP || c == nil || c.ClientIP == nil || c.ClientIP.TimeoutSeconds == nil {
			return nil
		}
		if n := *c.ClientIP.TimeoutSeconds; n <= 0 || n > 86400 {
			return field.ErrorList{field.Invalid(at.Child("sessionAffinityConfig", "clientIP", "timeoutSeconds"), n, "must be greater than 0 and less than 86400")}
		}
		return nil
	}),
	"service-addresses": of(func(s *corev1.ServiceSpec, at *field.Path) field.ErrorList {
		at = at.Child("clusterIPs")
		switch {
		case s.Type == corev1.ServiceTypeExternalName && len(s.ClusterIPs) > 0:
			return field.ErrorList{field.Forbidden(at, "may not be set for ExternalName services")}
		case s.Type == corev1.ServiceTypeExternalName, len(s.ClusterIPs) == 0 && s.ClusterIP == "":
			return nil
		case len(s.ClusterIPs) == 0 || s.ClusterIPs[0] != s.ClusterIP:
			return field.ErrorList{field.Invalid(at, s.ClusterIPs, "first value must match `clusterIP`")}
		}
		var errs field.ErrorList
		headless := s.ClusterIP == corev1.ClusterIPNone
		if headless && len(s.ClusterIPs) > 1 {
			errs = append(errs, field.Invalid(at, s.ClusterIPs, "'None' must be the first and only value"))
		}
		for i, ip := range s.ClusterIPs {
			if i == 0 && headless {
				continue
			}
			found := utilvalidation.IsValidIPForLegacyField(at.Index(i), ip, true, nil)
			if errs = append(errs, found...); len(found) > 0 || i >= len(s.IPFamilies) {
				continue
			}
			if want := s.IPFamilies[i]; want != FamilyOf(ip) && (want == corev1.IPv4Protocol || want == corev1.IPv6Protocol) {
				errs = append(errs, field.Invalid(at.Index(i), ip, fmt.Sprintf("expected an %s value as indicated by `ipFamilies[%d]`", want, i)))
			}
		}
		if !headless && !oneOfEachFamily(s.ClusterIPs) {
			errs = append(errs, field.Invalid(at, s.ClusterIPs, "may specify no more than one IP for each IP family"))
		}
		return errs
	}),
	"service-families": of(func(s *corev1.ServiceSpec, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		switch policy := at.Child("ipFamilyPolicy"); {
		case s.Type == corev1.ServiceTypeExternalName:
			if len(s.IPFamilies) > 0 {
				errs = append(errs, field.Forbidden(at.Child("ipFamilies"), "may not be set for ExternalName services"))
			}
			if s.IPFamilyPolicy != nil {
				errs = append(errs, field.Forbidden(policy, "may not be set for ExternalName services"))
			}
		case s.IPFamilyPolicy != nil && *s.IPFamilyPolicy == corev1.IPFamilyPolicySingleStack && len(s.IPFamilies) == 2 && s.IPFamilies[0] != s.IPFamilies[1]:
			errs = append(errs, field.Invalid(policy, *s.IPFamilyPolicy, "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified"))
		}
		return errs
	}),
	"external-name": of(func(s *corev1.ServiceSpec, at *field.Path) field.ErrorList {
		at = at.Child("externalName")
		switch {
		case s.Type != corev1.ServiceTypeExternalName:
			return nil
		case s.ExternalName == "":
			return field.ErrorList{field.Required(at, "")}
		}
		return invalid(at, s.ExternalName, utilvalidation.IsDNS1123Subdomain(strings.TrimSuffix(s.ExternalName, ".")))
	}),
	"distinct-ports": of(distinctPorts),
	"port-label":     of(func(name *string, at *field.Path) field.ErrorList { return labelIfSet(*name, at) }),
	"external-traffic": of(func(s *corev1.ServiceSpec, at *field.Path) field.ErrorList {
		external := s.Type == corev1.ServiceTypeLoadBalancer || s.Type == corev1.ServiceTypeNodePort ||
			s.Type == corev1.ServiceTypeClusterIP && len(s.ExternalIPs) > 0
		var errs field.ErrorList
		if s.ExternalTrafficPolicy != "" && !external {
			errs = append(errs, field.Invalid(at.Child("externalTrafficPolicy"), s.ExternalTrafficPolicy, "may only be set for externally-accessible services"))
		}
		local := s.Type == corev1.ServiceTypeLoadBalancer && s.ExternalTrafficPolicy == corev1.ServiceExternalTrafficPolicyLocal
		if s.HealthCheckNodePort != 0 && !local {
			errs = append(errs, field.Invalid(at.Child("healthCheckNodePort"), s.HealthCheckNodePort,
				"may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"))
		}
		return errs
	}),
	"load-balancer": of(loadBalancer),
	"some-addresses": of(func(s *corev1.EndpointSubset, at *field.Path) field.ErrorList { //nolint:staticcheck // it is still served
		if len(s.Addresses)+len(s.NotReadyAddresses) == 0 {
			return field.ErrorList{field.Required(at, "must specify `addresses` or `notReadyAddresses`")}
		}
		return nil
	}),
	"endpoint-names": of(func(ports *[]corev1.EndpointPort, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		for i, p := range *ports {
			if p.Name == "" && len(*ports) > 1 {
				errs = append(errs, field.Required(at.Index(i).Child("name"), ""))
			}
		}
		return errs
	}),
	"endpoint-ip": of(func(a *corev1.EndpointAddress, at *field.Path) field.ErrorList {
		at = at.Child("ip")
		errs := utilvalidation.IsValidIPForLegacyField(at, a.IP, true, nil)
		return append(errs, usableAddress(a.IP, at)...)
	}),
	"slice-addresses": of(sliceAddresses),
}

// FamilyOf returns the family of an address, or "" if it is invalid.
func FamilyOf(ip string) corev1.IPFamily {
	switch a, err := netip.ParseAddr(ip); {
	case err != nil:
		return ""
	case a.Is4():
		return corev1.IPv4Protocol
	}
	return corev1.IPv6Protocol
}

func labelIfSet(name string, at *field.Path) field.ErrorList {
	if name == "" {
		return nil
	}
	return dnsLabel(name, at)
}

// distinctPorts checks that no two ports have the same number and protocol, and names fit the type of the service.
func distinctPorts(ports *[]corev1.ServicePort, at *field.Path) field.ErrorList {
	type key struct {
		protocol corev1.Protocol
		port     int32
	}
	var errs field.ErrorList
	seen := map[key]bool{}
	for i, p := range *ports {
		k := key{p.Protocol, p.Port}
		if seen[k] {
			errs = append(errs, field.Duplicate(at.Index(i), internalPort{Protocol: p.Protocol, Port: p.Port}))
		}
		seen[k] = true
	}
	return errs
}

// internalPort is a port as messages have it.
type internalPort struct {
	Name        string
	Protocol    corev1.Protocol
	AppProtocol *string
	Port        int32
	TargetPort  int32
	NodePort    int32
}

// loadBalancer checks the fields that only load balancers have, and node ports.
func loadBalancer(s *corev1.ServiceSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	const only = "may only be used when `type` is 'LoadBalancer'"
	balanced := s.Type == corev1.ServiceTypeLoadBalancer
	if s.Type == corev1.ServiceTypeClusterIP {
		for i, p := range s.Ports {
			if p.NodePort != 0 {
				errs = append(errs, field.Forbidden(at.Child("ports").Index(i).Child("nodePort"), "may not be used when `type` is 'ClusterIP'"))
			}
		}
	}
	if ranges := at.Child("LoadBalancerSourceRanges"); len(s.LoadBalancerSourceRanges) > 0 {
		if !balanced {
			errs = append(errs, field.Forbidden(ranges, only))
		}
		for i, cidr := range s.LoadBalancerSourceRanges {
			errs = append(errs, utilvalidation.IsValidCIDRForLegacyField(ranges.Index(i), strings.TrimSpace(cidr), true, nil)...)
		}
	}
	if s.AllocateLoadBalancerNodePorts != nil && !balanced {
		errs = append(errs, field.Forbidden(at.Child("allocateLoadBalancerNodePorts"), only))
	}
	switch class := s.LoadBalancerClass; {
	case class != nil && !balanced:
		errs = append(errs, field.Forbidden(at.Child("loadBalancerClass"), only))
	case class != nil:
		errs = append(errs, invalid(at.Child("loadBalancerClass"), *class, utilvalidation.IsQualifiedName(*class))...)
	}
	return errs
}

// usableAddress checks that an address can be the one of an endpoint.
func usableAddress(text string, at *field.Path) field.ErrorList {
	addr, err := netip.ParseAddr(text)
	if err != nil {
		return field.ErrorList{field.Invalid(at, text, "must be a valid IP address")}
	}
	ip := net.IP(addr.AsSlice())
	var errs field.ErrorList
	for _, c := range []struct {
		is   bool
		text string
	}{
		{ip.IsUnspecified(), "may not be unspecified (" + text + ")"},
		{ip.IsLoopback(), "may not be in the loopback range (127.0.0.0/8, ::1/128)"},
		{ip.IsLinkLocalUnicast(), "may not be in the link-local range (169.254.0.0/16, fe80::/10)"},
		{ip.IsLinkLocalMulticast(), "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"},
	} {
		if c.is {
			errs = append(errs, field.Invalid(at, text, c.text))
		}
	}
	return errs
}

func sliceAddresses(s *discoveryv1.EndpointSlice, _ *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, e := range s.Endpoints {
		for j, address := range e.Addresses {
			at := field.NewPath("endpoints").Index(i).Child("addresses").Index(j)
			switch s.AddressType {
			case discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6:
				if found := utilvalidation.IsValidIPForLegacyField(at, address, true, nil); len(found) > 0 {
					errs = append(errs, found...)
				} else {
					errs = append(errs, ofFamily(s.AddressType, address, at)...)
					errs = append(errs, usableAddress(address, at)...)
				}
			case discoveryv1.AddressTypeFQDN:
				errs = append(errs, utilvalidation.IsFullyQualifiedDomainName(at, address)...)
			}
		}
	}
	return errs
}

func ofFamily(family discoveryv1.AddressType, address string, at *field.Path) field.ErrorList {
	addr, err := netip.ParseAddr(address)
	switch {
	case err != nil:
	case family == discoveryv1.AddressTypeIPv4 && !addr.Is4():
		return field.ErrorList{field.Invalid(at, address, "must be a valid IPv4 address")}
	case family == discoveryv1.AddressTypeIPv6 && addr.Is4():
		return field.ErrorList{field.Invalid(at, address, "must be a valid IPv6 address")}
	}
	return nil
}
