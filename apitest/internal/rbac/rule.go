package rbac

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// ruleAllows reports whether a rule allows a request.
func ruleAllows(r *rbacv1.PolicyRule, a authorizer.Attributes) bool {
	if !has(r.Verbs, a.GetVerb()) {
		return false
	}
	if !a.IsResourceRequest() {
		return slices.ContainsFunc(r.NonResourceURLs, func(pattern string) bool {
			prefix, open := strings.CutSuffix(pattern, "*")
			return pattern == a.GetPath() || open && strings.HasPrefix(a.GetPath(), prefix)
		})
	}
	return has(r.APIGroups, a.GetAPIGroup()) &&
		hasResource(r.Resources, a.GetResource(), a.GetSubresource()) &&
		(len(r.ResourceNames) == 0 || slices.Contains(r.ResourceNames, a.GetName()))
}

// has reports whether a list contains a value, or the star, which means all.
func has(list []string, value string) bool {
	return slices.Contains(list, value) || slices.Contains(list, "*")
}

func hasResource(list []string, resource, sub string) bool {
	if sub == "" {
		return has(list, resource)
	}
	return has(list, resource+"/"+sub) || slices.Contains(list, "*/"+sub)
}
