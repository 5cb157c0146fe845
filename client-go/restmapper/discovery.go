package restmapper

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/listwatch/listwatch/runtime/restmapper"
	"k8s.io/client-go/discovery"
	internaldiscovery "k8s.io/client-go/internal/discovery"
)

// GetAPIGroupResources is [GetAPIGroupResourcesWithContext] without a context.
func GetAPIGroupResources(cl discovery.DiscoveryInterface) ([]*APIGroupResources, error) {
	return GetAPIGroupResourcesWithContext(context.Background(), discovery.ToDiscoveryInterfaceWithContext(cl))
}

// GetAPIGroupResourcesWithContext requests the groups of a server, with their resources. Group versions whose
// discovery fails are left out.
func GetAPIGroupResourcesWithContext(ctx context.Context, cl discovery.DiscoveryInterfaceWithContext) ([]*APIGroupResources, error) {
	return restmapper.GetAPIGroupResourcesWithContext(ctx, internaldiscovery.Narrow(cl))
}

// NewDeferredDiscoveryRESTMapper returns a mapper for the server of a discovery client.
func NewDeferredDiscoveryRESTMapper(cl discovery.CachedDiscoveryInterface) *DeferredDiscoveryRESTMapper {
	return NewDeferredDiscoveryRESTMapperWithContext(discovery.ToCachedDiscoveryInterfaceWithContext(cl))
}

// NewDeferredDiscoveryRESTMapperWithContext returns a mapper for the server of a discovery client.
func NewDeferredDiscoveryRESTMapperWithContext(cl discovery.CachedDiscoveryInterfaceWithContext) *DeferredDiscoveryRESTMapper {
	return restmapper.NewDeferredDiscoveryRESTMapperWithContext(internaldiscovery.NarrowCached(cl))
}

// NewShortcutExpander returns a mapper that expands the short names of a server's resources before it asks
// delegate. warningHandler, if not nil, is called for ambiguous short names.
func NewShortcutExpander(delegate meta.RESTMapper, client discovery.DiscoveryInterface, warningHandler func(string)) meta.RESTMapper {
	return restmapper.NewShortcutExpander(delegate, internaldiscovery.NarrowPlain(client), warningHandler)
}

// NewShortcutExpanderWithContext is [NewShortcutExpander] for mappers and clients with contexts.
func NewShortcutExpanderWithContext(delegate meta.RESTMapperWithContext, client discovery.DiscoveryInterfaceWithContext, warningHandler func(string)) meta.RESTMapperWithContext {
	return restmapper.NewShortcutExpanderWithContext(delegate, internaldiscovery.Narrow(client), warningHandler)
}

// NewDiscoveryCategoryExpander returns an expander for the categories of a server's resources. A nil client is a
// panic.
func NewDiscoveryCategoryExpander(client discovery.DiscoveryInterface) CategoryExpander {
	return restmapper.NewDiscoveryCategoryExpander(internaldiscovery.NarrowPlain(client))
}

// NewDiscoveryCategoryExpanderWithContext is [NewDiscoveryCategoryExpander] for clients with contexts.
func NewDiscoveryCategoryExpanderWithContext(client discovery.DiscoveryInterfaceWithContext) CategoryExpanderWithContext {
	return restmapper.NewDiscoveryCategoryExpanderWithContext(internaldiscovery.Narrow(client))
}
