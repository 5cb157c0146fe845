package discovery

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"github.com/listwatch/listwatch/runtime/openapi"
	"github.com/listwatch/listwatch/runtime/rest"
)

// ToDiscoveryInterfaceWithContext returns i itself if it has both forms, otherwise a
// wrapper that drops contexts. If i is an [AggregatedDiscoveryInterface], the
// wrapper is an [AggregatedDiscoveryInterfaceWithContext]. Nil stays nil.
func ToDiscoveryInterfaceWithContext(i DiscoveryInterface) DiscoveryInterfaceWithContext {
	switch i := i.(type) {
	case nil:
		return nil
	case DiscoveryInterfaceWithContext:
		return i
	case AggregatedDiscoveryInterface:
		return aggregatedWrapper{wrapDiscovery(i), i}
	default:
		return wrapDiscovery(i)
	}
}

// ToAggregatedDiscoveryInterfaceWithContext returns i itself if it has both forms,
// otherwise a wrapper that drops contexts. Nil stays nil.
func ToAggregatedDiscoveryInterfaceWithContext(i AggregatedDiscoveryInterface) AggregatedDiscoveryInterfaceWithContext {
	if i == nil {
		return nil
	}
	if both, ok := i.(AggregatedDiscoveryInterfaceWithContext); ok {
		return both
	}
	return aggregatedWrapper{ToDiscoveryInterfaceWithContext(i), i}
}

// ToCachedDiscoveryInterfaceWithContext returns i itself if it has both forms, otherwise
// a wrapper that drops contexts. Nil stays nil.
func ToCachedDiscoveryInterfaceWithContext(i CachedDiscoveryInterface) CachedDiscoveryInterfaceWithContext {
	if i == nil {
		return nil
	}
	if both, ok := i.(CachedDiscoveryInterfaceWithContext); ok {
		return both
	}
	return cachedWrapper{ToDiscoveryInterfaceWithContext(i), i}
}

// ToServerGroupsInterfaceWithContext returns i itself if it has both forms, otherwise a
// wrapper that drops contexts. Nil stays nil.
func ToServerGroupsInterfaceWithContext(i ServerGroupsInterface) ServerGroupsInterfaceWithContext {
	if i == nil {
		return nil
	}
	if both, ok := i.(ServerGroupsInterfaceWithContext); ok {
		return both
	}
	return groupsWrapper{i}
}

// ToServerResourcesInterfaceWithContext returns i itself if it has both forms, otherwise
// a wrapper that drops contexts. Nil stays nil.
func ToServerResourcesInterfaceWithContext(i ServerResourcesInterface) ServerResourcesInterfaceWithContext {
	if i == nil {
		return nil
	}
	if both, ok := i.(ServerResourcesInterfaceWithContext); ok {
		return both
	}
	return resourcesWrapper{i}
}

// ToServerVersionInterfaceWithContext returns i itself if it has both forms, otherwise a
// wrapper that drops contexts. Nil stays nil.
func ToServerVersionInterfaceWithContext(i ServerVersionInterface) ServerVersionInterfaceWithContext {
	if i == nil {
		return nil
	}
	if both, ok := i.(ServerVersionInterfaceWithContext); ok {
		return both
	}
	return versionWrapper{i}
}

// OpenAPIV3ToSchemaInterfaceWithContext returns i itself if it has both forms, otherwise a
// wrapper that drops contexts. Nil stays nil.
func OpenAPIV3ToSchemaInterfaceWithContext(i OpenAPIV3SchemaInterface) OpenAPIV3SchemaInterfaceWithContext {
	if i == nil {
		return nil
	}
	if both, ok := i.(OpenAPIV3SchemaInterfaceWithContext); ok {
		return both
	}
	return openAPIV3Wrapper{i}
}

type discoveryWrapper struct {
	ServerGroupsInterfaceWithContext
	ServerResourcesInterfaceWithContext
	ServerVersionInterfaceWithContext
	OpenAPIV3SchemaInterfaceWithContext
	wrapped DiscoveryInterface
}

func wrapDiscovery(i DiscoveryInterface) discoveryWrapper {
	return discoveryWrapper{
		ServerGroupsInterfaceWithContext:    ToServerGroupsInterfaceWithContext(i),
		ServerResourcesInterfaceWithContext: ToServerResourcesInterfaceWithContext(i),
		ServerVersionInterfaceWithContext:   ToServerVersionInterfaceWithContext(i),
		OpenAPIV3SchemaInterfaceWithContext: OpenAPIV3ToSchemaInterfaceWithContext(i),
		wrapped:                             i,
	}
}

func (w discoveryWrapper) RESTClient() rest.Interface { return w.wrapped.RESTClient() }

func (w discoveryWrapper) WithLegacyWithContext(context.Context) DiscoveryInterfaceWithContext {
	return ToDiscoveryInterfaceWithContext(w.wrapped.WithLegacy())
}

type aggregatedWrapper struct {
	DiscoveryInterfaceWithContext
	wrapped AggregatedDiscoveryInterface
}

func (w aggregatedWrapper) GroupsAndMaybeResourcesWithContext(context.Context) (*metav1.APIGroupList, map[schema.GroupVersion]*metav1.APIResourceList, map[schema.GroupVersion]error, error) {
	return w.wrapped.GroupsAndMaybeResources()
}

type cachedWrapper struct {
	DiscoveryInterfaceWithContext
	wrapped CachedDiscoveryInterface
}

func (w cachedWrapper) FreshWithContext(context.Context) bool { return w.wrapped.Fresh() }

func (w cachedWrapper) InvalidateWithContext(context.Context) { w.wrapped.Invalidate() }

type groupsWrapper struct{ wrapped ServerGroupsInterface }

func (w groupsWrapper) ServerGroupsWithContext(context.Context) (*metav1.APIGroupList, error) {
	return w.wrapped.ServerGroups()
}

type resourcesWrapper struct{ wrapped ServerResourcesInterface }

func (w resourcesWrapper) ServerResourcesForGroupVersionWithContext(_ context.Context, groupVersion string) (*metav1.APIResourceList, error) {
	return w.wrapped.ServerResourcesForGroupVersion(groupVersion)
}

func (w resourcesWrapper) ServerGroupsAndResourcesWithContext(context.Context) ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return w.wrapped.ServerGroupsAndResources()
}

func (w resourcesWrapper) ServerPreferredResourcesWithContext(context.Context) ([]*metav1.APIResourceList, error) {
	return w.wrapped.ServerPreferredResources()
}

func (w resourcesWrapper) ServerPreferredNamespacedResourcesWithContext(context.Context) ([]*metav1.APIResourceList, error) {
	return w.wrapped.ServerPreferredNamespacedResources()
}

type versionWrapper struct{ wrapped ServerVersionInterface }

func (w versionWrapper) ServerVersionWithContext(context.Context) (*version.Info, error) {
	return w.wrapped.ServerVersion()
}

type openAPIV3Wrapper struct{ wrapped OpenAPIV3SchemaInterface }

func (w openAPIV3Wrapper) OpenAPIV3WithContext(context.Context) openapi.ClientWithContext {
	return openapi.ToClientWithContext(w.wrapped.OpenAPIV3())
}
