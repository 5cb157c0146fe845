// Package controllerruntime runs managers of sigs.k8s.io/controller-runtime on listwatch's informers:
//
//	manager, err := ctrl.NewManager(config, ctrl.Options{NewCache: controllerruntime.NewCache})
//
// With NewClient, too, reads see the manager's own writes:
//
//	ctrl.Options{NewCache: controllerruntime.NewCache, NewClient: controllerruntime.NewClient}
//
// Controllers, builders, sources, handlers and predicates of the program stay as they are.
//
// # Terms
//
// A kind has up to three forms: Go types, Unstructured, and PartialObjectMetadata. A cache has one informer
// for each kind and form that is read or watched. A scope is a source of an informer: one of the namespaces in
// cache.Options, or all namespaces. The scopes of an informer have their own selectors, transforms and copying.
//
// # Operations
//
// [NewCache] creates a cache with controller-runtime's options, [NewCacheWith] one of which some kinds are packed.
// Reads return copies, unless an option says otherwise. [WaitForSync] waits for a cache and returns why it has not
// synced. [NewClient] creates a client whose reads wait until the cache shows the client's own writes, and
// [NotOlderThan] makes one read wait for a version.
//
// [NewShardedCache] and [NewShardedReconciler] are for replicas that share the objects of their kinds, in place of leader
// election: each has in its cache, and reconciles, the objects whose slots it owns in a ring of package kubernetes/shards.
//
// Users see these differences from controller-runtime's own cache:
//
//   - Lists and watches are decoded while they arrive, in one pass; strings and managed fields that are equal in many
//     objects are stored once and, in kinds without a transform of the program, maps, slices and structs. Handlers of these
//     kinds get copies of the objects, unless UnsafeDisableDeepCopy is set: then such parts are not stored once.
//   - If the server forbids a list, GetInformer, Get and List return its error at once, and succeed as soon as
//     it is allowed: the informer tries again. WaitForCacheSync logs what it waited for.
//   - An informer of several namespaces has one store: a list over all of them is as of one moment, handlers
//     are called one event after the other, and WaitForCacheSync waits for all of them if one was read.
//   - Options that have no effect or a harmful one there: with EnableWatchBookmarks false, the cache syncs; a Get with
//     client.UnsafeDisableDeepCopy does not copy objects of kinds without namespaces if the cache has namespaces.
//   - With namespaces, reads of a kind go on when its CustomResourceDefinition is deleted.
//   - The informers are among [github.com/listwatch/listwatch/runtime/cache.All], so that package debug shows
//     them. In metrics their name is controller-runtime, with the form as a suffix; a second cache of the
//     process has a number.
//   - With cache.TransformStripManagedFields as transform, managed fields are not decoded, and not requested from
//     servers that can leave them out.
//
// # Metrics
//
// The cache's requests are counted by controller-runtime's metrics, such as rest_client_requests_total, and by those that
// its RegisterRESTClientMetrics enables, unless the program has called Register of listwatch's package metrics before.
// Informers wait themselves when the server requests it, so rest_client_request_retries_total does not count their lists
// and watches. RegisterInformers of the module metrics/prometheus adds the metrics of informers to the same registry.
//
// # Limits
//
// The objects of a read with the option client.UnsafeDisableDeepCopy share parts if UnsafeDisableDeepCopy is not set in the
// cache's options: modifying one may modify others. So may an index function that modifies its argument.
//
// [NewClient] differs from controller-runtime's client with EnableReadYourWritesConsistency: several namespaces of a
// kind and DeleteAllOf work, a deletion needs no UID, a write is seen by reads in each form of the kind, a read waits
// for writes that have returned, not for those that have only begun, and it waits for a bounded time.
//
// The sync periods of the scopes of an informer are rounded up to multiples of the shortest.
//
// A cache with cache.Options.NewInformer is controller-runtime's own, with these informers; [NewClient] rejects it.
package controllerruntime
