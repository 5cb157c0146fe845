package builtin

import (
	"fmt"

	"github.com/listwatch/listwatch/apitest/internal/builtin/catalog"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
)

// main returns the storage of a resource itself.
func (r *Resources) main(hub *catalog.Definition, store *registry.Store) rest.Storage {
	switch hub.GVR {
	case namespaces:
		return &namespaceStore{StandardStorage: store, store: store}
	case clusterRoles, clusterRoleBindings, namespaceRoles, roleBindings:
		return &unescalated{store, r}
	}
	return store
}

// subresource returns the storage of a subresource.
func (r *Resources) subresource(hub *catalog.Definition, name string, s *strategy, store *registry.Store) (rest.Storage, error) {
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
	return nil, fmt.Errorf("nothing serves subresource %s of %s", name, hub.GVR)
}

// subresources are the names of the subresources of Kubernetes that are served: all except those that connect to nodes,
// or sign; tokens only if something creates them.
func subresources(tokens bool) []string {
	names := []string{"status", "scale", "finalize", "approval", "binding", "eviction", "ephemeralcontainers", "resize"}
	if tokens {
		names = append(names, "token")
	}
	return names
}
