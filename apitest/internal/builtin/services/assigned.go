package services

import (
	"cmp"
	"slices"

	"github.com/listwatch/listwatch/apitest/internal/validation"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// assigned are the addresses and ports of a service that no other service can have.
type assigned struct {
	ips   map[string]bool
	ports map[int32]bool

	dryRun bool // nothing is assigned; addresses may be in use, and ports out of their range
}

func (a *assigned) addIP(ip string) {
	if a.ips == nil {
		a.ips = map[string]bool{}
	}
	a.ips[ip] = true
}

func (a *assigned) addPort(port int32) {
	if a.ports == nil {
		a.ports = map[int32]bool{}
	}
	a.ports[port] = true
}

// without returns what is not in another.
func (a assigned) without(other assigned) assigned {
	var out assigned
	for ip := range a.ips {
		if !other.ips[ip] {
			out.addIP(ip)
		}
	}
	for port := range a.ports {
		if !other.ports[port] {
			out.addPort(port)
		}
	}
	return out
}

// usedBy returns what a service uses. Its type decides: an update that changes it leaves the other fields to be dropped.
func usedBy(s *corev1.ServiceSpec) assigned {
	var out assigned
	if s.Type != corev1.ServiceTypeExternalName && s.ClusterIP != "" && s.ClusterIP != corev1.ClusterIPNone {
		out.addIP(s.ClusterIP)
	}
	if !hasNodePorts(s) {
		return out
	}
	for _, p := range s.Ports {
		if p.NodePort != 0 {
			out.addPort(p.NodePort)
		}
	}
	if s.Type == corev1.ServiceTypeLoadBalancer && s.HealthCheckNodePort != 0 && s.ExternalTrafficPolicy == corev1.ServiceExternalTrafficPolicyLocal {
		out.addPort(s.HealthCheckNodePort)
	}
	return out
}

// isChecked reports whether nodes have a port that tells whether they have endpoints of a service.
func isChecked(s *corev1.ServiceSpec) bool {
	return s.Type == corev1.ServiceTypeLoadBalancer && s.ExternalTrafficPolicy == corev1.ServiceExternalTrafficPolicyLocal
}

func hasNodePorts(s *corev1.ServiceSpec) bool {
	return s.Type == corev1.ServiceTypeNodePort || s.Type == corev1.ServiceTypeLoadBalancer
}

// keepAssigned preserves what a service was assigned in updates by clients that do not know it.
func keepAssigned(s, was *corev1.ServiceSpec) {
	if s.Type != corev1.ServiceTypeExternalName && was.Type != corev1.ServiceTypeExternalName {
		s.ClusterIP = cmp.Or(s.ClusterIP, was.ClusterIP)
		if len(s.ClusterIPs) == 0 && s.ClusterIP == was.ClusterIP {
			s.ClusterIPs = was.ClusterIPs
		}
		if len(s.IPFamilies) == 0 {
			s.IPFamilies = was.IPFamilies
		}
		if s.IPFamilyPolicy == nil {
			s.IPFamilyPolicy = was.IPFamilyPolicy
		}
	}
	if choosesNodePorts(s) && choosesNodePorts(was) {
		keepNodePorts(s.Ports, was.Ports)
	}
	if isChecked(s) && isChecked(was) {
		s.HealthCheckNodePort = cmp.Or(s.HealthCheckNodePort, was.HealthCheckNodePort)
	}
}

// choosesNodePorts reports whether the ports of a service get ports of nodes if they have none.
func choosesNodePorts(s *corev1.ServiceSpec) bool {
	allocates := s.AllocateLoadBalancerNodePorts == nil || *s.AllocateLoadBalancerNodePorts
	return hasNodePorts(s) && (s.Type == corev1.ServiceTypeNodePort || allocates)
}

// keepNodePorts gives ports without one the node port that the port with their name had, unless another has it now.
func keepNodePorts(ports, before []corev1.ServicePort) {
	has := func(list []corev1.ServicePort, port int32) bool {
		return slices.ContainsFunc(list, func(p corev1.ServicePort) bool { return p.NodePort == port })
	}
	named, remain := map[string]int32{}, map[int32]bool{}
	for _, p := range before {
		named[p.Name] = p.NodePort
		remain[p.NodePort] = has(ports, p.NodePort)
	}
	for i := range ports {
		if p := &ports[i]; p.NodePort == 0 && !remain[named[p.Name]] {
			p.NodePort = named[p.Name]
		}
	}
}

// normalize makes the fields for one address and for several agree.
func normalize(s, was *corev1.ServiceSpec) {
	switch unchanged := slices.Equal(s.ClusterIPs, was.ClusterIPs); {
	case s.ClusterIP != "" && (len(s.ClusterIPs) == 0 || unchanged && s.ClusterIP != was.ClusterIP):
		s.ClusterIPs = []string{s.ClusterIP}
	case s.ClusterIP == "" && was.ClusterIP != "" && unchanged:
		s.ClusterIPs = nil
	}
}

// chooseFamilies sets the families of a service and the policy for them, and returns why it cannot have those that it
// wants: IPv4 is the only one, except for services without addresses whose endpoints are not selected either.
func chooseFamilies(s *corev1.ServiceSpec) field.ErrorList {
	if s.Type == corev1.ServiceTypeExternalName {
		return nil
	}
	if s.IPFamilyPolicy == nil {
		s.IPFamilyPolicy = new(corev1.IPFamilyPolicySingleStack)
		if unselected(s) {
			*s.IPFamilyPolicy = corev1.IPFamilyPolicyRequireDualStack
		}
	}
	path := field.NewPath("spec")
	if errs := validation.ServiceAddresses(s, path); len(errs) > 0 {
		return errs
	}
	var errs field.ErrorList
	policy, single := path.Child("ipFamilyPolicy"), *s.IPFamilyPolicy == corev1.IPFamilyPolicySingleStack
	const several = "must be 'RequireDualStack' or 'PreferDualStack' when multiple "
	if single && len(s.ClusterIPs) == 2 {
		errs = append(errs, field.Invalid(policy, *s.IPFamilyPolicy, several+"cluster IPs are specified"))
	}
	if single && len(s.IPFamilies) == 2 {
		errs = append(errs, field.Invalid(policy, *s.IPFamilyPolicy, several+"IP families are specified"))
	}
	for i, ip := range s.ClusterIPs {
		if ip == corev1.ClusterIPNone || i < len(s.IPFamilies) {
			continue
		}
		if family := validation.FamilyOf(ip); family == corev1.IPv4Protocol {
			s.IPFamilies = append(s.IPFamilies, family)
		} else {
			errs = append(errs, field.Invalid(path.Child("clusterIPs").Index(i), s.ClusterIPs, string(corev1.IPv6Protocol)+" is not configured on this cluster"))
		}
	}
	if len(errs) > 0 {
		return errs
	}
	if unselected(s) {
		bothFamilies(s, single)
		return nil
	}
	if *s.IPFamilyPolicy == corev1.IPFamilyPolicyRequireDualStack {
		errs = append(errs, field.Invalid(policy, *s.IPFamilyPolicy, "this cluster is not configured for dual-stack services"))
	}
	for i, family := range s.IPFamilies {
		if family != corev1.IPv4Protocol {
			errs = append(errs, field.Invalid(path.Child("ipFamilies").Index(i), family, "not configured on this cluster"))
		}
	}
	if len(s.IPFamilies) == 0 {
		s.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol}
	}
	return errs
}

// bothFamilies sets the families of a service without addresses: both, unless it wants a single one.
func bothFamilies(s *corev1.ServiceSpec, single bool) {
	if len(s.IPFamilies) == 0 {
		s.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol}
	}
	if single || len(s.IPFamilies) > 1 {
		return
	}
	other := corev1.IPv6Protocol
	if s.IPFamilies[0] == corev1.IPv6Protocol {
		other = corev1.IPv4Protocol
	}
	s.IPFamilies = append(s.IPFamilies, other)
}

// unselected reports whether a service has neither an address nor endpoints that the cluster knows.
func unselected(s *corev1.ServiceSpec) bool {
	return s.ClusterIP == corev1.ClusterIPNone && len(s.Selector) == 0
}
