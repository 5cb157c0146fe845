package rbac

import (
	rbacv1 "k8s.io/api/rbac/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apiserver/pkg/authentication/user"
)

// RulesFor returns the rules of the roles that are bound to a user, those of the cluster's bindings first: in a
// namespace, or, if that is "", in all of them. The error is about bindings to missing roles, which grant nothing; the
// rules of the others are returned with it.
func (p *Policy) RulesFor(who user.Info, namespace string) (rules []rbacv1.PolicyRule, err error) {
	var errs []error
	add := func(ref rbacv1.RoleRef, namespace string) {
		more, err := p.RulesOf(ref, namespace)
		if err != nil {
			errs = append(errs, err)
		}
		rules = append(rules, more...)
	}
	for _, binding := range p.ClusterRoleBindings {
		if _, ok := find(binding.Subjects, who, ""); ok {
			add(binding.RoleRef, "")
		}
	}
	for _, binding := range p.RoleBindings {
		if binding.Namespace != namespace {
			continue
		}
		if _, ok := find(binding.Subjects, who, namespace); ok {
			add(binding.RoleRef, namespace)
		}
	}
	return rules, utilerrors.NewAggregate(errs)
}
