package validation

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var statusChecks = map[string]check{
	"never-less": func(p place) field.ErrorList {
		if now, was := numberIn(p.value), numberIn(p.old); !p.old.IsNil() && (p.value.IsNil() || now < was) {
			return field.ErrorList{field.Invalid(p.path, now, "cannot be decremented")}
		}
		return nil
	},
	"conditions": of(func(list *[]metav1.Condition, at *field.Path) field.ErrorList {
		return metavalidation.ValidateConditions(*list, at)
	}),
	"namespace-phase": of(func(ns *corev1.Namespace, _ *field.Path) field.ErrorList {
		at := field.NewPath("status", "Phase")
		switch {
		case ns.DeletionTimestamp == nil && ns.Status.Phase != corev1.NamespaceActive:
			return field.ErrorList{field.Invalid(at, ns.Status.Phase, "may only be 'Active' if `deletionTimestamp` is empty")}
		case ns.DeletionTimestamp != nil && ns.Status.Phase != corev1.NamespaceTerminating:
			return field.ErrorList{field.Invalid(at, ns.Status.Phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")}
		}
		return nil
	}),
	"balanced-only": of(func(s *corev1.Service, _ *field.Path) field.ErrorList {
		if s.Spec.Type == corev1.ServiceTypeLoadBalancer || len(s.Status.LoadBalancer.Ingress) == 0 {
			return nil
		}
		return field.ErrorList{field.Forbidden(field.NewPath("status", "loadBalancer", "ingress"), "may only be used when `spec.type` is 'LoadBalancer'")}
	}),
	"address-mode": of(func(in *corev1.LoadBalancerIngress, at *field.Path) field.ErrorList {
		at = at.Child("ipMode")
		switch {
		case in.IPMode == nil:
		case in.IP == "":
			return field.ErrorList{field.Forbidden(at, "may not be specified when `ip` is not set")}
		case *in.IPMode != corev1.LoadBalancerIPModeProxy && *in.IPMode != corev1.LoadBalancerIPModeVIP:
			return field.ErrorList{field.NotSupported(at, *in.IPMode, []corev1.LoadBalancerIPMode{corev1.LoadBalancerIPModeProxy, corev1.LoadBalancerIPModeVIP})}
		}
		return nil
	}),
	"balancer-name": of(func(name *string, at *field.Path) field.ErrorList {
		if *name == "" {
			return nil
		}
		errs := invalid(at, *name, utilvalidation.IsDNS1123Subdomain(*name))
		if len(utilvalidation.IsValidIP(at, *name)) == 0 {
			errs = append(errs, field.Invalid(at, *name, "must be a DNS name, not an IP address"))
		}
		return errs
	}),
	"distinct-addresses": of(func(list *[]corev1.NodeAddress, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		for i, a := range *list {
			if slices.Contains((*list)[:i], a) {
				errs = append(errs, field.Duplicate(at.Index(i), internal{a}))
			}
		}
		return errs
	}),
	"node-amounts": func(p place) field.ErrorList {
		list, _ := p.value.Interface().(corev1.ResourceList)
		var errs field.ErrorList
		for _, name := range names(list) {
			errs = append(errs, amountOf(name, list[name], p.path.Child(string(name)))...)
		}
		return errs
	},
	"declared-features": of(declaredFeatures),
	"claim-amounts": func(p place) field.ErrorList {
		list, _ := p.value.Interface().(corev1.ResourceList)
		var errs field.ErrorList
		for _, name := range names(list) {
			if q := list[name]; q.Value() < 0 {
				errs = append(errs, field.Invalid(p.path.Key(string(name)), q.Value(), "must be a valid resource quantity"))
			}
		}
		return errs
	},
	"claim-resources": func(p place) field.ErrorList {
		list, _ := p.value.Interface().(corev1.ResourceList)
		var errs field.ErrorList
		for _, name := range names(list) {
			errs = append(errs, claimResource(name, p.path)...)
		}
		return errs
	},
	"claim-resizes": of(func(statuses *map[corev1.ResourceName]corev1.ClaimResourceStatus, at *field.Path) field.ErrorList {
		var errs field.ErrorList
		for name, status := range *statuses {
			errs = append(errs, claimResource(name, at)...)
			if !slices.Contains(claimResizes, status) {
				errs = append(errs, field.NotSupported(at, name, claimResizes))
			}
		}
		return errs
	}),
}

var claimResizes = []corev1.ClaimResourceStatus{
	corev1.PersistentVolumeClaimControllerResizeInProgress, corev1.PersistentVolumeClaimControllerResizeInfeasible,
	corev1.PersistentVolumeClaimNodeResizeInProgress, corev1.PersistentVolumeClaimNodeResizeInfeasible,
	corev1.PersistentVolumeClaimNodeResizePending,
}

// claimResource checks that a claim has a resource: storage, or one that is not Kubernetes' own.
func claimResource(name corev1.ResourceName, at *field.Path) field.ErrorList {
	if errs := invalid(at, name, utilvalidation.IsQualifiedName(string(name))); len(errs) > 0 {
		return errs
	}
	domain, _, other := strings.Cut(string(name), "/")
	if name == corev1.ResourceStorage || other && domain != "kubernetes.io" {
		return nil
	}
	return field.ErrorList{field.NotSupported(at, name, []corev1.ResourceName{corev1.ResourceStorage})}
}

var featureName = regexp.MustCompile(`^[A-Z][a-zA-Z0-9]*(/[a-zA-Z0-9]+)*$`)

// declaredFeatures checks the names of features of a node, and their order.
func declaredFeatures(list *[]string, at *field.Path) field.ErrorList {
	const longest = utilvalidation.DNS1123SubdomainMaxLength
	var errs field.ErrorList
	for i, name := range *list {
		switch {
		case i == 0:
		case name == (*list)[i-1]:
			errs = append(errs, field.Duplicate(at.Index(i), name))
		case name < (*list)[i-1]:
			errs = append(errs, field.Invalid(at.Index(i), name, "list must be sorted alphabetically"))
		}
		switch {
		case len(name) > longest:
			errs = append(errs, field.Invalid(at.Index(i), name, fmt.Sprintf("invalid feature name %q: must be no more than %d characters", name, longest)))
		case !featureName.MatchString(name):
			errs = append(errs, field.Invalid(at.Index(i), name, fmt.Sprintf("invalid feature name %q: must start with an UpperCamelCase segment, "+
				"with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes", name)))
		}
	}
	return errs
}

// noMore checks that a number is not greater than another field's, which messages call as told.
func noMore(name, bound, called string) check {
	return func(p place) field.ErrorList {
		of := func(name string) int64 {
			f, _ := fieldOf(p.value.Type(), name)
			return numberIn(p.value.FieldByIndex(f.index))
		}
		if n := of(name); n > of(bound) {
			return field.ErrorList{field.Invalid(p.path.Child(name), n, "cannot be greater than "+called)}
		}
		return nil
	}
}

// numberIn returns a number, or what a pointer to one points to; 0 for nil.
func numberIn(v reflect.Value) int64 {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if !v.IsValid() {
		return 0
	}
	return v.Int()
}
