package discovery

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"github.com/listwatch/listwatch/runtime/discovery"
)

// ServerGroupsAndResources is [ServerGroupsAndResourcesWithContext] without a context.
func ServerGroupsAndResources(d DiscoveryInterface) ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return ServerGroupsAndResourcesWithContext(context.Background(), ToDiscoveryInterfaceWithContext(d))
}

// ServerGroupsAndResourcesWithContext returns the groups of d and the resources of all their versions, in the
// order of the groups. With an [discovery.ErrGroupDiscoveryFailed] the results contain what is available.
func ServerGroupsAndResourcesWithContext(ctx context.Context, d DiscoveryInterfaceWithContext) ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return discovery.ServerGroupsAndResourcesWithContext(ctx, Narrow(d))
}

// ServerPreferredResources is [ServerPreferredResourcesWithContext] without a context.
func ServerPreferredResources(d DiscoveryInterface) ([]*metav1.APIResourceList, error) {
	return ServerPreferredResourcesWithContext(context.Background(), ToDiscoveryInterfaceWithContext(d))
}

// ServerPreferredResourcesWithContext returns each resource of d once, in the version that its group prefers, or in
// the first version that has it if that lacks it. With an [discovery.ErrGroupDiscoveryFailed] the result contains
// what is available.
func ServerPreferredResourcesWithContext(ctx context.Context, d DiscoveryInterfaceWithContext) ([]*metav1.APIResourceList, error) {
	return discovery.ServerPreferredResourcesWithContext(ctx, Narrow(d))
}

// ServerPreferredNamespacedResources is [ServerPreferredNamespacedResourcesWithContext] without a context.
func ServerPreferredNamespacedResources(d DiscoveryInterface) ([]*metav1.APIResourceList, error) {
	return ServerPreferredNamespacedResourcesWithContext(context.Background(), ToDiscoveryInterfaceWithContext(d))
}

// ServerPreferredNamespacedResourcesWithContext returns the preferred resources of d that are namespaced, without
// empty lists. With an [discovery.ErrGroupDiscoveryFailed] the result contains what is available.
func ServerPreferredNamespacedResourcesWithContext(ctx context.Context, d DiscoveryInterfaceWithContext) ([]*metav1.APIResourceList, error) {
	return discovery.ServerPreferredNamespacedResourcesWithContext(ctx, Narrow(d))
}

// IsResourceEnabled reports, with one request, whether the server has a resource.
func IsResourceEnabled(client DiscoveryInterface, resourceToCheck schema.GroupVersionResource) (bool, error) {
	return discovery.IsResourceEnabled(NarrowPlain(client), resourceToCheck)
}

// ServerSupportsVersion returns an error if the server does not list a group version. A server that lists none
// supports all.
func ServerSupportsVersion(client DiscoveryInterface, requiredGV schema.GroupVersion) error {
	return discovery.ServerSupportsVersion(NarrowPlain(client), requiredGV)
}

// MatchesServerVersion returns an error if the server was not built from the same version, commit and state of the
// tree as the client.
func MatchesServerVersion(clientVersion version.Info, client DiscoveryInterface) error {
	return discovery.MatchesServerVersion(clientVersion, NarrowPlain(client))
}
