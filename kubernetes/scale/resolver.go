package scale

import (
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/discovery"
)

// NewDiscoveryScaleKindResolver returns a resolver that asks the server, once for each resource. It is safe for
// concurrent use.
func NewDiscoveryScaleKindResolver(client discovery.ServerResourcesInterface) ScaleKindResolver {
	return &resolver{client: client, kinds: map[schema.GroupVersionResource]schema.GroupVersionKind{}}
}

type resolver struct {
	client discovery.ServerResourcesInterface

	mu    sync.Mutex // guards kinds; not held during requests
	kinds map[schema.GroupVersionResource]schema.GroupVersionKind
}

func (r *resolver) ScaleForResource(resource schema.GroupVersionResource) (schema.GroupVersionKind, error) {
	r.mu.Lock()
	kind, ok := r.kinds[resource]
	r.mu.Unlock()
	if ok {
		return kind, nil
	}
	kind, err := r.discover(resource)
	if err != nil {
		return schema.GroupVersionKind{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kinds[resource] = kind
	return kind, nil
}

// discover requests the kind.
func (r *resolver) discover(resource schema.GroupVersionResource) (schema.GroupVersionKind, error) {
	gv := resource.GroupVersion()
	list, err := r.client.ServerResourcesForGroupVersion(gv.String())
	if err != nil {
		return schema.GroupVersionKind{}, fmt.Errorf("unable to fetch discovery information for %s: %w", resource, err)
	}
	for _, served := range list.APIResources {
		if served.Name != resource.Resource+"/scale" {
			continue
		}
		if served.Group != "" && served.Version != "" {
			gv = schema.GroupVersion{Group: served.Group, Version: served.Version}
		}
		return gv.WithKind(served.Kind), nil
	}
	return schema.GroupVersionKind{}, fmt.Errorf("could not find scale subresource for %s in discovery information", resource)
}
