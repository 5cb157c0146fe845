package discovery

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"github.com/listwatch/listwatch/runtime/rest"
)

// DiscoveryInterface tells what a server serves. [DiscoveryInterfaceWithContext]
// is the form that can be cancelled.
type DiscoveryInterface interface { //nolint:revive // the name is client-go's
	// RESTClient returns the client that requests are made with. Fakes return nil.
	RESTClient() rest.Interface
	ServerGroupsInterface
	ServerResourcesInterface
	ServerVersionInterface
	// WithLegacy returns a client like this one that asks for legacy discovery
	// only, or this one if it knows no other.
	WithLegacy() DiscoveryInterface
}

// DiscoveryInterfaceWithContext tells what a server serves.
type DiscoveryInterfaceWithContext interface { //nolint:revive // the name is client-go's
	// RESTClient returns the client that requests are made with. Fakes return nil.
	RESTClient() rest.Interface
	ServerGroupsInterfaceWithContext
	ServerResourcesInterfaceWithContext
	ServerVersionInterfaceWithContext
	// WithLegacyWithContext returns a client like this one that asks for legacy
	// discovery only, or this one if it knows no other.
	WithLegacyWithContext(ctx context.Context) DiscoveryInterfaceWithContext
}

// DiscoveryInterfaces is both forms in one.
type DiscoveryInterfaces interface { //nolint:revive // the name is client-go's
	DiscoveryInterface
	DiscoveryInterfaceWithContext
}

// AggregatedDiscoveryInterface is a [DiscoveryInterface] that can learn resources
// along with groups.
type AggregatedDiscoveryInterface interface {
	DiscoveryInterface

	// GroupsAndMaybeResources returns all groups, and where the server told them
	// at once, the resources of all group versions but the failed ones, which have
	// an error each. The map of resources is nil if they have yet to be asked for.
	GroupsAndMaybeResources() (*metav1.APIGroupList, map[schema.GroupVersion]*metav1.APIResourceList, map[schema.GroupVersion]error, error)
}

// AggregatedDiscoveryInterfaceWithContext is a [DiscoveryInterfaceWithContext]
// that can learn resources along with groups.
type AggregatedDiscoveryInterfaceWithContext interface {
	DiscoveryInterfaceWithContext

	// GroupsAndMaybeResourcesWithContext returns all groups, and where the server
	// told them at once, the resources of all group versions but the failed ones,
	// which have an error each. The map of resources is nil if they have yet to be
	// asked for.
	GroupsAndMaybeResourcesWithContext(ctx context.Context) (*metav1.APIGroupList, map[schema.GroupVersion]*metav1.APIResourceList, map[schema.GroupVersion]error, error)
}

// CachedDiscoveryInterface is a [DiscoveryInterface] that remembers answers. One
// that it lacks stays unknown until Invalidate.
type CachedDiscoveryInterface interface {
	DiscoveryInterface
	// Fresh tells whether answers come from after the last Invalidate: if so,
	// there is no use in trying again for what was not found.
	Fresh() bool
	// Invalidate forgets all answers.
	Invalidate()
}

// CachedDiscoveryInterfaceWithContext is a [DiscoveryInterfaceWithContext] that
// remembers answers. One that it lacks stays unknown until InvalidateWithContext.
type CachedDiscoveryInterfaceWithContext interface {
	DiscoveryInterfaceWithContext
	// FreshWithContext tells whether answers come from after the last
	// InvalidateWithContext: if so, there is no use in trying again for what was
	// not found.
	FreshWithContext(ctx context.Context) bool
	// InvalidateWithContext forgets all answers.
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

// ServerResourcesInterface lists a server's resources. With an
// [ErrGroupDiscoveryFailed], results hold what could be had.
type ServerResourcesInterface interface {
	// ServerResourcesForGroupVersion returns the resources of one group version.
	ServerResourcesForGroupVersion(groupVersion string) (*metav1.APIResourceList, error)
	// ServerGroupsAndResources returns all groups and the resources of all their
	// versions.
	ServerGroupsAndResources() ([]*metav1.APIGroup, []*metav1.APIResourceList, error)
	// ServerPreferredResources returns each resource once, in the version that its
	// group prefers, or if that lacks it, in the first that has it. Subresources
	// are left out.
	ServerPreferredResources() ([]*metav1.APIResourceList, error)
	// ServerPreferredNamespacedResources is ServerPreferredResources without
	// cluster-scoped resources.
	ServerPreferredNamespacedResources() ([]*metav1.APIResourceList, error)
}

// ServerResourcesInterfaceWithContext lists a server's resources. With an
// [ErrGroupDiscoveryFailed], results hold what could be had.
type ServerResourcesInterfaceWithContext interface {
	// ServerResourcesForGroupVersionWithContext returns the resources of one group
	// version.
	ServerResourcesForGroupVersionWithContext(ctx context.Context, groupVersion string) (*metav1.APIResourceList, error)
	// ServerGroupsAndResourcesWithContext returns all groups and the resources of
	// all their versions.
	ServerGroupsAndResourcesWithContext(ctx context.Context) ([]*metav1.APIGroup, []*metav1.APIResourceList, error)
	// ServerPreferredResourcesWithContext returns each resource once, in the version
	// that its group prefers, or if that lacks it, in the first that has it.
	// Subresources are left out.
	ServerPreferredResourcesWithContext(ctx context.Context) ([]*metav1.APIResourceList, error)
	// ServerPreferredNamespacedResourcesWithContext is
	// ServerPreferredResourcesWithContext without cluster-scoped resources.
	ServerPreferredNamespacedResourcesWithContext(ctx context.Context) ([]*metav1.APIResourceList, error)
}

// ServerVersionInterface tells a server's build.
type ServerVersionInterface interface {
	// ServerVersion returns what the server says of its build.
	ServerVersion() (*version.Info, error)
}

// ServerVersionInterfaceWithContext tells a server's build.
type ServerVersionInterfaceWithContext interface {
	// ServerVersionWithContext returns what the server says of its build.
	ServerVersionWithContext(ctx context.Context) (*version.Info, error)
}
