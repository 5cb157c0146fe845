package aliases

// Acceptance is the reason why symbols of a package may differ. Symbols are separated by spaces; a star stands for any
// part of one.
type Acceptance struct{ Package, Symbols, Why string }

// Accepted are the differences that no program notices that compiles with client-go.
var Accepted = []Acceptance{
	{
		"gentype", "New* PrefersProtobuf Option Client ClientWithApply ClientWithList ClientWithListAndApply FakeClient FakeClientWithApply FakeClientWithList FakeClientWithListAndApply",
		"a constraint is written out, as it has no exported name",
	},
	{
		"rest", "NewWarningWriter",
		"a variable, as the result has no exported name",
	},
	{
		"util/workqueue", "WithChunkSize",
		"a variable, as the type of the option's parameter has no exported name",
	},
	{
		"transport", "NewCachedTokenSource NewCachedFileTokenSource",
		"the result has no exported name in client-go; here it is an interface with its methods",
	},
	{
		"rest", "TLSClientConfig.DeepCopy TLSClientConfig.DeepCopyInto Config.DeepCopy Config.DeepCopyInto",
		"Config has these methods in client-go only because it embeds TLSClientConfig, and they copy only that part",
	},
	{
		"tools/cache", "StoreOption ThreadSafeStoreOption NewStore NewIndexer NewThreadSafeStore WithTransformer WithStoreMetrics WithThreadSafeStoreMetrics Indices",
		"options take other types, which have no exported name in client-go",
	},
	{
		"tools/cache", "DeletedObject",
		"the struct cannot be compared with ==, as its type parameter may not be",
	},
	{
		"tools/leaderelection", "LeaderMetric LeaderMetric.* MetricsProvider.NewLeaderMetric",
		"an alias of an interface with the same methods",
	},
}

// Missing are the packages and symbols that the module does not have yet. Programs that use them do not compile with
// it.
var Missing = []Acceptance{}
