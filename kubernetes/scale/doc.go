// Package scale reads and changes the number of replicas of any resource that has a scale subresource.
//
// # Terms
//
// The scale of an object is a small object of its own at the path of the subresource: a wanted number of
// replicas, the present one, and the selector of their pods. Servers serve it in several versions, of groups
// autoscaling, apps and extensions; callers always see autoscaling/v1.
//
// # Operations
//
// [New] and [NewForConfig] create a client. It finds the preferred version of a resource with a
// [PreferredResourceMapper], such as those of package restmapper, its path with a
// [dynamic.APIPathResolverFunc], and the version of its scale, which an update has to have, with a
// [ScaleKindResolver], such as that of [NewDiscoveryScaleKindResolver].
//
// # Limits
//
// A scale of another group or version is an error. Clients are safe for concurrent use if the mapper and the
// resolvers are.
package scale
