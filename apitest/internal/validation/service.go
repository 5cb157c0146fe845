package validation

import (
	"net"
	"net/netip"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	netutils "k8s.io/utils/net"
)

var serviceChecks = map[string]check{
	"service-type":      of(serviceType),
	"service-ports":     of(servicePorts),
	"affinity-config":   of(affinityConfig),
	"service-addresses": of(ServiceAddresses),
	"usable-ip":         of(func(ip *string, at *field.Path) field.ErrorList { return usableAddress(*ip, at) }),
	"distinct-ports":    of(distinctPorts),
	"port-label":        of(func(name *string, at *field.Path) field.ErrorList { return labelIfSet(*name, at) }),
	"external-traffic":  of(externalTraffic),
	"load-balancer":     of(loadBalancer),
	"topology-annotations": of(func(s *corev1.Service, _ *field.Path) field.ErrorList {
		hints, ok := s.Annotations[corev1.DeprecatedAnnotationTopologyAwareHints]
		mode, both := s.Annotations[corev1.AnnotationTopologyMode]
		if !ok || !both || hints == mode {
			return nil
		}
		return field.ErrorList{field.Invalid(field.NewPath("metadata", "annotations").Key(corev1.AnnotationTopologyMode), mode,
			"must match annotations["+corev1.DeprecatedAnnotationTopologyAwareHints+"] when both are specified")}
	}),
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
		if len(errs) > 0 && netutils.ParseIPSloppy(a.IP) != nil {
			return errs // it has leading zeros
		}
		return append(errs, usableAddress(a.IP, at)...)
	}),
	"slice-addresses": func(p place) field.ErrorList {
		s := pointerTo[discoveryv1.EndpointSlice](p.value)
		if p.old.IsValid() && equality.Semantic.DeepEqual(s.Endpoints, pointerTo[discoveryv1.EndpointSlice](p.old).Endpoints) {
			return nil
		}
		return sliceAddresses(s, p.path)
	},
	"port-names": of(func(ports *[]discoveryv1.EndpointPort, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		seen := map[string]bool{}
		for i, p := range *ports {
			if p.Name == nil {
				continue
			}
			if seen[*p.Name] {
				errs = append(errs, field.Duplicate(at.Index(i).Child("name"), *p.Name))
			}
			seen[*p.Name] = true
		}
		return errs
	}),
	"hints": of(hints),
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

// distinctPorts checks that no two ports of a service have the same number and protocol, on nodes or itself. Those of
// a service that is reached by its address have no number on nodes.
func distinctPorts(s *corev1.ServiceSpec, at *field.Path) field.ErrorList {
	at = at.Child("ports")
	var errs field.ErrorList
	for i, p := range s.Ports {
		if p.NodePort != 0 && s.Type == corev1.ServiceTypeClusterIP {
			errs = append(errs, field.Forbidden(at.Index(i).Child("nodePort"), "may not be used when `type` is 'ClusterIP'"))
		}
	}
	for i, p := range s.Ports {
		if p.NodePort != 0 && slices.ContainsFunc(s.Ports[:i], func(before corev1.ServicePort) bool {
			return before.NodePort == p.NodePort && before.Protocol == p.Protocol
		}) {
			errs = append(errs, field.Duplicate(at.Index(i).Child("nodePort"), p.NodePort))
		}
	}
	for i, p := range s.Ports {
		if slices.ContainsFunc(s.Ports[:i], func(before corev1.ServicePort) bool {
			return before.Port == p.Port && before.Protocol == p.Protocol
		}) {
			errs = append(errs, field.Duplicate(at.Index(i), internalPort{Protocol: p.Protocol, Port: p.Port}))
		}
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

// loadBalancer checks the fields that only load balancers have.
func loadBalancer(s *corev1.ServiceSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	const only = "may only be used when `type` is 'LoadBalancer'"
	balanced := s.Type == corev1.ServiceTypeLoadBalancer
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

// hints checks the zones and nodes that an endpoint is for. Too many zones are the only error.
func hints(h *discoveryv1.EndpointHints, at *field.Path) field.ErrorList {
	var zones, nodes []string
	for _, z := range h.ForZones {
		zones = append(zones, z.Name)
	}
	for _, n := range h.ForNodes {
		nodes = append(nodes, n.Name)
	}
	errs, few := hinted(zones, utilvalidation.IsValidLabelValue, at.Child("forZones"))
	if few {
		found, _ := hinted(nodes, utilvalidation.IsDNS1123Subdomain, at.Child("forNodes"))
		errs = append(errs, found...)
	}
	return errs
}

// hinted checks names, of which each is there once, and reports whether they are not too many.
func hinted(names []string, valid func(string) []string, at *field.Path) (field.ErrorList, bool) {
	const most = 8
	if len(names) > most {
		return field.ErrorList{field.TooMany(at, len(names), most)}, false
	}
	var errs field.ErrorList
	for i, name := range names {
		of := at.Index(i).Child("name")
		if slices.Contains(names[:i], name) {
			errs = append(errs, field.Duplicate(of, name))
		}
		errs = append(errs, invalid(of, name, valid(name))...)
	}
	return errs, true
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
			all := field.NewPath("endpoints").Index(i).Child("addresses")
			at := all.Index(j)
			switch s.AddressType {
			case discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6:
				found := utilvalidation.IsValidIP(at, address)
				if s.AddressType == discoveryv1.AddressTypeIPv4 {
					found = utilvalidation.IsValidIPForLegacyField(at, address, true, nil)
				}
				if len(found) > 0 {
					errs = append(errs, found...)
				} else {
					errs = append(errs, ofFamily(s.AddressType, address, all)...)
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
		return field.ErrorList{field.Invalid(at, address, "must be an IPv4 address")}
	case family == discoveryv1.AddressTypeIPv6 && addr.Is4():
		return field.ErrorList{field.Invalid(at, address, "must be an IPv6 address")}
	}
	return nil
}
