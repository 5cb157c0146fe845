package validation

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var containerChecks = map[string]check{
	"container-name": of(func(name *string, at *field.Path) field.ErrorList {
		return dnsLabel(*name, at)
	}),
	"host-ports": of(func(s *corev1.PodSpec, at *field.Path) field.ErrorList {
		return hostPorts(s.Containers, at.Child("containers"))
	}),
	"optional-port": of(func(port *int32, at *field.Path) field.ErrorList {
		if *port == 0 {
			return nil
		}
		return invalid(at, *port, utilvalidation.IsValidPortNum(int(*port)))
	}),
	"variable": of(variableSource),
	"secret-name": of(func(s *corev1.SecretKeySelector, at *field.Path) field.ErrorList {
		return invalid(at.Child("name"), s.Name, utilvalidation.IsDNS1123Subdomain(s.Name))
	}),
	"resizing": of(func(list *[]corev1.ContainerResizePolicy, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		for i, p := range *list {
			if slices.ContainsFunc((*list)[:i], func(before corev1.ContainerResizePolicy) bool { return before.ResourceName == p.ResourceName }) {
				errs = append(errs, field.Duplicate(at.Index(i), p.ResourceName))
			}
			if p.ResourceName != corev1.ResourceCPU && p.ResourceName != corev1.ResourceMemory {
				errs = append(errs, field.NotSupported(at, p.ResourceName, []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory}))
			}
			if p.RestartPolicy != corev1.NotRequired && p.RestartPolicy != corev1.RestartContainer {
				errs = append(errs, field.NotSupported(at, p.RestartPolicy, []corev1.ResourceResizeRestartPolicy{corev1.NotRequired, corev1.RestartContainer}))
			}
		}
		return errs
	}),
	"succeeds-once": of(func(p *corev1.Probe, at *field.Path) field.ErrorList {
		if p.SuccessThreshold != 1 {
			return field.ErrorList{field.Invalid(at.Child("successThreshold"), p.SuccessThreshold, "must be 1")}
		}
		return nil
	}),
	"no-grace": of(func(p *corev1.Probe, at *field.Path) field.ErrorList {
		if g := p.TerminationGracePeriodSeconds; g != nil {
			return field.ErrorList{field.Invalid(at.Child("terminationGracePeriodSeconds"), *g, "must not be set for readinessProbes")}
		}
		return nil
	}),
	"header-names": of(func(get *corev1.HTTPGetAction, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		for _, h := range get.HTTPHeaders {
			errs = append(errs, invalid(at.Child("httpHeaders"), h.Name, utilvalidation.IsHTTPHeaderName(h.Name))...)
		}
		return errs
	}),
	"privilege": of(func(c *corev1.SecurityContext, at *field.Path) field.ErrorList {
		if c.AllowPrivilegeEscalation == nil || *c.AllowPrivilegeEscalation {
			return nil
		}
		var errs field.ErrorList
		if c.Privileged != nil && *c.Privileged {
			errs = append(errs, field.Invalid(at, internal{c}, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true"))
		}
		if c.Capabilities != nil && slices.Contains(c.Capabilities.Add, "CAP_SYS_ADMIN") {
			errs = append(errs, field.Invalid(at, internal{c}, "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN"))
		}
		return errs
	}),
	"config-map-name": of(func(s *corev1.ConfigMapKeySelector, at *field.Path) field.ErrorList {
		return invalid(at.Child("name"), s.Name, utilvalidation.IsDNS1123Subdomain(s.Name))
	}),
}

// dnsLabel checks a label, with a message of its own for dots.
func dnsLabel(name string, at *field.Path) field.ErrorList {
	return invalid(at, name, utilvalidation.IsDNS1123Label(name))
}

var variableFields = []string{
	"metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName",
	"status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs",
}

var resourceFields = []string{
	"limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory",
}

// variableSource checks the source of a variable.
func variableSource(v *corev1.EnvVar, at *field.Path) field.ErrorList {
	from := v.ValueFrom
	if from == nil {
		return nil
	}
	at = at.Child("valueFrom")
	var errs field.ErrorList
	n := 0
	count := func(set bool) {
		if set {
			n++
		}
	}
	count(from.FieldRef != nil)
	count(from.ResourceFieldRef != nil)
	count(from.ConfigMapKeyRef != nil)
	count(from.SecretKeyRef != nil)
	count(from.FileKeyRef != nil)
	if from.FieldRef != nil {
		errs = append(errs, podField(from.FieldRef, variableFields, at.Child("fieldRef"))...)
	}
	if from.ResourceFieldRef != nil {
		errs = append(errs, resourceField(from.ResourceFieldRef, at.Child("resourceFieldRef"))...)
	}
	switch {
	case n == 0:
		errs = append(errs, field.Invalid(at, "", "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"))
	case v.Value != "":
		errs = append(errs, field.Invalid(at, "", "may not be specified when `value` is not empty"))
	case n > 1:
		errs = append(errs, field.Invalid(at, "", "may not have more than one field specified at a time"))
	}
	return errs
}

// podField checks a reference to a field of the pod.
func podField(ref *corev1.ObjectFieldSelector, supported []string, at *field.Path) field.ErrorList {
	if ref.FieldPath == "" {
		return required(true, at.Child("fieldPath"))
	}
	if ref.APIVersion != "v1" && ref.APIVersion != "" { // "" is v1
		return field.ErrorList{field.Invalid(at.Child("fieldPath"), ref.FieldPath, "error converting fieldPath: unsupported pod version: "+ref.APIVersion)}
	}
	if path, key, ok := strings.Cut(strings.TrimSuffix(ref.FieldPath, "']"), "['"); ok && strings.HasSuffix(ref.FieldPath, "']") {
		switch path {
		case "metadata.annotations":
			return invalid(at, strings.ToLower(key), utilvalidation.IsQualifiedName(strings.ToLower(key)))
		case "metadata.labels":
			return invalid(at, key, utilvalidation.IsQualifiedName(key))
		}
		return field.ErrorList{field.Invalid(at.Child("fieldPath"), ref.FieldPath, "error converting fieldPath: field label does not support subscript: "+ref.FieldPath)}
	}
	at = at.Child("fieldPath")
	switch {
	case slices.Contains(supported, ref.FieldPath):
		return nil
	case slices.Contains(variableFields, ref.FieldPath), slices.Contains(podFields, ref.FieldPath):
		return field.ErrorList{field.NotSupported(at, ref.FieldPath, supported)}
	}
	return field.ErrorList{field.Invalid(at, ref.FieldPath, "error converting fieldPath: field label not supported: "+ref.FieldPath)}
}

// podFields are the other fields that can be selected.
var podFields = []string{
	"metadata.annotations", "metadata.labels", "spec.restartPolicy", "spec.schedulerName", "spec.hostNetwork",
	"status.phase", "status.nominatedNodeName",
}

// resourceField checks a reference to a resource of a container.
func resourceField(ref *corev1.ResourceFieldSelector, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	name := ref.Resource
	switch {
	case name == "":
		errs = append(errs, field.Required(at.Child("resource"), ""))
	case slices.Contains(resourceFields, name), strings.HasPrefix(name, "limits.hugepages-"), strings.HasPrefix(name, "requests.hugepages-"):
	default:
		errs = append(errs, field.NotSupported(at.Child("resource"), name, resourceFields))
	}
	_, kind, _ := strings.Cut(name, ".")
	const amounts = "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei"
	divisors, what := amounts, kind
	switch {
	case kind == "cpu":
		divisors = "1m and 1"
	case kind == "ephemeral-storage":
		what = "local ephemeral storage"
	case strings.HasPrefix(kind, corev1.ResourceHugePagesPrefix):
		what = "hugepages"
	case kind != "memory":
		return errs
	}
	separate := func(r rune) bool { return r == ' ' || r == ',' }
	if ref.Divisor.Cmp(resource.Quantity{}) == 0 || slices.Contains(strings.FieldsFunc(divisors, separate), ref.Divisor.String()) {
		return errs
	}
	return append(errs, field.Invalid(at.Child("divisor"), name, fmt.Sprintf("only divisor's values %s are supported with the %s resource", divisors, what)))
}
