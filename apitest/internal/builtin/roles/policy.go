// Package roles contains what is special about stored roles and bindings: those that every cluster has, aggregation, what
// they grant ([Policy]), and that users may only grant what they have ([EscalationCheck]).
//
// A write of a role or a binding is effective when it returns.
package roles

import (
	"context"
	"slices"
	"sync"

	"github.com/listwatch/listwatch/apitest/internal/builtin/stores"
	"github.com/listwatch/listwatch/apitest/internal/rbac"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var (
	clusterRoles        = rbacv1.SchemeGroupVersion.WithResource("clusterroles")
	clusterRoleBindings = rbacv1.SchemeGroupVersion.WithResource("clusterrolebindings")
	namespaceRoles      = rbacv1.SchemeGroupVersion.WithResource("roles")
	roleBindings        = rbacv1.SchemeGroupVersion.WithResource("rolebindings")
)

// Resources are those of roles and bindings.
var Resources = []schema.GroupVersionResource{clusterRoles, clusterRoleBindings, namespaceRoles, roleBindings}

// Has reports whether a resource is one of roles or bindings.
func Has(gvr schema.GroupVersionResource) bool { return slices.Contains(Resources, gvr) }

// Policy is what the stored roles and bindings grant. It is safe for concurrent use.
type Policy struct {
	reader stores.Reader

	mu   sync.Mutex // guards the fields below, also while the policy is read
	last *rbac.Policy
	as   [4]uint64 // the versions of the tables at which last was read, or older ones
}

// NewPolicy returns the policy of the roles and bindings that a reader reads.
func NewPolicy(reader stores.Reader) *Policy { return &Policy{reader: reader} }

// Read returns what the stored roles and bindings grant now. It is shared, and read again only if one of them has changed.
func (p *Policy) Read(ctx context.Context) (*rbac.Policy, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var as [4]uint64
	for i, gvr := range []schema.GroupVersionResource{clusterRoles, clusterRoleBindings, namespaceRoles, roleBindings} {
		as[i] = p.reader.Backend.Changed(gvr.GroupResource())
	}
	if p.last != nil && p.as == as {
		return p.last, nil
	}
	clusterRoleList, err := stores.List[rbacv1.ClusterRoleList](ctx, p.reader, clusterRoles, metav1.NamespaceAll)
	if err != nil {
		return nil, err
	}
	clusterBindingList, err := stores.List[rbacv1.ClusterRoleBindingList](ctx, p.reader, clusterRoleBindings, metav1.NamespaceAll)
	if err != nil {
		return nil, err
	}
	roleList, err := stores.List[rbacv1.RoleList](ctx, p.reader, namespaceRoles, metav1.NamespaceAll)
	if err != nil {
		return nil, err
	}
	bindingList, err := stores.List[rbacv1.RoleBindingList](ctx, p.reader, roleBindings, metav1.NamespaceAll)
	if err != nil {
		return nil, err
	}
	p.as = as
	p.last = &rbac.Policy{
		ClusterRoles: clusterRoleList.Items, ClusterRoleBindings: clusterBindingList.Items,
		Roles: roleList.Items, RoleBindings: bindingList.Items,
	}
	return p.last, nil
}
