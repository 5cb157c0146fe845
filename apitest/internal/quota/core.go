package quota

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apiserver/pkg/admission"

	"github.com/listwatch/listwatch/apitest/internal/limits"
)

// The measures of pods, services and claims.

func handlesWrite(a admission.Attributes) bool {
	return a.GetSubresource() == "" && (a.GetOperation() == admission.Create || a.GetOperation() == admission.Update)
}

func handlesPod(a admission.Attributes) bool {
	switch a.GetSubresource() {
	case "resize":
		return a.GetOperation() == admission.Update
	case "":
		if a.GetOperation() == admission.Update {
			pod, ok := a.GetObject().(*corev1.Pod)
			old, known := a.GetOldObject().(*corev1.Pod)
			return ok && known && terminates(pod) != terminates(old)
		}
		return a.GetOperation() == admission.Create
	}
	return false
}

// measured are the resources of pods whose requests and limits count.
var measured = []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage}

const requests, limit = corev1.DefaultResourceRequestsPrefix, "limits."

func coversPod(name corev1.ResourceName) bool {
	text := string(name)
	if name == corev1.ResourcePods || name == "count/pods" || strings.HasPrefix(text, corev1.ResourceHugePagesPrefix) {
		return true
	}
	short, requested := strings.CutPrefix(text, requests)
	if requested && (strings.HasPrefix(short, corev1.ResourceHugePagesPrefix) || extended(short)) {
		return true
	}
	if bare, limited := strings.CutPrefix(short, limit); limited && !requested {
		short = bare
	}
	return slices.Contains(measured, corev1.ResourceName(short))
}

// extended reports whether a resource is one of a vendor.
func extended(name string) bool {
	return strings.Contains(name, "/") && !strings.Contains(name, corev1.ResourceDefaultNamespacePrefix)
}

func usageOfPod(object runtime.Object) corev1.ResourceList {
	pod, ok := object.(*corev1.Pod)
	if !ok {
		return nil
	}
	usage := corev1.ResourceList{"count/pods": count(1)}
	if finished(pod) {
		return usage
	}
	usage[corev1.ResourcePods] = count(1)
	for name, quantity := range limits.Requests(pod) {
		switch {
		case slices.Contains(measured, name), strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix):
			usage[name], usage[requests+name] = quantity, quantity
		case extended(string(name)):
			usage[requests+name] = quantity
		}
	}
	for name, quantity := range limits.Limits(pod) {
		if slices.Contains(measured, name) {
			usage[limit+name] = quantity
		}
	}
	return usage
}

// finished reports whether a pod does not use anything any more.
func finished(pod *corev1.Pod) bool {
	if pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded {
		return true
	}
	if pod.DeletionTimestamp == nil || pod.DeletionGracePeriodSeconds == nil {
		return false
	}
	return time.Now().After(pod.DeletionTimestamp.Add(time.Duration(*pod.DeletionGracePeriodSeconds) * time.Second))
}

// lacksOfPod lists the required resources that containers do not set, with their names.
func lacksOfPod(required []corev1.ResourceName, object runtime.Object) []string {
	pod, ok := object.(*corev1.Pod)
	if !ok || pod.Spec.Resources != nil && len(pod.Spec.Resources.Requests)+len(pod.Spec.Resources.Limits) > 0 {
		return nil
	}
	var out []string
	for _, name := range slices.Sorted(slices.Values(required)) {
		field, short := "requests", strings.TrimPrefix(string(name), requests)
		if bare, limited := strings.CutPrefix(string(name), limit); limited {
			field, short = "limits", bare
		}
		if short != string(corev1.ResourceCPU) && short != string(corev1.ResourceMemory) {
			continue
		}
		var missing []string
		for _, c := range slices.Concat(pod.Spec.Containers, pod.Spec.InitContainers) {
			list := c.Resources.Requests
			if field == "limits" {
				list = c.Resources.Limits
			}
			if _, ok := list[corev1.ResourceName(short)]; !ok {
				missing = append(missing, c.Name)
			}
		}
		if len(missing) > 0 {
			slices.Sort(missing)
			out = append(out, fmt.Sprintf("%s for: %s", name, strings.Join(slices.Compact(missing), ",")))
		}
	}
	return out
}

func scopeOfPod(selector corev1.ScopedResourceSelectorRequirement, object runtime.Object) bool {
	pod, ok := object.(*corev1.Pod)
	if !ok {
		return false
	}
	switch selector.ScopeName {
	case corev1.ResourceQuotaScopeTerminating:
		return terminates(pod)
	case corev1.ResourceQuotaScopeNotTerminating:
		return !terminates(pod)
	case corev1.ResourceQuotaScopeBestEffort:
		return bestEffort(pod)
	case corev1.ResourceQuotaScopeNotBestEffort:
		return !bestEffort(pod)
	case corev1.ResourceQuotaScopePriorityClass:
		return selects(selector, pod.Spec.PriorityClassName)
	case corev1.ResourceQuotaScopeCrossNamespacePodAffinity:
		return crossesNamespaces(pod.Spec.Affinity)
	}
	return false
}

func terminates(pod *corev1.Pod) bool {
	return pod.Spec.ActiveDeadlineSeconds != nil && *pod.Spec.ActiveDeadlineSeconds >= 0
}

// bestEffort reports whether a pod neither requests CPU and memory nor limits them.
func bestEffort(pod *corev1.Pod) bool {
	for _, list := range []corev1.ResourceList{limits.Requests(pod), limits.Limits(pod)} {
		if !list.Cpu().IsZero() || !list.Memory().IsZero() {
			return false
		}
	}
	return true
}

// selects reports whether a selector of a scope matches a value, "" if there is none.
func selects(selector corev1.ScopedResourceSelectorRequirement, value string) bool {
	operators := map[corev1.ScopeSelectorOperator]selection.Operator{
		corev1.ScopeSelectorOpIn:           selection.In,
		corev1.ScopeSelectorOpNotIn:        selection.NotIn,
		corev1.ScopeSelectorOpExists:       selection.Exists,
		corev1.ScopeSelectorOpDoesNotExist: selection.DoesNotExist,
	}
	requirement, err := labels.NewRequirement(string(selector.ScopeName), operators[selector.Operator], selector.Values)
	if err != nil {
		return false
	}
	set := labels.Set{}
	if value != "" {
		set[string(selector.ScopeName)] = value
	}
	return requirement.Matches(set)
}

func crossesNamespaces(affinity *corev1.Affinity) bool {
	if affinity == nil {
		return false
	}
	var terms []corev1.PodAffinityTerm
	var weighted []corev1.WeightedPodAffinityTerm
	if a := affinity.PodAffinity; a != nil {
		terms = append(terms, a.RequiredDuringSchedulingIgnoredDuringExecution...)
		weighted = append(weighted, a.PreferredDuringSchedulingIgnoredDuringExecution...)
	}
	if a := affinity.PodAntiAffinity; a != nil {
		terms = append(terms, a.RequiredDuringSchedulingIgnoredDuringExecution...)
		weighted = append(weighted, a.PreferredDuringSchedulingIgnoredDuringExecution...)
	}
	for _, w := range weighted {
		terms = append(terms, w.PodAffinityTerm)
	}
	return slices.ContainsFunc(terms, func(t corev1.PodAffinityTerm) bool { return len(t.Namespaces) > 0 || t.NamespaceSelector != nil })
}

func coversService(name corev1.ResourceName) bool {
	return slices.Contains([]corev1.ResourceName{"count/services", corev1.ResourceServices, corev1.ResourceServicesNodePorts, corev1.ResourceServicesLoadBalancers}, name)
}

func usageOfService(object runtime.Object) corev1.ResourceList {
	service, ok := object.(*corev1.Service)
	if !ok {
		return nil
	}
	ports, balancers := 0, 0
	switch service.Spec.Type {
	case corev1.ServiceTypeNodePort:
		ports = len(service.Spec.Ports)
	case corev1.ServiceTypeLoadBalancer:
		balancers = 1
		allocate := service.Spec.AllocateLoadBalancerNodePorts
		for _, port := range service.Spec.Ports {
			if allocate == nil || *allocate || port.NodePort != 0 {
				ports++
			}
		}
	}
	return corev1.ResourceList{
		"count/services":                     count(1),
		corev1.ResourceServices:              count(1),
		corev1.ResourceServicesNodePorts:     count(ports),
		corev1.ResourceServicesLoadBalancers: count(balancers),
	}
}

// ofClass is what names of quotas have between a storage class and a measure.
const ofClass = ".storageclass.storage.k8s.io/"

func coversClaim(name corev1.ResourceName) bool {
	if _, measure, ok := strings.Cut(string(name), ofClass); ok {
		name = corev1.ResourceName(measure)
	} else if name == "count/persistentvolumeclaims" {
		return true
	}
	return name == corev1.ResourcePersistentVolumeClaims || name == corev1.ResourceRequestsStorage
}

func usageOfClaim(object runtime.Object) corev1.ResourceList {
	claim, ok := object.(*corev1.PersistentVolumeClaim)
	if !ok {
		return nil
	}
	usage := corev1.ResourceList{"count/persistentvolumeclaims": count(1), corev1.ResourcePersistentVolumeClaims: count(1)}
	if size, ok := claim.Spec.Resources.Requests[corev1.ResourceStorage]; ok {
		if had, ok := claim.Status.AllocatedResources[corev1.ResourceStorage]; ok && had.Cmp(size) > 0 {
			size = had
		}
		size = size.DeepCopy()
		size.RoundUp(0)
		usage[corev1.ResourceRequestsStorage] = size
	}
	class := claim.Annotations[corev1.BetaStorageClassAnnotation]
	if class == "" && claim.Spec.StorageClassName != nil {
		class = *claim.Spec.StorageClassName
	}
	if class != "" {
		for _, name := range []corev1.ResourceName{corev1.ResourcePersistentVolumeClaims, corev1.ResourceRequestsStorage} {
			if quantity, ok := usage[name]; ok {
				usage[corev1.ResourceName(class+ofClass)+name] = quantity
			}
		}
	}
	return usage
}

func scopeOfClaim(selector corev1.ScopedResourceSelectorRequirement, object runtime.Object) bool {
	claim, ok := object.(*corev1.PersistentVolumeClaim)
	if !ok || selector.ScopeName != corev1.ResourceQuotaScopeVolumeAttributesClass {
		return false
	}
	var classes []string
	add := func(name *string) {
		if name != nil && *name != "" {
			classes = append(classes, *name)
		}
	}
	add(claim.Spec.VolumeAttributesClassName)
	add(claim.Status.CurrentVolumeAttributesClassName)
	if m := claim.Status.ModifyVolumeStatus; m != nil {
		add(&m.TargetVolumeAttributesClassName)
	}
	if len(classes) == 0 {
		return selects(selector, "")
	}
	return slices.ContainsFunc(classes, func(class string) bool { return selects(selector, class) })
}
