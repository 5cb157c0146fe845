package discovery

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/openapi/models"
	"github.com/listwatch/listwatch/runtime/rest"
)

// ToDiscoveryInterfaceWithContext returns i itself if it has both forms, otherwise a wrapper that drops contexts.
// If i is an [AggregatedDiscoveryInterface], the wrapper is an [AggregatedDiscoveryInterfaceWithContext]. Nil
// stays nil.
func ToDiscoveryInterfaceWithContext(i DiscoveryInterface) DiscoveryInterfaceWithContext {
	switch i := i.(type) {
	case nil:
		return nil
	case DiscoveryInterfaceWithContext:
		return i
	case AggregatedDiscoveryInterface:
		return aggregatedWrapper{wrap(i), i}
	default:
		return wrap(i)
	}
}

// ToAggregatedDiscoveryInterfaceWithContext returns i itself if it has both forms, otherwise a wrapper that drops
// contexts. Nil stays nil.
func ToAggregatedDiscoveryInterfaceWithContext(i AggregatedDiscoveryInterface) AggregatedDiscoveryInterfaceWithContext {
	if i == nil {
		return nil
	}
	if both, ok := i.(AggregatedDiscoveryInterfaceWithContext); ok {
		return both
	}
	return aggregatedWrapper{ToDiscoveryInterfaceWithContext(i), i}
}

// ToCachedDiscoveryInterfaceWithContext returns i itself if it has both forms, otherwise a wrapper that drops
// contexts. Nil stays nil.
func ToCachedDiscoveryInterfaceWithContext(i CachedDiscoveryInterface) CachedDiscoveryInterfaceWithContext {
	if i == nil {
		return nil
	}
	if both, ok := i.(CachedDiscoveryInterfaceWithContext); ok {
		return both
	}
	return cachedWrapper{ToDiscoveryInterfaceWithContext(i), i}
}

// wrapper drops the contexts of calls.
type wrapper struct {
	discovery.ServerGroupsInterfaceWithContext
	discovery.ServerResourcesInterfaceWithContext
	discovery.ServerVersionInterfaceWithContext
	models.OpenAPISchemaInterfaceWithContext
	discovery.OpenAPIV3SchemaInterfaceWithContext
	wrapped DiscoveryInterface
}

func wrap(i DiscoveryInterface) wrapper {
	return wrapper{
		ServerGroupsInterfaceWithContext:    discovery.ToServerGroupsInterfaceWithContext(i),
		ServerResourcesInterfaceWithContext: discovery.ToServerResourcesInterfaceWithContext(i),
		ServerVersionInterfaceWithContext:   discovery.ToServerVersionInterfaceWithContext(i),
		OpenAPISchemaInterfaceWithContext:   models.ToOpenAPISchemaInterfaceWithContext(i),
		OpenAPIV3SchemaInterfaceWithContext: discovery.OpenAPIV3ToSchemaInterfaceWithContext(i),
		wrapped:                             i,
	}
}

func (w wrapper) RESTClient() rest.Interface { return w.wrapped.RESTClient() }

func (w wrapper) WithLegacyWithContext(context.Context) DiscoveryInterfaceWithContext {
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
