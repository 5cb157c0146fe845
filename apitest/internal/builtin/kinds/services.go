package kinds

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func serviceRules(r *Rules) {
	r.Fields = serviceFields
	r.ValidName = validation.NameIsDNSLabel
	r.PrepareUpdate = func(obj, old runtime.Object) { dropFormer(&obj.(*corev1.Service).Spec, &old.(*corev1.Service).Spec) }
	r.ValidateUpdate = func(obj, old runtime.Object) field.ErrorList {
		return remaining(&obj.(*corev1.Service).Spec, &old.(*corev1.Service).Spec)
	}
	r.Warn = warnService
}

func hasAddress(s *corev1.ServiceSpec) bool { return s.Type != corev1.ServiceTypeExternalName }
func isBalanced(s *corev1.ServiceSpec) bool { return s.Type == corev1.ServiceTypeLoadBalancer }
func hasNodePorts(s *corev1.ServiceSpec) bool {
	return isBalanced(s) || s.Type == corev1.ServiceTypeNodePort
}
func isExternal(s *corev1.ServiceSpec) bool {
	return hasNodePorts(s) || s.Type == corev1.ServiceTypeClusterIP && len(s.ExternalIPs) > 0
}

// isChecked reports whether nodes have a port that tells whether they have endpoints of a service.
func isChecked(s *corev1.ServiceSpec) bool {
	return isBalanced(s) && s.ExternalTrafficPolicy == corev1.ServiceExternalTrafficPolicyLocal
}

// dropFormer removes the fields that only the former type of a service has, unless an update sets them: whoever
// changes the type need not know them.
func dropFormer(s, was *corev1.ServiceSpec) {
	if hasAddress(was) && !hasAddress(s) {
		if s.ClusterIP == was.ClusterIP && slices.Equal(s.ClusterIPs, was.ClusterIPs) {
			s.ClusterIP, s.ClusterIPs = "", nil
		}
		if slices.Equal(s.IPFamilies, was.IPFamilies) {
			s.IPFamilies = nil
		}
		dropSame(&s.IPFamilyPolicy, was.IPFamilyPolicy)
		dropSame(&s.InternalTrafficPolicy, was.InternalTrafficPolicy)
	}
	if hasNodePorts(was) && !hasNodePorts(s) && !slices.ContainsFunc(s.Ports, func(p corev1.ServicePort) bool {
		return p.NodePort != 0 && !slices.ContainsFunc(was.Ports, func(before corev1.ServicePort) bool { return before.NodePort == p.NodePort })
	}) {
		for i := range s.Ports {
			s.Ports[i].NodePort = 0
		}
	}
	if isChecked(was) && !isChecked(s) && s.HealthCheckNodePort == was.HealthCheckNodePort {
		s.HealthCheckNodePort = 0
	}
	if isBalanced(was) && !isBalanced(s) {
		dropSame(&s.AllocateLoadBalancerNodePorts, was.AllocateLoadBalancerNodePorts)
		dropSame(&s.LoadBalancerClass, was.LoadBalancerClass)
	}
	if isExternal(was) && !isExternal(s) && s.ExternalTrafficPolicy == was.ExternalTrafficPolicy {
		s.ExternalTrafficPolicy = ""
	}
}

// dropSame sets a pointer to nil if it points to the same as another.
func dropSame[T comparable](now **T, was *T) {
	if same(*now, was) {
		*now = nil
	}
}

func same[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// remaining checks that what is assigned to a service does not change.
func remaining(s, was *corev1.ServiceSpec) field.ErrorList {
	path := field.NewPath("spec")
	var errs field.ErrorList
	if hasAddress(s) && hasAddress(was) && was.ClusterIP != "" && s.ClusterIP != was.ClusterIP {
		errs = append(errs, field.Invalid(path.Child("clusterIPs").Index(0), s.ClusterIPs, "may not change once set"))
	}
	if isChecked(s) && isChecked(was) && s.HealthCheckNodePort != was.HealthCheckNodePort {
		errs = append(errs, field.Forbidden(path.Child("healthCheckNodePort"), "field is immutable"))
	}
	if isBalanced(s) && isBalanced(was) && !same(s.LoadBalancerClass, was.LoadBalancerClass) {
		errs = append(errs, field.Invalid(path.Child("loadBalancerClass"), s.LoadBalancerClass, "may not change once set"))
	}
	return errs
}

// warnService warns of fields that are deprecated, or have no effect.
func warnService(obj, _ runtime.Object) []string {
	s := &obj.(*corev1.Service).Spec
	var out []string
	if len(s.ExternalIPs) > 0 {
		out = append(out, "spec.externalIPs is deprecated and may no longer be implemented in some clusters")
	}
	if s.ExternalName != "" && s.Type != corev1.ServiceTypeExternalName {
		out = append(out, `spec.externalName is ignored when spec.type is not "ExternalName"`)
	}
	if d := s.TrafficDistribution; d != nil && *d == corev1.ServiceTrafficDistributionPreferClose {
		out = append(out, `spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"`)
	}
	return out
}
