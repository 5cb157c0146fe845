package rbac

import (
	"cmp"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Aggregate sets the rules of the cluster roles that have an aggregation rule to those of the roles that it
// selects, which may be aggregated too, and returns their names. It modifies roles; a role that changes gets new
// rules.
func Aggregate(roles []rbacv1.ClusterRole) (changed []string) {
	sorted := make([]*rbacv1.ClusterRole, len(roles))
	for i := range roles {
		sorted[i] = &roles[i]
	}
	slices.SortFunc(sorted, func(a, b *rbacv1.ClusterRole) int { return cmp.Compare(a.Name, b.Name) })
	// Each pass completes at least the roles that only depend on complete ones; in a cycle, rules only grow.
	for range roles {
		done := true
		for _, role := range sorted {
			if role.AggregationRule == nil {
				continue
			}
			if rules := gather(role, sorted); !equality.Semantic.DeepEqual(rules, role.Rules) {
				role.Rules, done = rules, false
				if !slices.Contains(changed, role.Name) {
					changed = append(changed, role.Name)
				}
			}
		}
		if done {
			break
		}
	}
	return changed
}

// gather returns the rules of the roles that an aggregated role selects, without duplicates.
func gather(into *rbacv1.ClusterRole, roles []*rbacv1.ClusterRole) []rbacv1.PolicyRule {
	var out []rbacv1.PolicyRule
	for i := range into.AggregationRule.ClusterRoleSelectors {
		selector, err := metav1.LabelSelectorAsSelector(&into.AggregationRule.ClusterRoleSelectors[i])
		if err != nil {
			continue // validation rejects it
		}
		for _, role := range roles {
			if role.Name == into.Name || !selector.Matches(labels.Set(role.Labels)) {
				continue
			}
			for _, rule := range role.Rules {
				if !slices.ContainsFunc(out, func(r rbacv1.PolicyRule) bool { return equality.Semantic.DeepEqual(r, rule) }) {
					out = append(out, rule)
				}
			}
		}
	}
	return out
}
