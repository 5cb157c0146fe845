// Package discovery reports which groups, versions and resources an API server serves.
//
// # Terms
//
// A server has groups ("apps"; the core group's name is empty), a group has versions, and a group version
// ("apps/v1", "v1") has resources. One version of a group is preferred. Groups come from two endpoints: /api
// lists the core group, /apis all others.
//
// Legacy discovery is the form in which the endpoints list only groups and versions, and the resources of each
// group version take one more request. Aggregated discovery returns everything from the endpoints: two requests
// in all. A [DiscoveryClient] accepts both and the server chooses; [DiscoveryClient.WithLegacy] accepts legacy
// discovery only.
//
// In aggregated discovery a group version is stale if the server that serves it did not respond to the
// aggregating server. Its information may be outdated, so it is omitted from all results and reported as
// failed.
//
// # Operations
//
// [NewDiscoveryClientForConfig] and similar constructors create a client. Its methods return groups
// (ServerGroups), resources (ServerResourcesForGroupVersion, ServerGroupsAndResources,
// ServerPreferredResources, ServerPreferredNamespacedResources), or the server's build (ServerVersion).
// [FilteredBy], [GroupVersionResources], [IsResourceEnabled], [ServerSupportsVersion] and
// [MatchesServerVersion] work on the results.
//
// A group version that fails does not hide the others: the available results are returned together with an
// [ErrGroupDiscoveryFailed]. A 404 of /api means that the server has no core group and is not an error; any
// other failure of /api or /apis leaves nothing to return. Errors contain the path and wrap the server's
// errors, of k8s.io/apimachinery/pkg/api/errors.
//
// Every method exists without and with a context. The interfaces exist in the same two forms
// ([DiscoveryInterface], [DiscoveryInterfaceWithContext]); [ToDiscoveryInterfaceWithContext] and similar
// functions convert the first to the second.
//
// # Limits
//
// Nothing is cached; packages cached/memory and cached/disk have clients that cache. OpenAPI v3 documents are
// returned as bytes: decoding them would link the models of OpenAPI into every program. Package openapi/models
// decodes them, and those of OpenAPI v2. The caller owns the results. Clients are safe for concurrent use.
package discovery
