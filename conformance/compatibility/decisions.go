package compatibility

// Decisions are the reasons for all symbols that are not kept, by package.
var Decisions = []Decision{
	{
		"rest", LeftOut, "RetryAfter WithRetry",
		"how a request keeps count of its attempts is nobody else's business; nothing in client-go takes or returns them",
	},
	{
		"rest", LeftOut, "ConfigToExecCluster ExecClusterToConfig",
		"they take a type of client-go's pkg/apis/clientauthentication; what a plugin is told of the cluster is up to ExecConfig.ProvideClusterInfo, as ever",
	},
	{
		"rest", LeftOut, "TLSClientConfig.DeepCopy TLSClientConfig.DeepCopyInto Config.DeepCopy Config.DeepCopyInto",
		"Config has them only by embedding TLSClientConfig, and they copy no more of it; use CopyConfig",
	},

	{
		"transport", Changed, "NewCachedTokenSource NewCachedFileTokenSource",
		"they return a ResettableTokenSource, an interface, and not a type that has no name for others",
	},
	{
		"transport", LeftOut, "cachingTokenSource",
		"an unexported type that two functions return; see there",
	},

	{
		"discovery", Changed, "DiscoveryInterface DiscoveryInterfaceWithContext",
		"they do not embed the interfaces for OpenAPI documents",
	},
	{
		"discovery", LeftOut,
		"OpenAPI* ToOpenAPI* *.OpenAPI*",
		"the models of OpenAPI documents would be linked into every program with a clientset; ask for the documents by RESTClient().Get().AbsPath(\"/openapi/v3\"), or use client-go's openapi package",
	},
	{
		"discovery", LeftOut, "SplitGroupsAndResources",
		"it takes a type of k8s.io/api, which the runtime does not need otherwise; discovery clients do the same to a server's answer",
	},
	{
		"discovery/fake", LeftOut, "FakeDiscovery.OpenAPI*",
		"as in discovery",
	},

	{
		"tools/clientcmd/api", LeftOut,
		"FlattenConfig FlattenContent IsConfigEmpty MakeAbs MinifyConfig RedactSecrets ResolvePath ShortenConfig",
		"they belong to reading and writing files, which is not here yet; use client-go's tools/clientcmd for files",
	},
	{
		"tools/clientcmd/api", LeftOut, "AddToScheme SchemeBuilder",
		"the types are plain data here, in no scheme: only the reading of files needs one",
	},
	{
		"tools/clientcmd/api", LeftOut, "NewPreferences",
		"it makes a zero Preferences with a map; write a literal",
	},

	{
		"tools/cache", Changed, "DeltaFIFOOptions HandlerOptions ReflectorOptions SharedIndexInformerOptions SyncResult",
		"they have more fields; literals that name theirs compile as they are",
	},
	{
		"tools/cache", Changed, "NewIndexer NewStore NewThreadSafeStore StoreOption ThreadSafeStoreOption WithTransformer WithStoreMetrics WithThreadSafeStoreMetrics Indices",
		"options are functions over plain structs of options, and indices have no form that others could fill; nobody can name the types that client-go has there",
	},
	{
		"tools/cache", LeftOut, "cache index threadSafeMap",
		"unexported types that exported ones are made of; see there",
	},
	{
		"tools/cache", LeftOut, "RealFIFO RealFIFOOptions NewRealFIFO NewRealFIFOWithOptions",
		"there is one queue, DeltaFIFO, which keeps the order of arrival as RealFIFO does, and has its options",
	},
	{
		"tools/cache", LeftOut,
		"ExpirationCache ExpirationPolicy FakeExpirationPolicy NewExpirationStore NewFakeExpirationStore NewTTLStore TTLPolicy TimestampedEntry",
		"no store forgets by itself; hardly anybody uses these: use client-go's, or a cache of k8s.io/apimachinery/pkg/util/cache",
	},
	{
		"tools/cache", LeftOut, "Heap LessFunc NewHeap UndeltaStore NewUndeltaStore FakeCustomStore",
		"parts of client-go's own making that hardly anybody uses; container/heap, and a store of one's own in a test, do the same",
	},
	{
		"tools/cache", LeftOut, "RetryWithDeadline NewRetryWithDeadline ResourceVersionComparator",
		"how client-go's reflector counts its retries; ours has ReflectorOptions.Backoff, and apimachinery compares resource versions",
	},
	{
		"features", LeftOut, "AtomicFIFO ClientsAllowCARotation ClientsAllowTLSCacheGC InOrderInformersBatchProcess UnlockWhileProcessingFIFO",
		"what they switch is always on: batches in order, one change for a list, CAs that rotate, transports that are let go",
	},
}
