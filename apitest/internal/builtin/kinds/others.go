package kinds

import (
	"reflect"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// webhooksChanged reports whether webhooks differ, also in an empty list instead of none.
func webhooksChanged(obj, old runtime.Object) bool {
	switch o := obj.(type) {
	case *admissionv1.ValidatingWebhookConfiguration:
		return !reflect.DeepEqual(o.Webhooks, old.(*admissionv1.ValidatingWebhookConfiguration).Webhooks)
	case *admissionv1.MutatingWebhookConfiguration:
		return !reflect.DeepEqual(o.Webhooks, old.(*admissionv1.MutatingWebhookConfiguration).Webhooks)
	}
	return false
}

// EnforceSecrets is the annotation of service accounts whose pods may only refer to their secrets.
const EnforceSecrets = "kubernetes.io/enforce-mountable-secrets"

// accountRules are those of service accounts, whose secrets are stored by name.
func accountRules(r *Rules) {
	name := func(obj runtime.Object) {
		secrets := obj.(*corev1.ServiceAccount).Secrets
		for i := range secrets {
			secrets[i] = corev1.ObjectReference{Name: secrets[i].Name}
		}
	}
	r.PrepareCreate = name
	r.PrepareUpdate = func(obj, _ runtime.Object) { name(obj) }
	r.Warn = func(obj, old runtime.Object) []string {
		if _, ok := obj.(*corev1.ServiceAccount).Annotations[EnforceSecrets]; !ok {
			return nil
		}
		if o, ok := old.(*corev1.ServiceAccount); ok {
			if _, ok := o.Annotations[EnforceSecrets]; ok {
				return nil
			}
		}
		return []string{"metadata.annotations[" + EnforceSecrets + "]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets"}
	}
}

// nodeRules are those of nodes, which may be created with a status.
func nodeRules(r *Rules) {
	r.Fields, r.KeepsStatus = nodeFields, true
	r.Warn = func(obj, _ runtime.Object) []string {
		s := &obj.(*corev1.Node).Spec
		var out []string
		if s.DoNotUseExternalID != "" {
			out = append(out, "spec.externalID: this field is deprecated, and is unused by Kubernetes")
		}
		for i, cidr := range s.PodCIDRs {
			out = append(out, utilvalidation.GetWarningsForCIDR(field.NewPath("spec", "podCIDRs").Index(i), cidr)...)
		}
		return out
	}
}

// sliceRules are those of endpoint slices. v1 does not write the topology of endpoints.
func sliceRules(r *Rules) {
	r.PrepareCreate = func(obj runtime.Object) { dropTopology(obj.(*discoveryv1.EndpointSlice)) }
	r.Canonicalize = func(obj runtime.Object) { dropTopology(obj.(*discoveryv1.EndpointSlice)) } // after generations are compared
	r.Changed = func(obj, old runtime.Object) bool {
		return !equality.Semantic.DeepEqual(obj.(*discoveryv1.EndpointSlice).Labels, old.(*discoveryv1.EndpointSlice).Labels)
	}
	r.Warn = func(obj, old runtime.Object) []string {
		if old != nil || obj.(*discoveryv1.EndpointSlice).AddressType != discoveryv1.AddressTypeFQDN {
			return nil
		}
		return []string{"spec.addressType: FQDN endpoints are deprecated"}
	}
}

func dropTopology(s *discoveryv1.EndpointSlice) {
	for i := range s.Endpoints {
		s.Endpoints[i].DeprecatedTopology = nil
	}
}

// networkPolicyRules are those of network policies, of which also an empty list instead of none is a change.
func networkPolicyRules(r *Rules) {
	r.Changed = func(obj, old runtime.Object) bool {
		return !reflect.DeepEqual(obj.(*networkingv1.NetworkPolicy).Spec, old.(*networkingv1.NetworkPolicy).Spec)
	}
	r.Warn = warnNetworkPolicy
}

// priorityClassRules are those of priority classes, whose generation remains 1.
func priorityClassRules(r *Rules) {
	r.PrepareCreate = func(obj runtime.Object) { obj.(*schedulingv1.PriorityClass).Generation = 1 }
}

// addressName checks the name of an IP address, which is the address.
func addressName(name string, _ bool) []string {
	var texts []string
	for _, err := range utilvalidation.IsValidIP(nil, name) {
		texts = append(texts, err.Detail)
	}
	return texts
}
