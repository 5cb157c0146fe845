package builtin

import (
	"context"
	"fmt"
	"sync"

	"github.com/listwatch/listwatch/apitest/internal/rbac"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var (
	clusterRoles        = rbacv1.SchemeGroupVersion.WithResource("clusterroles")
	clusterRoleBindings = rbacv1.SchemeGroupVersion.WithResource("clusterrolebindings")
	namespaceRoles      = rbacv1.SchemeGroupVersion.WithResource("roles")
	roleBindings        = rbacv1.SchemeGroupVersion.WithResource("rolebindings")
)

// policy is what the stored roles and bindings grant.
type policy struct {
	mu     sync.Mutex // guards the fields below, also while the policy is read
	policy *rbac.Policy
	as     [4]uint64 // the versions of the tables at which the policy was read, or older ones
}

// Policy returns what the stored roles and bindings grant. It is read again only if one of them has changed.
func (r *Resources) Policy(ctx context.Context) (*rbac.Policy, error) {
	r.policy.mu.Lock()
	defer r.policy.mu.Unlock()
	var as [4]uint64
	for i, gvr := range []schema.GroupVersionResource{clusterRoles, clusterRoleBindings, namespaceRoles, roleBindings} {
		as[i] = r.options.Backend.Changed(gvr.GroupResource())
	}
	if r.policy.policy != nil && r.policy.as == as {
		return r.policy.policy, nil
	}
	p := &rbac.Policy{}
	for _, gvr := range []schema.GroupVersionResource{clusterRoles, clusterRoleBindings, namespaceRoles, roleBindings} {
		list, err := r.list(ctx, gvr)
		if err != nil {
			return nil, err
		}
		switch list := list.(type) {
		case *rbacv1.ClusterRoleList:
			p.ClusterRoles = list.Items
		case *rbacv1.ClusterRoleBindingList:
			p.ClusterRoleBindings = list.Items
		case *rbacv1.RoleList:
			p.Roles = list.Items
		case *rbacv1.RoleBindingList:
			p.RoleBindings = list.Items
		}
	}
	r.policy.policy, r.policy.as = p, as
	return p, nil
}

// list returns all objects of a resource, in all namespaces, or nil if it is not served. They are shared.
func (r *Resources) list(ctx context.Context, gvr schema.GroupVersionResource) (runtime.Object, error) {
	def, err := r.catalog.Find(gvr)
	if err != nil || def == nil {
		return nil, err
	}
	st, err := r.storage(def)
	if err != nil {
		return nil, err
	}
	list, err := st.store.List(everywhere(ctx), &internalversion.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", gvr.Resource, err)
	}
	return list, nil
}
