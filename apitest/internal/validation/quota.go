package validation

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var quotaChecks = map[string]check{
	"quota-scopes": of(quotaScopes),
	"same-scopes": changed(func(now, was *[]corev1.ResourceQuotaScope, at *field.Path) field.ErrorList {
		if sets.New(*now...).Equal(sets.New(*was...)) {
			return nil
		}
		return field.ErrorList{field.Invalid(at, *now, validation.FieldImmutableErrorMsg)}
	}),
	"quota-selector": of(quotaSelector),
}

// quotaScopeNames are the scopes: two pairs that exclude each other, another that has no values, and those with values.
var quotaScopeNames = []corev1.ResourceQuotaScope{
	corev1.ResourceQuotaScopeBestEffort, corev1.ResourceQuotaScopeNotBestEffort,
	corev1.ResourceQuotaScopeTerminating, corev1.ResourceQuotaScopeNotTerminating,
	corev1.ResourceQuotaScopeCrossNamespacePodAffinity,
	corev1.ResourceQuotaScopePriorityClass, corev1.ResourceQuotaScopeVolumeAttributesClass,
}

// fitting reports whether a scope can limit a resource.
func fitting(scope corev1.ResourceQuotaScope, name corev1.ResourceName) bool {
	switch scope {
	case corev1.ResourceQuotaScopeBestEffort:
		return name == corev1.ResourcePods
	case corev1.ResourceQuotaScopeVolumeAttributesClass:
		return name == corev1.ResourcePersistentVolumeClaims || name == corev1.ResourceRequestsStorage
	}
	switch name {
	case corev1.ResourcePods, corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceLimitsCPU, corev1.ResourceLimitsMemory,
		corev1.ResourceRequestsCPU, corev1.ResourceRequestsMemory:
		return true
	}
	return !slices.Contains(quotaScopeNames, scope)
}

// misfits returns how many limits a scope does not fit.
func misfits(s *corev1.ResourceQuotaSpec, scope corev1.ResourceQuotaScope) int {
	n := 0
	for name := range s.Hard {
		if isStandard(name) && !fitting(scope, name) {
			n++
		}
	}
	return n
}

func quotaScopes(s *corev1.ResourceQuotaSpec, at *field.Path) field.ErrorList {
	at = at.Child("scopes")
	var errs field.ErrorList
	report := func(text string) { errs = append(errs, field.Invalid(at, s.Scopes, text)) }
	for _, scope := range s.Scopes {
		if !slices.Contains(quotaScopeNames, scope) {
			report("unsupported scope")
		}
		for range misfits(s, scope) {
			report("unsupported scope applied to resource")
		}
	}
	for range conflicts(s.Scopes) {
		report("conflicting scopes")
	}
	return errs
}

// conflicts returns how many pairs of scopes exclude each other.
func conflicts(scopes []corev1.ResourceQuotaScope) int {
	n := 0
	for i := 0; i < 4; i += 2 {
		if slices.Contains(scopes, quotaScopeNames[i]) && slices.Contains(scopes, quotaScopeNames[i+1]) {
			n++
		}
	}
	return n
}

func quotaSelector(s *corev1.ResourceQuotaSpec, at *field.Path) field.ErrorList {
	if s.ScopeSelector == nil {
		return nil
	}
	at = at.Child("scopeSelector", "matchExpressions")
	var errs field.ErrorList
	var scopes []corev1.ResourceQuotaScope
	for _, r := range s.ScopeSelector.MatchExpressions {
		scopes = append(scopes, r.ScopeName)
		if !slices.Contains(quotaScopeNames, r.ScopeName) {
			errs = append(errs, field.Invalid(at.Child("scopeName"), r.ScopeName, "unsupported scope"))
		}
		for range misfits(s, r.ScopeName) {
			errs = append(errs, field.Invalid(at, internal{s.ScopeSelector}, "unsupported scope applied to resource"))
		}
		if slices.Contains(quotaScopeNames[:5], r.ScopeName) && r.Operator != corev1.ScopeSelectorOpExists {
			errs = append(errs, field.Invalid(at.Child("operator"), r.Operator,
				"must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"))
		}
		switch r.Operator {
		case corev1.ScopeSelectorOpIn, corev1.ScopeSelectorOpNotIn:
			if len(r.Values) == 0 {
				errs = append(errs, field.Required(at.Child("values"), "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"))
			}
		case corev1.ScopeSelectorOpExists, corev1.ScopeSelectorOpDoesNotExist:
			if len(r.Values) != 0 {
				errs = append(errs, field.Invalid(at.Child("values"), r.Values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"))
			}
		default:
			errs = append(errs, field.Invalid(at.Child("operator"), r.Operator, "not a valid selector operator"))
		}
	}
	for range conflicts(scopes) { // with the other scopes, as in the real server
		errs = append(errs, field.Invalid(at, s.Scopes, "conflicting scopes"))
	}
	return errs
}
