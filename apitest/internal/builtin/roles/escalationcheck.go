package roles

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/listwatch/listwatch/apitest/internal/rbac"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
)

// EscalationCheck is the storage of roles or bindings, which grant only what their writer may do: privileged users
// may grant everything, others need the same permissions, or those for the verbs escalate and bind.
type EscalationCheck struct {
	*registry.Store
	Policy      *Policy
	Permissions rbac.Permissions
}

// Create creates a role or a binding that grants only permissions that the user has.
func (c *EscalationCheck) Create(ctx context.Context, obj runtime.Object, validate rest.ValidateObjectFunc, options *metav1.CreateOptions) (runtime.Object, error) {
	if err := c.check(ctx, obj, nil); err != nil {
		return nil, err
	}
	return c.Store.Create(ctx, obj, validate, options)
}

// Update implements rest.Updater.
func (c *EscalationCheck) Update(ctx context.Context, name string, info rest.UpdatedObjectInfo, create rest.ValidateObjectFunc,
	update rest.ValidateObjectUpdateFunc, forceCreate bool, options *metav1.UpdateOptions) (runtime.Object, bool, error) {
	checked := rest.WrapUpdatedObjectInfo(info, func(ctx context.Context, obj, old runtime.Object) (runtime.Object, error) {
		if forGarbageOnly(obj, old) {
			return obj, nil
		}
		return obj, c.check(ctx, obj, old)
	})
	return c.Store.Update(ctx, name, checked, create, update, forceCreate, options)
}

// check returns an error if the user of a request may not write a role or a binding.
func (c *EscalationCheck) check(ctx context.Context, obj, old runtime.Object) error {
	who, ok := request.UserFrom(ctx)
	if ok && slices.Contains(who.GetGroups(), user.SystemPrivilegedGroup) {
		return nil
	}
	info, found := request.RequestInfoFrom(ctx)
	if !ok || !found {
		return apierrors.NewForbidden(c.DefaultQualifiedResource, "", errors.New("no user on context"))
	}
	policy, err := c.Policy.Read(ctx)
	if err != nil {
		return err
	}
	g := grant{ctx, c, policy, who, info.Namespace}
	switch o := obj.(type) {
	case *rbacv1.Role:
		return g.role(o.Name, o.Rules, info, false)
	case *rbacv1.ClusterRole:
		was, _ := old.(*rbacv1.ClusterRole)
		return g.role(o.Name, o.Rules, info, aggregated(o) || aggregated(was))
	case *rbacv1.RoleBinding:
		return g.binding(o.Name, o.RoleRef)
	case *rbacv1.ClusterRoleBinding:
		return g.binding(o.Name, o.RoleRef)
	}
	return nil
}

func aggregated(role *rbacv1.ClusterRole) bool {
	return role != nil && role.AggregationRule != nil && len(role.AggregationRule.ClusterRoleSelectors) > 0
}

// grant is a request to grant permissions.
type grant struct {
	ctx       context.Context
	check     *EscalationCheck
	policy    *rbac.Policy
	who       user.Info
	namespace string
}

// everything are the permissions that are needed for a role that gathers any rules.
var everything = []rbacv1.PolicyRule{
	{APIGroups: []string{"*"}, Resources: []string{"*"}, Verbs: []string{"*"}},
	{NonResourceURLs: []string{"*"}, Verbs: []string{"*"}},
}

func (g grant) role(name string, rules []rbacv1.PolicyRule, info *request.RequestInfo, aggregated bool) error {
	if g.allowed("escalate", info.Resource, info.Name) {
		return nil
	}
	if err := g.holds(rules); err != nil {
		return apierrors.NewForbidden(g.check.DefaultQualifiedResource, name, err)
	}
	if aggregated && g.holds(everything) != nil {
		return apierrors.NewForbidden(g.check.DefaultQualifiedResource, name,
			errors.New("must have cluster-admin privileges to use the aggregationRule"))
	}
	return nil
}

func (g grant) binding(name string, ref rbacv1.RoleRef) error {
	switch ref.Kind {
	case "Role":
		if g.allowed("bind", namespaceRoles.Resource, ref.Name) {
			return nil
		}
	case "ClusterRole":
		if g.allowed("bind", clusterRoles.Resource, ref.Name) {
			return nil
		}
	}
	rules, err := g.policy.RulesOf(ref, g.namespace)
	if apierrors.IsNotFound(err) {
		return apierrors.NewNotFound(g.check.DefaultQualifiedResource, ref.Name) // as if the role were a binding
	}
	if err != nil {
		return err
	}
	if err := g.holds(rules); err != nil {
		return apierrors.NewForbidden(g.check.DefaultQualifiedResource, name, err)
	}
	return nil
}

// allowed reports whether the user may do something with a role.
func (g grant) allowed(verb, resource, name string) bool {
	decision, _, err := g.check.Permissions.Authorize(g.ctx, authorizer.AttributesRecord{
		User: g.who, Verb: verb, APIGroup: rbacv1.GroupName, APIVersion: "*", Resource: resource, Name: name,
		Namespace: g.namespace, ResourceRequest: true,
	})
	return err == nil && decision == authorizer.DecisionAllow
}

// holds returns an error if the user has not all permissions of rules.
func (g grant) holds(rules []rbacv1.PolicyRule) error {
	held, _ := g.policy.RulesFor(g.who, g.namespace) // it fails if a role does not exist, which grants nothing
	missing := rbac.Missing(held, rules)
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("user %q (groups=%q) is attempting to grant RBAC permissions not currently held:\n%s",
		g.who.GetName(), g.who.GetGroups(), strings.Join(missing, "\n"))
}

// forGarbageOnly reports whether an update changes only what garbage collection needs.
func forGarbageOnly(obj, old runtime.Object) bool {
	now, ok := obj.DeepCopyObject().(metav1.Object)
	was, wasOK := old.(metav1.Object)
	if !ok || !wasOK {
		return false
	}
	now.SetOwnerReferences(was.GetOwnerReferences())
	now.SetFinalizers(was.GetFinalizers())
	now.SetManagedFields(was.GetManagedFields())
	return equality.Semantic.DeepEqual(now, was)
}
