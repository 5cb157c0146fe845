package kinds

import (
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// balanced is where the addresses of a load balancer are.
var balanced = field.NewPath("status", "loadBalancer", "ingress")

// warnAddress warns of an address in a form that is not the usual one, if there is an address.
func warnAddress(at *field.Path, ip string) []string {
	if ip == "" {
		return nil
	}
	return utilvalidation.GetWarningsForIP(at, ip)
}

func warnServiceStatus(obj runtime.Object) []string {
	var out []string
	for i, in := range obj.(*corev1.Service).Status.LoadBalancer.Ingress {
		out = append(out, warnAddress(balanced.Index(i), in.IP)...)
	}
	return out
}

func warnIngressStatus(obj runtime.Object) []string {
	var out []string
	for i, in := range obj.(*networkingv1.Ingress).Status.LoadBalancer.Ingress {
		out = append(out, warnAddress(balanced.Index(i), in.IP)...)
	}
	return out
}

func warnPodStatus(obj runtime.Object) []string {
	s, at := &obj.(*corev1.Pod).Status, field.NewPath("status")
	var out []string
	for i, ip := range s.PodIPs {
		out = append(out, warnAddress(at.Child("podIPs").Index(i).Child("ip"), ip.IP)...)
	}
	for i, ip := range s.HostIPs {
		out = append(out, warnAddress(at.Child("hostIPs").Index(i).Child("ip"), ip.IP)...)
	}
	return out
}

// warnEndpoints warns of addresses, except those of the controller, which writes them in the usual form.
func warnEndpoints(obj, _ runtime.Object) []string {
	e := obj.(*corev1.Endpoints) //nolint:staticcheck // still served
	if e.Labels["endpoints.kubernetes.io/managed-by"] == "endpoint-controller" {
		return nil
	}
	var out []string
	for i, s := range e.Subsets {
		at := field.NewPath("subsets").Index(i)
		for j, a := range s.Addresses {
			out = append(out, warnAddress(at.Child("addresses").Index(j).Child("ip"), a.IP)...)
		}
		for j, a := range s.NotReadyAddresses {
			out = append(out, warnAddress(at.Child("notReadyAddresses").Index(j).Child("ip"), a.IP)...)
		}
	}
	return out
}

func warnNetworkPolicy(obj, _ runtime.Object) []string {
	s := &obj.(*networkingv1.NetworkPolicy).Spec
	var out []string
	peers := func(list []networkingv1.NetworkPolicyPeer, at *field.Path) {
		for i, peer := range list {
			if b := peer.IPBlock; b != nil {
				block := at.Index(i).Child("ipBlock")
				out = append(out, utilvalidation.GetWarningsForCIDR(block.Child("cidr"), b.CIDR)...)
				for j, cidr := range b.Except {
					out = append(out, utilvalidation.GetWarningsForCIDR(block.Child("except").Index(j), cidr)...)
				}
			}
		}
	}
	for i := range s.Ingress {
		peers(s.Ingress[i].From, field.NewPath("spec", "ingress").Index(i).Child("from"))
	}
	for i := range s.Egress {
		peers(s.Egress[i].To, field.NewPath("spec", "egress").Index(i).Child("to"))
	}
	return out
}
