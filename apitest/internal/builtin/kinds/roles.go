package kinds

import (
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func clusterRoleRules(r *Rules) { r.Validate = validateClusterRole }

func roleRules(r *Rules) {
	r.Validate = func(obj runtime.Object) field.ErrorList { return validatePolicyRules(obj.(*rbacv1.Role).Rules, true) }
}

func bindingRules(r *Rules) {
	r.ValidateUpdate = keepsRole
	r.Validate = func(obj runtime.Object) field.ErrorList {
		b := obj.(*rbacv1.RoleBinding)
		return validateRoleBinding(b.RoleRef, b.Subjects, "Role", "ClusterRole")
	}
}

func clusterBindingRules(r *Rules) {
	r.ValidateUpdate = keepsRole
	r.Validate = func(obj runtime.Object) field.ErrorList {
		b := obj.(*rbacv1.ClusterRoleBinding)
		return validateRoleBinding(b.RoleRef, b.Subjects, "ClusterRole")
	}
}

func validateClusterRole(obj runtime.Object) field.ErrorList {
	role := obj.(*rbacv1.ClusterRole)
	errs := validatePolicyRules(role.Rules, false)
	if role.AggregationRule == nil {
		return errs
	}
	path := field.NewPath("aggregationRule", "clusterRoleSelectors")
	if len(role.AggregationRule.ClusterRoleSelectors) == 0 {
		errs = append(errs, field.Required(path, "at least one clusterRoleSelector required if aggregationRule is non-nil"))
	}
	for i := range role.AggregationRule.ClusterRoleSelectors {
		selector := &role.AggregationRule.ClusterRoleSelectors[i]
		errs = append(errs, metavalidation.ValidateLabelSelector(selector, metavalidation.LabelSelectorValidationOptions{}, path.Index(i))...)
		if parsed, err := metav1.LabelSelectorAsSelector(selector); err != nil {
			errs = append(errs, field.Invalid(path.Index(i), parsed, "invalid label selector."))
		}
	}
	return errs
}

func validatePolicyRules(rules []rbacv1.PolicyRule, namespaced bool) field.ErrorList {
	var errs, declared field.ErrorList // the real server lists those that it declares last
	for i, rule := range rules {
		path := field.NewPath("rules").Index(i)
		if len(rule.Verbs) == 0 {
			declared = append(declared, field.Required(path.Child("verbs"), ""))
		}
		if len(rule.NonResourceURLs) > 0 {
			paths := path.Child("nonResourceURLs")
			if namespaced {
				errs = append(errs, field.Invalid(paths, rule.NonResourceURLs, "namespaced rules cannot apply to non-resource URLs"))
			}
			if len(rule.APIGroups) > 0 || len(rule.Resources) > 0 || len(rule.ResourceNames) > 0 {
				errs = append(errs, field.Invalid(paths, rule.NonResourceURLs, "rules cannot apply to both regular resources and non-resource URLs"))
			}
			continue
		}
		if len(rule.APIGroups) == 0 {
			errs = append(errs, field.Required(path.Child("apiGroups"), "resource rules must supply at least one api group"))
		}
		if len(rule.Resources) == 0 {
			errs = append(errs, field.Required(path.Child("resources"), "resource rules must supply at least one resource"))
		}
	}
	return append(errs, declared...)
}

// validateRoleBinding checks a binding to a role of one of some kinds.
func validateRoleBinding(ref rbacv1.RoleRef, subjects []rbacv1.Subject, kinds ...string) field.ErrorList {
	var errs, declared field.ErrorList // as above
	role := field.NewPath("roleRef")
	if ref.APIGroup != rbacv1.GroupName {
		errs = append(errs, field.NotSupported(role.Child("apiGroup"), ref.APIGroup, []string{rbacv1.GroupName}))
	}
	if !slices.Contains(kinds, ref.Kind) {
		errs = append(errs, field.NotSupported(role.Child("kind"), ref.Kind, kinds))
	}
	for _, message := range isPathSegment(ref.Name, false) {
		errs = append(errs, field.Invalid(role.Child("name"), ref.Name, message))
	}
	for i, s := range subjects {
		path := field.NewPath("subjects").Index(i)
		if s.Name == "" {
			declared = append(declared, field.Required(path.Child("name"), ""))
		}
		errs = append(errs, validateSubject(s, path, !slices.Contains(kinds, "Role"))...)
	}
	if ref.Name == "" {
		declared = append(declared, field.Required(role.Child("name"), ""))
	}
	return append(errs, declared...)
}

// validateSubject checks a subject, which in bindings for the whole cluster must have a namespace if it is a
// service account.
func validateSubject(s rbacv1.Subject, path *field.Path, cluster bool) field.ErrorList {
	var errs field.ErrorList
	group := rbacv1.GroupName
	switch s.Kind {
	case rbacv1.ServiceAccountKind:
		group = ""
		if s.Name != "" {
			for _, message := range validation.ValidateServiceAccountName(s.Name, false) {
				errs = append(errs, field.Invalid(path.Child("name"), s.Name, message))
			}
		}
	case rbacv1.UserKind, rbacv1.GroupKind:
	default:
		return field.ErrorList{field.NotSupported(path.Child("kind"), s.Kind, []string{rbacv1.ServiceAccountKind, rbacv1.UserKind, rbacv1.GroupKind})}
	}
	if s.APIGroup != group {
		errs = append(errs, field.NotSupported(path.Child("apiGroup"), s.APIGroup, []string{group}))
	}
	if cluster && s.Kind == rbacv1.ServiceAccountKind && s.Namespace == "" {
		errs = append(errs, field.Required(path.Child("namespace"), ""))
	}
	return errs
}

// roleReference is a role in the form that a server's errors have.
type roleReference struct{ APIGroup, Kind, Name string }

func roleOf(obj runtime.Object) rbacv1.RoleRef {
	if b, ok := obj.(*rbacv1.ClusterRoleBinding); ok {
		return b.RoleRef
	}
	return obj.(*rbacv1.RoleBinding).RoleRef
}

// keepsRole checks that the role of a binding does not change.
func keepsRole(obj, old runtime.Object) field.ErrorList {
	now := roleOf(obj)
	if now == roleOf(old) {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("roleRef"), roleReference(now), "field is immutable")}
}
