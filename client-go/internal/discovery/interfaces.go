package discovery

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/openapi/models"
	"github.com/listwatch/listwatch/runtime/rest"
)

// DiscoveryInterface reports what a server serves. [DiscoveryInterfaceWithContext] is the form with contexts.
type DiscoveryInterface interface { //nolint:revive // the name is client-go's
	// RESTClient returns the client that sends the requests. Fakes return nil.
	RESTClient() rest.Interface
	discovery.ServerGroupsInterface
	discovery.ServerResourcesInterface
	discovery.ServerVersionInterface
	models.OpenAPISchemaInterface
	discovery.OpenAPIV3SchemaInterface
	// WithLegacy returns a client like this one that is restricted to legacy discovery, or this one if it has
	// no other form.
	WithLegacy() DiscoveryInterface
}

// DiscoveryInterfaceWithContext reports what a server serves.
type DiscoveryInterfaceWithContext interface { //nolint:revive // the name is client-go's
	// RESTClient returns the client that sends the requests. Fakes return nil.
	RESTClient() rest.Interface
	discovery.ServerGroupsInterfaceWithContext
	discovery.ServerResourcesInterfaceWithContext
	discovery.ServerVersionInterfaceWithContext
	models.OpenAPISchemaInterfaceWithContext
	discovery.OpenAPIV3SchemaInterfaceWithContext
	// WithLegacyWithContext returns a client like this one that is restricted to legacy discovery, or this one
	// if it has no other form.
	WithLegacyWithContext(ctx context.Context) DiscoveryInterfaceWithContext
}

// DiscoveryInterfaces combines both forms.
type DiscoveryInterfaces interface { //nolint:revive // the name is client-go's
	DiscoveryInterface
	DiscoveryInterfaceWithContext
}

// AggregatedDiscoveryInterface is a [DiscoveryInterface] that can get resources together with groups.
type AggregatedDiscoveryInterface interface {
	DiscoveryInterface

	// GroupsAndMaybeResources returns all groups. If the server lists resources together with groups, it also
	// returns the resources of all group versions, and an error for each failed one. Otherwise the map of
	// resources is nil.
	GroupsAndMaybeResources() (*metav1.APIGroupList, map[schema.GroupVersion]*metav1.APIResourceList, map[schema.GroupVersion]error, error)
}

// AggregatedDiscoveryInterfaceWithContext is a [DiscoveryInterfaceWithContext] that can get resources together
// with groups.
type AggregatedDiscoveryInterfaceWithContext interface {
	DiscoveryInterfaceWithContext

	// GroupsAndMaybeResourcesWithContext returns all groups. If the server lists resources together with
	// groups, it also returns the resources of all group versions, and an error for each failed one. Otherwise
	// the map of resources is nil.
	GroupsAndMaybeResourcesWithContext(ctx context.Context) (*metav1.APIGroupList, map[schema.GroupVersion]*metav1.APIResourceList, map[schema.GroupVersion]error, error)
}

// CachedDiscoveryInterface is a [DiscoveryInterface] that caches results, including "not found", until
// Invalidate is called.
type CachedDiscoveryInterface interface {
	DiscoveryInterface
	// Fresh reports whether all results were obtained after the last Invalidate: if so, retrying after "not
	// found" is useless.
	Fresh() bool
	// Invalidate removes all cached results.
	Invalidate()
}

// CachedDiscoveryInterfaceWithContext is a [DiscoveryInterfaceWithContext] that caches results, including "not
// found", until InvalidateWithContext is called.
type CachedDiscoveryInterfaceWithContext interface {
	DiscoveryInterfaceWithContext
	// FreshWithContext reports whether all results were obtained after the last InvalidateWithContext: if so,
	// retrying after "not found" is useless.
	FreshWithContext(ctx context.Context) bool
	// InvalidateWithContext removes all cached results.
	InvalidateWithContext(ctx context.Context)
}
