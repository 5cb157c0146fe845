package roles

import (
	"context"
	"fmt"
	"sync"

	"github.com/listwatch/listwatch/apitest/internal/builtin/facts"
	"github.com/listwatch/listwatch/apitest/internal/rbac"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/storage"
)

// Initialize creates the roles or bindings that every cluster has in a new store of a resource, and makes it aggregate
// roles.
func Initialize(gvr schema.GroupVersionResource, store *registry.Store) error {
	recorded, err := facts.Roles()
	if err != nil {
		return err
	}
	var objects []runtime.Object
	switch gvr {
	case clusterRoles:
		rbac.Aggregate(recorded.ClusterRoles)
		objects = asObjects(recorded.ClusterRoles)
	case clusterRoleBindings:
		objects = asObjects(recorded.ClusterRoleBindings)
	case namespaceRoles:
		objects = asObjects(recorded.Roles)
	case roleBindings:
		objects = asObjects(recorded.RoleBindings)
	}
	for _, obj := range objects {
		m := obj.(metav1.Object)
		ctx := request.WithNamespace(context.Background(), m.GetNamespace())
		if _, err := store.Create(ctx, obj, nil, &metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("create %s %s: %w", gvr.Resource, m.GetName(), err)
		}
	}
	if gvr == clusterRoles {
		a := &aggregation{store: store}
		store.AfterCreate = func(runtime.Object, *metav1.CreateOptions) { a.run() }
		store.AfterUpdate = func(runtime.Object, *metav1.UpdateOptions) { a.run() }
		store.AfterDelete = func(runtime.Object, *metav1.DeleteOptions) { a.run() }
	}
	return nil
}

func asObjects[T any, P interface {
	*T
	runtime.Object
}](items []T) []runtime.Object {
	out := make([]runtime.Object, len(items))
	for i := range items {
		out[i] = P(&items[i])
	}
	return out
}

// aggregation gives aggregated cluster roles their rules, as a controller of clusters does.
type aggregation struct {
	store *registry.Store
	mu    sync.Mutex // held while roles are aggregated
}

// run returns when the aggregated roles have the rules of the roles that they select.
func (a *aggregation) run() {
	a.mu.Lock()
	defer a.mu.Unlock()
	ctx := context.Background()
	listed, err := a.store.List(ctx, &internalversion.ListOptions{})
	list, ok := listed.(*rbacv1.ClusterRoleList)
	if err != nil || !ok {
		return // nothing can be decoded that was not encoded here
	}
	roles := make(map[string][]rbacv1.PolicyRule, len(list.Items))
	changed := rbac.Aggregate(list.Items)
	for _, role := range list.Items {
		roles[role.Name] = role.Rules
	}
	for _, name := range changed {
		key, err := a.store.KeyFunc(ctx, name)
		if err != nil {
			continue
		}
		// It fails if the role was deleted meanwhile, and then there is nothing to update.
		_ = a.store.Storage.GuaranteedUpdate(ctx, key, &rbacv1.ClusterRole{}, false, nil,
			storage.SimpleUpdate(func(obj runtime.Object) (runtime.Object, error) {
				obj.(*rbacv1.ClusterRole).Rules = roles[name]
				return obj, nil
			}), false, nil)
	}
}
