package kinds

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func serviceRules(r *Rules) {
	r.Fields, r.ChangesFirst = serviceFields, true
	r.ValidName = validation.NameIsDNSLabel
	r.PrepareUpdate = func(obj, old runtime.Object) {
		service := obj.(*corev1.Service)
		dropFormer(&service.Spec, &old.(*corev1.Service).Spec)
		if !isBalanced(&service.Spec) {
			service.Status.LoadBalancer = corev1.LoadBalancerStatus{}
		}
	}
	// The real server stores the field, and drops it when it is read.
	r.Canonicalize = func(obj runtime.Object) {
		if s := &obj.(*corev1.Service).Spec; !hasAddress(s) {
			s.InternalTrafficPolicy = nil
		}
	}
	r.ValidateUpdate = func(obj, old runtime.Object) field.ErrorList {
		return remaining(&obj.(*corev1.Service).Spec, &old.(*corev1.Service).Spec)
	}
	r.Warn, r.WarnStatus = warnService, warnServiceStatus
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

// remaining checks that what is assigned to a service does not change: its first address, the family of that, the
// class of its load balancer, and the port by which nodes are asked for endpoints.
func remaining(s, was *corev1.ServiceSpec) field.ErrorList {
	path := field.NewPath("spec")
	const text = "may not change once set"
	var errs field.ErrorList
	if hasAddress(s) && hasAddress(was) {
		errs = append(errs, addressesRemain(s, was, path)...)
	}
	if isBalanced(s) && isBalanced(was) && !same(s.LoadBalancerClass, was.LoadBalancerClass) {
		errs = append(errs, field.Invalid(path.Child("loadBalancerClass"), s.LoadBalancerClass, text))
	}
	if class := s.LoadBalancerClass; class != nil {
		at := path.Child("loadBalancerClass")
		if !isBalanced(s) {
			errs = append(errs, field.Forbidden(at, "may only be used when `type` is 'LoadBalancer'"))
		} else {
			for _, msg := range utilvalidation.IsQualifiedName(*class) {
				errs = append(errs, field.Invalid(at, *class, msg))
			}
		}
	}
	if isChecked(s) && isChecked(was) && s.HealthCheckNodePort != was.HealthCheckNodePort {
		errs = append(errs, field.Forbidden(path.Child("healthCheckNodePort"), "field is immutable"))
	}
	return errs
}

func addressesRemain(s, was *corev1.ServiceSpec, path *field.Path) field.ErrorList {
	const text = "may not change once set"
	headless, before := s.ClusterIP == corev1.ClusterIPNone, was.ClusterIP == corev1.ClusterIPNone
	fixed := !headless || !before
	var errs field.ErrorList
	for i := range was.ClusterIPs {
		changed := i < len(s.ClusterIPs) && s.ClusterIPs[i] != was.ClusterIPs[i]
		if changed && fixed && (i == 0 || len(s.ClusterIPs) == len(was.ClusterIPs)) {
			errs = append(errs, field.Invalid(path.Child("clusterIPs").Index(i), s.ClusterIPs, text))
		}
	}
	if len(s.ClusterIPs) == 0 && len(was.ClusterIPs) > 0 && fixed {
		errs = append(errs, field.Invalid(path.Child("clusterIPs").Index(0), s.ClusterIPs, "primary clusterIP can not be unset"))
	}
	if headless || before {
		return errs
	}
	families := path.Child("ipFamilies").Index(0)
	for i := range was.IPFamilies {
		if i >= len(s.IPFamilies) || s.IPFamilies[i] == was.IPFamilies[i] {
			continue
		}
		if len(s.IPFamilies) == len(was.IPFamilies) {
			errs = append(errs, field.Invalid(families, s.IPFamilies, text))
		} else if i == 0 {
			errs = append(errs, field.Invalid(families, s.ClusterIPs, text)) // which the real server shows instead
		}
	}
	return errs
}

// warnService warns of fields that are deprecated, or have no effect.
func warnService(obj, _ runtime.Object) []string {
	service := obj.(*corev1.Service)
	s, path := &service.Spec, field.NewPath("spec")
	var out []string
	warn := func(when bool, text string) {
		if when {
			out = append(out, text)
		}
	}
	_, hints := service.Annotations[corev1.DeprecatedAnnotationTopologyAwareHints]
	warn(hints, "annotation "+corev1.DeprecatedAnnotationTopologyAwareHints+" is deprecated, please use "+corev1.AnnotationTopologyMode+" instead")
	headless, named := s.ClusterIP == corev1.ClusterIPNone, s.Type == corev1.ServiceTypeExternalName
	external := len(s.ExternalIPs) > 0
	if !headless && !named {
		for i, ip := range s.ClusterIPs {
			out = append(out, utilvalidation.GetWarningsForIP(path.Child("clusterIPs").Index(i), ip)...)
		}
	}
	warn(headless && s.LoadBalancerIP != "", "spec.loadBalancerIP is ignored for headless services")
	warn(headless && external, "spec.externalIPs is ignored for headless services")
	warn(headless && s.SessionAffinity != corev1.ServiceAffinityNone, "spec.SessionAffinity is ignored for headless services")
	for i, ip := range s.ExternalIPs {
		out = append(out, utilvalidation.GetWarningsForIP(path.Child("externalIPs").Index(i), ip)...)
	}
	warn(external && !headless && !named, "spec.externalIPs is deprecated and may no longer be implemented in some clusters")
	if s.LoadBalancerIP != "" {
		out = append(out, utilvalidation.GetWarningsForIP(path.Child("loadBalancerIP"), s.LoadBalancerIP)...)
	}
	for i, cidr := range s.LoadBalancerSourceRanges {
		out = append(out, utilvalidation.GetWarningsForCIDR(path.Child("loadBalancerSourceRanges").Index(i), cidr)...)
	}
	warn(external && named, `spec.externalIPs is ignored when spec.type is "ExternalName"`)
	warn(s.ExternalName != "" && !named, `spec.externalName is ignored when spec.type is not "ExternalName"`)
	warn(s.TrafficDistribution != nil && *s.TrafficDistribution == corev1.ServiceTrafficDistributionPreferClose,
		`spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"`)
	return out
}
