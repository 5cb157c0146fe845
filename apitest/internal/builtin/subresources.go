package builtin

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
)

// main returns the storage of a resource itself.
func (r *Resources) main(hub *definition, store *registry.Store) rest.Storage {
	switch hub.gvr {
	case namespaces:
		return &namespaceStore{StandardStorage: store, store: store}
	case clusterRoles, clusterRoleBindings, namespaceRoles, roleBindings:
		return &unescalated{store, r}
	}
	return store
}

// subresource returns the storage of a subresource.
func (r *Resources) subresource(hub *definition, name string, s *strategy, store *registry.Store) (rest.Storage, error) {
	switch name {
	case "status":
		return partOf(store, statusStrategy{s}), nil
	case "approval":
		return partOf(store, approvalStrategy{s}), nil
	case "scale":
		return newScale(hub, store), nil
	case "finalize":
		return partOf(store, finalizeStrategy{s}), nil
	case "binding":
		return &binding{store}, nil
	case "eviction":
		return &eviction{resources: r, store: store, status: partOf(store, statusStrategy{s})}, nil
	case "ephemeralcontainers":
		return podPartOf(store, ephemeralContainers(s)), nil
	case "resize":
		return podPartOf(store, resize(s)), nil
	case "token":
		return &tokens{resources: r, store: store}, nil
	}
	return nil, fmt.Errorf("nothing serves subresource %s of %s", name, hub.gvr)
}

// servable reports whether a resource of Kubernetes can be served, which requires that it is
// stored, or a binding.
func servable(gr schema.GroupResource) bool { return !notServed[gr] }

var notServed = map[schema.GroupResource]bool{
	{Resource: "componentstatuses"}:                                        true,
	{Group: "authentication.k8s.io", Resource: "tokenreviews"}:             true,
	{Group: "authentication.k8s.io", Resource: "selfsubjectreviews"}:       true,
	{Group: "authorization.k8s.io", Resource: "localsubjectaccessreviews"}: true,
	{Group: "authorization.k8s.io", Resource: "selfsubjectaccessreviews"}:  true,
	{Group: "authorization.k8s.io", Resource: "selfsubjectrulesreviews"}:   true,
	{Group: "authorization.k8s.io", Resource: "subjectaccessreviews"}:      true,
}

// servableSubresource reports whether a subresource of Kubernetes can be served: all except those
// that connect to nodes, or sign.
func (r *Resources) servableSubresource(name string) bool {
	switch name {
	case "status", "scale", "finalize", "approval", "binding", "eviction", "ephemeralcontainers", "resize":
		return true
	case "token":
		return r.options.Token != nil
	}
	return false
}
