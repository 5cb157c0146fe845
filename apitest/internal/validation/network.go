package validation

import (
	"fmt"
	"net"
	"net/netip"
	"reflect"
	"slices"
	"strings"

	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/intstr"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	corev1 "k8s.io/api/core/v1"
)

var networkChecks = map[string]check{
	"class-annotation": of(func(i *networkingv1.Ingress, _ *field.Path) field.ErrorList {
		const name = "kubernetes.io/ingress.class"
		class, ok := i.Annotations[name]
		if ok && i.Spec.IngressClassName != nil && class != *i.Spec.IngressClassName {
			return field.ErrorList{field.Invalid(field.NewPath("annotations").Child(name), class, "must match `ingressClassName` when both are specified")}
		}
		return nil
	}),
	"some-backend": of(func(s *networkingv1.IngressSpec, at *field.Path) field.ErrorList {
		if len(s.Rules) == 0 && s.DefaultBackend == nil {
			return field.ErrorList{field.Invalid(at, s.Rules, "either `defaultBackend` or `rules` must be specified")}
		}
		return nil
	}),
	"host": of(func(host *string, at *field.Path) field.ErrorList { return hostName(*host, at) }),
	"ingress-host": of(func(host *string, at *field.Path) field.ErrorList {
		if *host == "" {
			return nil
		}
		errs := hostName(*host, at)
		if net.ParseIP(*host) != nil {
			errs = slices.Insert(errs, 0, field.Invalid(at, *host, "must be a DNS name, not an IP address"))
		}
		return errs
	}),
	"ingress-path": func(p place) field.ErrorList {
		path := pointerTo[networkingv1.HTTPIngressPath](p.value)
		if path.PathType == nil {
			return field.ErrorList{field.Required(p.path.Child("pathType"), "pathType must be specified")}
		}
		return append(ingressPath(path, p.path), p.visit(place{path: p.path.Child("backend"), value: reflect.ValueOf(&path.Backend)}, false)...)
	},
	"backend": of(backend),
	"object-reference": of(func(r *corev1.TypedLocalObjectReference, at *field.Path) field.ErrorList {
		return reference(r.APIGroup, r.Kind, r.Name, at)
	}),
	"domain-path": of(func(path *string, at *field.Path) field.ErrorList {
		errs := utilvalidation.IsDomainPrefixedPath(at, *path)
		if len(*path) > 250 {
			errs = append(errs, field.TooLong(at, *path, 250))
		}
		return errs
	}),
	"class-parameters": of(classParameters),
	"policy-types": of(func(types *[]networkingv1.PolicyType, at *field.Path) field.ErrorList {
		if len(*types) > 2 {
			return field.ErrorList{field.Invalid(at, *types, "may not specify more than two policyTypes")}
		}
		supported := []networkingv1.PolicyType{networkingv1.PolicyTypeIngress, networkingv1.PolicyTypeEgress}
		var errs field.ErrorList
		for i, t := range *types {
			if !slices.Contains(supported, t) {
				errs = append(errs, field.NotSupported(at.Index(i), t, supported))
			}
		}
		return errs
	}),
	"end-port": of(endPort),
	"peer": of(func(p *networkingv1.NetworkPolicyPeer, at *field.Path) field.ErrorList {
		switch selected := p.PodSelector != nil || p.NamespaceSelector != nil; {
		case p.IPBlock != nil && selected:
			return field.ErrorList{field.Forbidden(at, "may not specify both ipBlock and another peer")}
		case p.IPBlock == nil && !selected:
			return field.ErrorList{field.Required(at, "must specify a peer")}
		}
		return nil
	}),
	"except":         of(except),
	"address-ranges": of(addressRanges),
	"ranges-remain":  changed(rangesRemain),
	"one-bound": of(func(s *policyv1.PodDisruptionBudgetSpec, at *field.Path) field.ErrorList {
		if s.MinAvailable != nil && s.MaxUnavailable != nil {
			return field.ErrorList{field.Invalid(at, internalBudget{s.MinAvailable, s.Selector, s.MaxUnavailable, s.UnhealthyPodEvictionPolicy},
				"minAvailable and maxUnavailable cannot be both set")}
		}
		return nil
	}),
	"share-of-all": of(notAbove100),
}

// internalBudget is the desired state of a budget as messages have it.
type internalBudget struct {
	MinAvailable               *intstr.IntOrString
	Selector                   any
	MaxUnavailable             *intstr.IntOrString
	UnhealthyPodEvictionPolicy *policyv1.UnhealthyPodEvictionPolicyType
}

// hostName checks a name that may start with a wildcard.
func hostName(host string, at *field.Path) field.ErrorList {
	if strings.Contains(host, "*") {
		return invalid(at, host, utilvalidation.IsWildcardDNS1123Subdomain(host))
	}
	return invalid(at, host, utilvalidation.IsDNS1123Subdomain(host))
}

func ingressPath(p *networkingv1.HTTPIngressPath, at *field.Path) field.ErrorList {
	kind := at.Child("pathType")
	at = at.Child("path")
	var errs field.ErrorList
	switch *p.PathType {
	case networkingv1.PathTypeExact, networkingv1.PathTypePrefix:
		if !strings.HasPrefix(p.Path, "/") {
			errs = append(errs, field.Invalid(at, p.Path, "must be an absolute path"))
			break
		}
		for _, part := range []string{"//", "/./", "/../", "%2f", "%2F"} {
			if strings.Contains(p.Path, part) {
				errs = append(errs, field.Invalid(at, p.Path, fmt.Sprintf("must not contain '%s'", part)))
			}
		}
		for _, end := range []string{"/..", "/."} {
			if strings.HasSuffix(p.Path, end) {
				errs = append(errs, field.Invalid(at, p.Path, fmt.Sprintf("cannot end with '%s'", end)))
			}
		}
	case networkingv1.PathTypeImplementationSpecific:
		if p.Path != "" && !strings.HasPrefix(p.Path, "/") {
			errs = append(errs, field.Invalid(at, p.Path, "must be an absolute path"))
		}
	default:
		errs = append(errs, field.NotSupported(kind, *p.PathType,
			[]networkingv1.PathType{networkingv1.PathTypeExact, networkingv1.PathTypeImplementationSpecific, networkingv1.PathTypePrefix}))
	}
	return errs
}

func backend(b *networkingv1.IngressBackend, at *field.Path) field.ErrorList {
	switch {
	case b.Service != nil && b.Resource != nil:
		return field.ErrorList{field.Invalid(at, "", "cannot set both resource and service backends")}
	case b.Service == nil && b.Resource == nil:
		return field.ErrorList{field.Invalid(at, "", "resource or service backend is required")}
	case b.Service == nil:
		return nil
	}
	var errs field.ErrorList
	if name := at.Child("service", "name"); b.Service.Name == "" {
		errs = append(errs, field.Required(name, ""))
	} else {
		errs = append(errs, invalid(name, b.Service.Name, utilvalidation.IsDNS1123Label(b.Service.Name))...)
	}
	port := at.Child("service", "port")
	switch p := b.Service.Port; {
	case p.Name != "" && p.Number != 0:
		return append(errs, field.Invalid(at, "", "cannot set both port name & port number"))
	case p.Name != "":
		return append(errs, invalid(port.Child("name"), p.Name, utilvalidation.IsValidPortName(p.Name))...)
	case p.Number != 0:
		return append(errs, invalid(port.Child("number"), p.Number, utilvalidation.IsValidPortNum(int(p.Number)))...)
	}
	return append(errs, field.Required(at, "port name or number is required"))
}

// reference checks a reference to an object of any kind in the same namespace.
func reference(group *string, kind, name string, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if group != nil {
		errs = append(errs, invalid(at.Child("apiGroup"), *group, utilvalidation.IsDNS1123Subdomain(*group))...)
	}
	for _, f := range []struct{ name, value string }{{"kind", kind}, {"name", name}} {
		if f.value == "" {
			errs = append(errs, field.Required(at.Child(f.name), ""))
			continue
		}
		errs = append(errs, invalid(at.Child(f.name), f.value, content.IsPathSegmentName(f.value))...)
	}
	return errs
}

func classParameters(p *networkingv1.IngressClassParametersReference, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if p.APIGroup != nil {
		errs = append(errs, invalid(at.Child("apiGroup"), *p.APIGroup, utilvalidation.IsDNS1123Subdomain(*p.APIGroup))...)
	}
	if p.Scope == nil {
		return append(errs, field.Required(at.Child("scope"), ""))
	}
	namespace := at.Child("namespace")
	switch *p.Scope {
	case networkingv1.IngressClassParametersReferenceScopeNamespace:
		if p.Namespace == nil {
			errs = append(errs, field.Required(namespace, "`parameters.scope` is set to 'Namespace'"))
		} else {
			errs = append(errs, invalid(namespace, *p.Namespace, utilvalidation.IsDNS1123Label(*p.Namespace))...)
		}
	case networkingv1.IngressClassParametersReferenceScopeCluster:
		if p.Namespace != nil {
			errs = append(errs, field.Forbidden(namespace, "`parameters.scope` is set to 'Cluster'"))
		}
	default:
		errs = append(errs, field.NotSupported(at.Child("scope"), *p.Scope, []string{"Cluster", "Namespace"}))
	}
	return errs
}

func endPort(p *networkingv1.NetworkPolicyPort, at *field.Path) field.ErrorList {
	if p.EndPort == nil {
		return nil
	}
	at = at.Child("endPort")
	switch {
	case p.Port == nil:
		return field.ErrorList{field.Invalid(at, *p.EndPort, "may not be specified when `port` is not specified")}
	case p.Port.Type == intstr.String:
		return field.ErrorList{field.Invalid(at, *p.EndPort, "may not be specified when `port` is non-numeric")}
	case *p.EndPort < p.Port.IntVal:
		return field.ErrorList{field.Invalid(at, *p.EndPort, "must be greater than or equal to `port`")}
	}
	return invalid(at, *p.EndPort, utilvalidation.IsValidPortNum(int(*p.EndPort)))
}

func except(b *networkingv1.IPBlock, at *field.Path) field.ErrorList {
	whole, err := netip.ParsePrefix(b.CIDR)
	if err != nil {
		return nil // a row reports it
	}
	var errs field.ErrorList
	for i, cidr := range b.Except {
		one := at.Child("except").Index(i)
		if found := utilvalidation.IsValidCIDRForLegacyField(one, cidr, true, nil); len(found) > 0 {
			errs = append(errs, found...)
			continue
		}
		part, err := netip.ParsePrefix(cidr)
		if err == nil && (!whole.Contains(part.Addr()) || part.Bits() <= whole.Bits()) {
			errs = append(errs, field.Invalid(one, cidr, "must be a strict subset of `cidr`"))
		}
	}
	return errs
}

// rangesRemain checks that the ranges of services do not change, except that a second one may be added.
func rangesRemain(now, was *networkingv1.ServiceCIDRSpec, at *field.Path) field.ErrorList {
	more := len(was.CIDRs) == 1 && len(now.CIDRs) == 2
	if len(now.CIDRs) != len(was.CIDRs) && !more {
		return field.ErrorList{field.Invalid(at.Child("cidrs"), now.CIDRs, validation.FieldImmutableErrorMsg)}
	}
	var errs field.ErrorList
	for i, cidr := range was.CIDRs {
		if now.CIDRs[i] != cidr {
			errs = append(errs, field.Invalid(at.Child("cidrs").Index(i), now.CIDRs[i], validation.FieldImmutableErrorMsg))
		}
	}
	if more {
		errs = append(errs, addressRanges(now, at)...)
	}
	return errs
}

func addressRanges(s *networkingv1.ServiceCIDRSpec, at *field.Path) field.ErrorList {
	at = at.Child("cidrs")
	switch {
	case len(s.CIDRs) == 0:
		return field.ErrorList{field.Required(at, "at least one CIDR required")}
	case len(s.CIDRs) > 2:
		return field.ErrorList{field.Invalid(at, internal{*s}, "may only hold up to 2 values")}
	}
	var errs field.ErrorList
	var families []bool
	for i, cidr := range s.CIDRs {
		errs = append(errs, utilvalidation.IsValidCIDR(at.Index(i), cidr)...)
		if p, err := netip.ParsePrefix(cidr); err == nil {
			families = append(families, p.Addr().Is4())
		}
	}
	if len(families) == 2 && families[0] == families[1] {
		errs = append(errs, field.Invalid(at, s.CIDRs, "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64"))
	}
	return errs
}
