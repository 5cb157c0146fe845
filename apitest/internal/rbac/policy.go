// Package rbac authorizes users by roles and bindings.
//
// A [Policy] contains all roles and bindings of a server at one time. [Missing] compares the permissions of a
// user with those that they want to grant, and [Aggregate] gives roles the rules of the roles that they select.
// [Permissions] is the authorizer of a server, by its roles or by other rules.
package rbac

import (
	"cmp"
	"fmt"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
)

// Policy contains roles and their bindings. It must not be modified while it is in use.
type Policy struct {
	ClusterRoles        []rbacv1.ClusterRole
	ClusterRoleBindings []rbacv1.ClusterRoleBinding
	Roles               []rbacv1.Role
	RoleBindings        []rbacv1.RoleBinding
}

// Allows reports whether a user may perform a request, and why: the binding that allows it,
// otherwise an error in the policy that may have prevented it, or "" if there is none.
func (p *Policy) Allows(a authorizer.Attributes) (allowed bool, reason string) {
	who := a.GetUser()
	if who == nil {
		return false, ""
	}
	var errs []error
	allows := func(ref rbacv1.RoleRef, namespace string) bool {
		rules, err := p.RulesOf(ref, namespace)
		if err != nil {
			errs = append(errs, err)
		}
		return slices.ContainsFunc(rules, func(r rbacv1.PolicyRule) bool { return ruleAllows(&r, a) })
	}
	for _, binding := range p.ClusterRoleBindings {
		if subject, ok := find(binding.Subjects, who, ""); ok && allows(binding.RoleRef, "") {
			return true, allowedBy("ClusterRoleBinding", binding.Name, binding.RoleRef, subject)
		}
	}
	if namespace := a.GetNamespace(); namespace != "" {
		for _, binding := range p.RoleBindings {
			if binding.Namespace != namespace {
				continue
			}
			if subject, ok := find(binding.Subjects, who, namespace); ok && allows(binding.RoleRef, namespace) {
				return true, allowedBy("RoleBinding", binding.Name+"/"+namespace, binding.RoleRef, subject)
			}
		}
	}
	if len(errs) > 0 {
		reason = fmt.Sprintf("RBAC: %v", utilerrors.NewAggregate(errs))
	}
	return false, reason
}

// RulesOf returns the rules of a role. A missing role is a NotFound error.
func (p *Policy) RulesOf(ref rbacv1.RoleRef, namespace string) ([]rbacv1.PolicyRule, error) {
	switch ref.Kind {
	case "Role":
		for _, role := range p.Roles {
			if role.Name == ref.Name && role.Namespace == namespace {
				return role.Rules, nil
			}
		}
		return nil, apierrors.NewNotFound(rbacv1.Resource("role"), ref.Name)
	case "ClusterRole":
		for _, role := range p.ClusterRoles {
			if role.Name == ref.Name {
				return role.Rules, nil
			}
		}
		return nil, apierrors.NewNotFound(rbacv1.Resource("clusterrole"), ref.Name)
	}
	return nil, fmt.Errorf("unsupported role reference kind: %q", ref.Kind)
}

func allowedBy(kind, name string, ref rbacv1.RoleRef, subject rbacv1.Subject) string {
	who := subject.Name
	if subject.Kind == rbacv1.ServiceAccountKind {
		who += "/" + subject.Namespace
	}
	return fmt.Sprintf("RBAC: allowed by %s %q of %s %q to %s %q", kind, name, ref.Kind, ref.Name, subject.Kind, who)
}

// find returns the first subject of a binding in a namespace that matches a user.
func find(subjects []rbacv1.Subject, who user.Info, namespace string) (rbacv1.Subject, bool) {
	i := slices.IndexFunc(subjects, func(s rbacv1.Subject) bool {
		switch s.Kind {
		case rbacv1.UserKind:
			return who.GetName() == s.Name
		case rbacv1.GroupKind:
			return slices.Contains(who.GetGroups(), s.Name)
		case rbacv1.ServiceAccountKind:
			home := cmp.Or(s.Namespace, namespace)
			return home != "" && serviceaccount.MatchesUsername(home, s.Name, who.GetName())
		}
		return false
	})
	if i < 0 {
		return rbacv1.Subject{}, false
	}
	return subjects[i], true
}
