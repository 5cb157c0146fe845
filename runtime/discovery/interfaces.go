package discovery

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"github.com/listwatch/listwatch/runtime/openapi"
	"github.com/listwatch/listwatch/runtime/rest"
)

// DiscoveryInterface reports what a server serves. [DiscoveryInterfaceWithContext] is the form with contexts.
type DiscoveryInterface interface { //nolint:revive // the name is client-go's
	// RESTClient returns the client that sends the requests. Fakes return nil.
	RESTClient() rest.Interface
	ServerGroupsInterface
	ServerResourcesInterface
	ServerVersionInterface
	OpenAPIV3SchemaInterface
	// WithLegacy returns a client like this one that is restricted to legacy discovery, or this one if it has
	// no other form.
	WithLegacy() DiscoveryInterface
}

// DiscoveryInterfaceWithContext reports what a server serves.
type DiscoveryInterfaceWithContext interface { //nolint:revive // the name is client-go's
	// RESTClient returns the client that sends the requests. Fakes return nil.
	RESTClient() rest.Interface
	ServerGroupsInterfaceWithContext
	ServerResourcesInterfaceWithContext
	ServerVersionInterfaceWithContext
	OpenAPIV3SchemaInterfaceWithContext
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

// ServerGroupsInterface lists a server's groups.
type ServerGroupsInterface interface {
	// ServerGroups returns the groups with their versions, the core group first.
	ServerGroups() (*metav1.APIGroupList, error)
}

// ServerGroupsInterfaceWithContext lists a server's groups.
type ServerGroupsInterfaceWithContext interface {
	// ServerGroupsWithContext returns the groups with their versions, the core
	// group first.
	ServerGroupsWithContext(ctx context.Context) (*metav1.APIGroupList, error)
}

// ServerResourcesInterface lists a server's resources. With an [ErrGroupDiscoveryFailed], results contain what
// is available.
type ServerResourcesInterface interface {
	// ServerResourcesForGroupVersion returns the resources of one group version.
	ServerResourcesForGroupVersion(groupVersion string) (*metav1.APIResourceList, error)
	// ServerGroupsAndResources returns all groups and the resources of all their
	// versions.
	ServerGroupsAndResources() ([]*metav1.APIGroup, []*metav1.APIResourceList, error)
	// ServerPreferredResources returns each resource once, in its group's preferred version, or in the first
	// version that has it if the preferred one does not. Subresources are omitted.
	ServerPreferredResources() ([]*metav1.APIResourceList, error)
	// ServerPreferredNamespacedResources is ServerPreferredResources without
	// cluster-scoped resources.
	ServerPreferredNamespacedResources() ([]*metav1.APIResourceList, error)
}

// ServerResourcesInterfaceWithContext lists a server's resources. With an [ErrGroupDiscoveryFailed], results
// contain what is available.
type ServerResourcesInterfaceWithContext interface {
	// ServerResourcesForGroupVersionWithContext returns the resources of one group
	// version.
	ServerResourcesForGroupVersionWithContext(ctx context.Context, groupVersion string) (*metav1.APIResourceList, error)
	// ServerGroupsAndResourcesWithContext returns all groups and the resources of
	// all their versions.
	ServerGroupsAndResourcesWithContext(ctx context.Context) ([]*metav1.APIGroup, []*metav1.APIResourceList, error)
	// ServerPreferredResourcesWithContext returns each resource once, in its group's preferred version, or in
	// the first version that has it if the preferred one does not. Subresources are omitted.
	ServerPreferredResourcesWithContext(ctx context.Context) ([]*metav1.APIResourceList, error)
	// ServerPreferredNamespacedResourcesWithContext is
	// ServerPreferredResourcesWithContext without cluster-scoped resources.
	ServerPreferredNamespacedResourcesWithContext(ctx context.Context) ([]*metav1.APIResourceList, error)
}

// ServerVersionInterface reports a server's build.
type ServerVersionInterface interface {
	// ServerVersion returns the server's build information.
	ServerVersion() (*version.Info, error)
}

// ServerVersionInterfaceWithContext reports a server's build.
type ServerVersionInterfaceWithContext interface {
	// ServerVersionWithContext returns the server's build information.
	ServerVersionWithContext(ctx context.Context) (*version.Info, error)
}

// OpenAPIV3SchemaInterface gives access to a server's OpenAPI v3 documents.
type OpenAPIV3SchemaInterface interface {
	// OpenAPIV3 returns a client for the documents. It sends no request.
	OpenAPIV3() openapi.Client
}

// OpenAPIV3SchemaInterfaceWithContext gives access to a server's OpenAPI v3 documents.
type OpenAPIV3SchemaInterfaceWithContext interface {
	// OpenAPIV3WithContext returns a client for the documents. It sends no request.
	OpenAPIV3WithContext(ctx context.Context) openapi.ClientWithContext
}
