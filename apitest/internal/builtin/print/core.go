package print

import (
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/listwatch/listwatch/apitest/internal/builtin/kinds"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func configMapCells(o *corev1.ConfigMap) []any {
	return []any{o.Name, int64(len(o.Data) + len(o.BinaryData)), age(o)}
}

func secretCells(o *corev1.Secret) []any {
	return []any{o.Name, string(o.Type), int64(len(o.Data)), age(o)}
}

func serviceAccountCells(o *corev1.ServiceAccount) []any {
	return []any{o.Name, age(o)}
}

func namespaceCells(o *corev1.Namespace) []any {
	return []any{o.Name, string(o.Status.Phase), age(o)}
}

func networkPolicyCells(o *networkingv1.NetworkPolicy) []any {
	return []any{o.Name, metav1.FormatLabelSelector(&o.Spec.PodSelector), age(o)}
}

func serviceCIDRCells(o *networkingv1.ServiceCIDR) []any {
	return []any{o.Name, strings.Join(o.Spec.CIDRs, ","), age(o)}
}

func ipAddressCells(o *networkingv1.IPAddress) []any {
	parent := none
	if p := o.Spec.ParentRef; p != nil {
		parent = schema.GroupResource{Group: p.Group, Resource: p.Resource}.String()
		if p.Namespace != "" {
			parent += "/" + p.Namespace
		}
		parent += "/" + p.Name
	}
	return []any{o.Name, parent, age(o)}
}

func nodeCells(o *corev1.Node) []any {
	status := "Unknown"
	for _, c := range o.Status.Conditions {
		if c.Type == corev1.NodeReady {
			status = "NotReady"
			if c.Status == corev1.ConditionTrue {
				status = "Ready"
			}
		}
	}
	if o.Spec.Unschedulable {
		status += ",SchedulingDisabled"
	}
	roles := map[string]bool{}
	for key, value := range o.Labels {
		if role, ok := strings.CutPrefix(key, "node-role.kubernetes.io/"); ok && role != "" {
			roles[role] = true
		} else if key == "kubernetes.io/role" && value != "" {
			roles[value] = true
		}
	}
	address := func(t corev1.NodeAddressType) string {
		for _, a := range o.Status.Addresses {
			if a.Type == t {
				return a.Address
			}
		}
		return none
	}
	info := o.Status.NodeInfo
	kernel := or(info.KernelVersion, unknown)
	if info.Architecture != "" {
		kernel += " (" + info.Architecture + ")"
	}
	return []any{o.Name, status, or(strings.Join(slices.Sorted(maps.Keys(roles)), ","), none), age(o), info.KubeletVersion,
		address(corev1.NodeInternalIP), address(corev1.NodeExternalIP), or(info.OSImage, unknown), kernel, or(info.ContainerRuntimeVersion, unknown)}
}

func phaseOf(m metav1.Object, phase string) string {
	if m.GetDeletionTimestamp() != nil {
		return "Terminating"
	}
	return phase
}

func volumeCells(o *corev1.PersistentVolume) []any {
	claim := ""
	if ref := o.Spec.ClaimRef; ref != nil {
		claim = ref.Namespace + "/" + ref.Name
	}
	size := o.Spec.Capacity[corev1.ResourceStorage]
	return []any{o.Name, size.String(), modesText(o.Spec.AccessModes), string(o.Spec.PersistentVolumeReclaimPolicy),
		phaseOf(o, string(o.Status.Phase)), claim, or(o.Annotations[corev1.BetaStorageClassAnnotation], o.Spec.StorageClassName),
		text(o.Spec.VolumeAttributesClassName), o.Status.Reason, age(o), text(o.Spec.VolumeMode)}
}

func claimCells(o *corev1.PersistentVolumeClaim) []any {
	var size, modes string
	if o.Spec.VolumeName != "" {
		capacity := o.Status.Capacity[corev1.ResourceStorage]
		size, modes = capacity.String(), modesText(o.Status.AccessModes)
	}
	class := or(o.Annotations[corev1.BetaStorageClassAnnotation], value(o.Spec.StorageClassName))
	return []any{o.Name, phaseOf(o, string(o.Status.Phase)), o.Spec.VolumeName, size, modes, class,
		text(o.Spec.VolumeAttributesClassName), age(o), text(o.Spec.VolumeMode)}
}

// modesText abbreviates access modes, each once, in a fixed order.
func modesText(modes []corev1.PersistentVolumeAccessMode) string {
	var out []string
	for _, m := range []struct {
		mode corev1.PersistentVolumeAccessMode
		text string
	}{
		{corev1.ReadWriteOnce, "RWO"}, {corev1.ReadOnlyMany, "ROX"}, {corev1.ReadWriteMany, "RWX"}, {corev1.ReadWriteOncePod, "RWOP"},
	} {
		if slices.Contains(modes, m.mode) {
			out = append(out, m.text)
		}
	}
	return strings.Join(out, ",")
}

func quotaCells(o *corev1.ResourceQuota) []any {
	var requests, limits []string
	for _, name := range slices.Sorted(maps.Keys(o.Status.Hard)) {
		used, hard := o.Status.Used[name], o.Status.Hard[name]
		line := fmt.Sprintf("%s: %s/%s", name, used.String(), hard.String())
		if strings.HasPrefix(string(name), "limits.") {
			limits = append(limits, line)
		} else {
			requests = append(requests, line)
		}
	}
	return []any{o.Name, strings.Join(requests, ", "), strings.Join(limits, ", "), age(o)}
}

func eventCells(o *corev1.Event) []any {
	first := since(o.FirstTimestamp.Time)
	if o.FirstTimestamp.IsZero() {
		first = since(o.EventTime.Time)
	}
	last, count := since(o.LastTimestamp.Time), max(o.Count, 1)
	if o.LastTimestamp.IsZero() {
		last = first
	}
	if o.Series != nil {
		last, count = since(o.Series.LastObservedTime.Time), o.Series.Count
	}
	object := strings.ToLower(o.InvolvedObject.Kind)
	if o.InvolvedObject.Name != "" {
		object += "/" + o.InvolvedObject.Name
	}
	source := or(o.Source.Component, o.ReportingController)
	if host := or(o.Source.Host, o.ReportingInstance); host != "" {
		source += ", " + host
	}
	return []any{last, o.Type, o.Reason, object, o.InvolvedObject.FieldPath, source, strings.TrimSpace(o.Message), first, int64(count), o.Name}
}

func serviceCells(o *corev1.Service) []any {
	ip := none
	if len(o.Spec.ClusterIPs) > 0 {
		ip = o.Spec.ClusterIPs[0]
	}
	var ports []string
	for _, p := range o.Spec.Ports {
		port := fmt.Sprint(p.Port)
		if p.NodePort > 0 {
			port += fmt.Sprintf(":%d", p.NodePort)
		}
		ports = append(ports, port+"/"+string(p.Protocol))
	}
	return []any{o.Name, string(o.Spec.Type), ip, externalAddress(o), or(strings.Join(ports, ","), none), age(o), labels.FormatLabels(o.Spec.Selector)}
}

func externalAddress(o *corev1.Service) string {
	switch o.Spec.Type {
	case corev1.ServiceTypeExternalName:
		return o.Spec.ExternalName
	case corev1.ServiceTypeClusterIP, corev1.ServiceTypeNodePort:
		return or(strings.Join(o.Spec.ExternalIPs, ","), none)
	case corev1.ServiceTypeLoadBalancer:
		addresses := map[string]bool{}
		for _, i := range o.Status.LoadBalancer.Ingress {
			addresses[or(i.IP, i.Hostname)] = true
		}
		return or(strings.Join(append(addressList(addresses), o.Spec.ExternalIPs...), ","), "<pending>")
	}
	return unknown
}

func addressList(addresses map[string]bool) []string {
	delete(addresses, "")
	return slices.Sorted(maps.Keys(addresses))
}

//nolint:staticcheck // deprecated, but served
func endpointsCells(o *corev1.Endpoints) []any {
	return []any{o.Name, endpointsText(o.Subsets), age(o)}
}

//nolint:staticcheck // deprecated, but served
func endpointsText(subsets []corev1.EndpointSubset) string {
	var list []string
	for _, s := range subsets {
		if len(s.Ports) == 0 {
			for _, a := range s.Addresses {
				list = append(list, a.IP)
			}
		}
		for _, p := range s.Ports {
			for _, a := range s.Addresses {
				list = append(list, net.JoinHostPort(a.IP, strconv.Itoa(int(p.Port))))
			}
		}
	}
	if len(list) == 0 && len(subsets) > 0 {
		return ""
	}
	return some(list, 3)
}

func sliceCells(o *discoveryv1.EndpointSlice) []any {
	var ports, addresses []string
	for _, p := range o.Ports {
		switch {
		case p.Port != nil:
			ports = append(ports, fmt.Sprint(*p.Port))
		case p.Name != nil:
			ports = append(ports, *p.Name)
		default:
			ports = append(ports, "*")
		}
	}
	for _, e := range o.Endpoints {
		addresses = append(addresses, e.Addresses...)
	}
	return []any{o.Name, string(o.AddressType), orUnset(ports), orUnset(addresses), age(o)}
}

func orUnset(list []string) string {
	if len(list) == 0 {
		return unset
	}
	return some(list, 3)
}

func ingressCells(o *networkingv1.Ingress) []any {
	class := none
	if o.Spec.IngressClassName != nil {
		class = *o.Spec.IngressClassName
	}
	var hosts []string
	for _, r := range o.Spec.Rules {
		if r.Host != "" {
			hosts = append(hosts, r.Host)
		}
	}
	shown := "*"
	if len(hosts) > 0 {
		shown = some(hosts, 3)
	}
	addresses := map[string]bool{}
	for _, i := range o.Status.LoadBalancer.Ingress {
		addresses[or(i.IP, i.Hostname)] = true
	}
	ports := "80"
	if len(o.Spec.TLS) > 0 {
		ports = "80, 443"
	}
	return []any{o.Name, class, shown, strings.Join(addressList(addresses), ","), ports, age(o)}
}

func ingressClassCells(o *networkingv1.IngressClass) []any {
	name, parameters := o.Name, none
	if kinds.IsDefaultIngressClass(o) {
		name += isDefault
	}
	if p := o.Spec.Parameters; p != nil {
		parameters = p.Kind
		if p.APIGroup != nil {
			parameters += "." + *p.APIGroup
		}
		parameters += "/" + p.Name
	}
	return []any{name, o.Spec.Controller, parameters, age(o)}
}
