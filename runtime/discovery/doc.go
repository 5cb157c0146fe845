// Package discovery asks an API server what it serves.
//
// # Terms
//
// A server has groups ("apps"; the core group's name is empty), a group has
// versions, and a group version ("apps/v1", "v1") has resources. One version of a
// group is preferred. Groups come from two endpoints: /api lists the core group,
// /apis all others.
//
// Discovery is legacy when the endpoints name groups and versions only, and the
// resources of each group version are one more request. It is aggregated when
// the endpoints tell everything: two requests in all. A [DiscoveryClient] accepts
// both and the server chooses; [DiscoveryClient.WithLegacy] accepts legacy
// discovery only.
//
// In aggregated discovery a group version is stale when the server that serves
// it did not answer the aggregating server. What is known of it can be out of
// date, so it is left out of all results and reported as failed.
//
// # Operations
//
// [NewDiscoveryClientForConfig] and its siblings make a client. Its methods
// answer with groups (ServerGroups), with resources (ServerResourcesForGroupVersion,
// ServerGroupsAndResources, ServerPreferredResources,
// ServerPreferredNamespacedResources), or with the server's build
// (ServerVersion). [FilteredBy], [GroupVersionResources], [IsResourceEnabled],
// [ServerSupportsVersion] and [MatchesServerVersion] work on the answers.
//
// A group version that fails does not hide the others: what could be had is
// returned along with an [ErrGroupDiscoveryFailed]. A 404 of /api is a server
// without a core group, no error; any other failure of /api or /apis leaves
// nothing to return. Errors name the path; the server's own, of
// k8s.io/apimachinery/pkg/api/errors, are wrapped.
//
// Every method exists twice, without and with a context. The interfaces come in
// the same two forms ([DiscoveryInterface], [DiscoveryInterfaceWithContext]);
// [ToDiscoveryInterfaceWithContext] and its siblings make the second from the
// first.
//
// # Limits
//
// Nothing is cached. OpenAPI documents are no part of this package: decoding
// them would make each program link the models of OpenAPI. Answers belong to
// the caller, who may change them. A client can be used by any number of
// goroutines.
package discovery
