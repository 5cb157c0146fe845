package builtin

import (
	"context"
	"fmt"

	"github.com/listwatch/listwatch/apitest/internal/builtin/catalog"
	"github.com/listwatch/listwatch/apitest/internal/builtin/roles"
	"github.com/listwatch/listwatch/apitest/internal/builtin/strategy"
	"github.com/listwatch/listwatch/apitest/internal/builtin/subresource"
	"github.com/listwatch/listwatch/apitest/internal/status"
	"github.com/listwatch/listwatch/apitest/internal/token"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apiserver/pkg/registry/generic/registry"
	"k8s.io/apiserver/pkg/registry/rest"
)

// main returns the storage of a resource itself.
func (r *Resources) main(hub *catalog.Definition, store *registry.Store) rest.Storage {
	switch {
	case hub.GVR == namespaces:
		return &namespaceStore{StandardStorage: store, store: store}
	case hub.GVR == priorityClasses:
		return priorityStore{store}
	case hub.GVR == jobs:
		return jobStore{store}
	case roles.Has(hub.GVR):
		return &roles.EscalationCheck{Store: store, Policy: r.policy, Permissions: r.permissions}
	}
	return store
}

// subresource returns the storage of a subresource.
func (r *Resources) subresource(hub *catalog.Definition, name string, s *strategy.Strategy, store *registry.Store) (rest.Storage, error) {
	switch name {
	case "status":
		return subresource.NewPart(store, s.Status()), nil
	case "approval":
		return subresource.NewPart(store, s.Approval()), nil
	case "scale":
		return subresource.NewScale(hub.GVR, store), nil
	case "finalize":
		return subresource.NewPart(store, s.Finalize()), nil
	case "binding":
		return subresource.NewBinding(store), nil
	case "eviction":
		return &subresource.Eviction{Pods: store, Status: subresource.NewPart(store, s.Status()), Budgets: r.budgets}, nil
	case "ephemeralcontainers":
		return subresource.NewPodPart(store, s.EphemeralContainers()), nil
	case "resize":
		return subresource.NewPodPart(store, s.Resize()), nil
	case "token":
		return &subresource.Tokens{Accounts: store, Reader: r.reader, Issue: r.options.Token}, nil
	}
	return nil, fmt.Errorf("nothing serves subresource %s of %s", name, hub.GVR)
}

// budgets returns the stores of disruption budgets and of their status, or nil if they are not served.
func (r *Resources) budgets() (*registry.Store, rest.Updater, error) {
	found, err := r.find(policyv1.SchemeGroupVersion.WithResource("poddisruptionbudgets"))
	if err != nil || found == nil {
		return nil, nil, err
	}
	part, ok := found.rest["status"].(rest.Updater)
	if !ok {
		return nil, nil, status.NotFound()
	}
	return found.store, part, nil
}

// CheckToken returns an error if a token's service account, or the object that it is bound to, does not exist
// any more.
func (r *Resources) CheckToken(ctx context.Context, t token.Token) error {
	return subresource.CheckToken(ctx, r.reader, t)
}

// subresourceNames returns the names of the subresources of Kubernetes that are served: all except those that connect
// to nodes, or sign; tokens only if something creates them.
func subresourceNames(tokens bool) []string {
	names := []string{"status", "scale", "finalize", "approval", "binding", "eviction", "ephemeralcontainers", "resize"}
	if tokens {
		names = append(names, "token")
	}
	return names
}
