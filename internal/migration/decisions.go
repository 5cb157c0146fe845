package migration

import "strings"

// Fate is the status of symbols in a decision.
type Fate string

// The status of symbols that are not kept.
const (
	Changed Fate = "changed"
	LeftOut Fate = "left out"
)

// Decision is the reason why symbols of a pair are not kept.
type Decision struct {
	// Package is a path below k8s.io/client-go, or the name of a tree, for all its packages.
	Package string
	Fate    Fate
	// Symbols are separated by spaces. A star stands for any part of a name; a
	// symbol that is in use has to be named in full.
	Symbols string
	// Why is the reason, and what to use instead. It starts with a lowercase letter and has
	// no final period.
	Why string
}

// Names returns the symbols of the decision, which may contain stars.
func (d Decision) Names() []string { return strings.Fields(d.Symbols) }

// covers reports whether the decision is about symbols of a package.
func (d Decision) covers(theirs string) bool {
	top, isTree := strings.CutSuffix(d.Package, allBelow)
	return theirs == top || isTree && strings.HasPrefix(theirs, top+"/")
}

// Decisions are the reasons for all symbols that are changed or left out, by package.
var Decisions = []Decision{
	{
		"rest", LeftOut, "RetryAfter WithRetry",
		"the retry counter is internal to a request; nothing in client-go takes or returns these types",
	},
	{
		"rest", LeftOut, "TLSClientConfig.DeepCopy TLSClientConfig.DeepCopyInto Config.DeepCopy Config.DeepCopyInto",
		"Config has these methods only because it embeds TLSClientConfig, and they copy only that part; use CopyConfig",
	},

	{
		"transport", Changed, "NewCachedTokenSource NewCachedFileTokenSource",
		"they return the interface ResettableTokenSource instead of an unexported type",
	},
	{
		"transport", LeftOut, "cachingTokenSource",
		"unexported; see NewCachedTokenSource and NewCachedFileTokenSource, which return it",
	},

	{
		"transport/websocket", Changed, "RoundTripper",
		"it also contains a lock for concurrent round trips: write literals with field names, and do not copy it",
	},

	{
		"discovery", Changed, "DiscoveryInterface DiscoveryInterfaceWithContext",
		"they do not embed OpenAPISchemaInterface and OpenAPISchemaInterfaceWithContext, whose result is a type of the OpenAPI models",
	},
	{
		"discovery", LeftOut,
		"*.OpenAPISchema *.OpenAPISchemaWithContext",
		"every program with a clientset would link the OpenAPI models; use runtime/openapi/models: Schema requests the document, and For adds these methods to a discovery client",
	},
	{
		"discovery", LeftOut, "ToOpenAPIClientWithContext",
		"it is ToClientWithContext of package openapi",
	},
	{
		"discovery", LeftOut, "SplitGroupsAndResources",
		"it takes a type of k8s.io/api, which the runtime does not import; discovery clients split the server's response in the same way",
	},
	{
		"discovery/fake", LeftOut, "FakeDiscovery.OpenAPISchema FakeDiscovery.OpenAPISchemaWithContext",
		"as in discovery",
	},

	{
		"discovery/cached/disk", LeftOut, "CachedDiscoveryClient.OpenAPISchema CachedDiscoveryClient.OpenAPISchemaWithContext",
		"as in discovery",
	},
	{
		"restmapper", Changed, "NewDiscoveryRESTMapperWithContext NewShortcutExpanderWithContext",
		"they use an interface of their own with the methods of apimachinery's RESTMapperWithContext, which v0.36 lacks; values of either are assignable to the other",
	},
	{
		"scale", LeftOut, "NewScaleConverter ScaleConverter",
		"the versions are converted directly, without a scheme of internal types; results are in autoscaling/v1, and Update sends what the resolver names",
	},
	{
		"tools/leaderelection", Changed, "LeaderElectionConfig",
		"it has additional fields; literals with field names compile unchanged",
	},
	{
		"tools/leaderelection", Changed, "LeaderMetric MetricsProvider.NewLeaderMetric",
		"LeaderMetric is an alias of an interface with the same methods, so that a provider of metrics needs no import",
	},
	{
		"tools/leaderelection", LeftOut, "LeaderMetric.*",
		"only as declarations: the interface that LeaderMetric is an alias of has the same methods",
	},
	{
		"openapi/openapitest", LeftOut, "NewFileClient NewEmbeddedFileClient",
		"they serve OpenAPI documents of Kubernetes, megabytes that the module would carry; give a FakeClient the documents that a test needs",
	},

	{
		"dynamic/dynamicinformer", Changed, "DynamicSharedInformerFactory.ForResource NewFilteredDynamicInformer",
		"they return runtime/informers.GenericInformer, which has the methods of client-go's; its informers package is generated and not a part of the runtime",
	},
	{
		"metadata/metadatainformer", Changed, "SharedInformerFactory.ForResource NewFilteredMetadataInformer metadataSharedInformerFactory.ForResource",
		"as in dynamic/dynamicinformer",
	},

	{
		"tools/clientcmd", LeftOut, "AuthLoader NewDefaultAuthLoader PromptingAuthLoader NewPromptingAuthLoader",
		"they read and write the format of tools/auth, which preceded kubeconfigs; NewInteractiveClientConfig still prompts for credentials",
	},
	{
		"plugin/pkg/client/auth/exec", Changed, "Authenticator GetAuthenticator",
		"Authenticator is an alias of an internal type, with the same methods",
	},
	{
		"plugin/pkg/client/auth/exec", LeftOut, "Authenticator.UpdateTransportConfig",
		"only as a declaration: the type that Authenticator is an alias of has it",
	},
	{
		"pkg/apis/clientauthentication", Changed, "ExecCredential.String",
		"it prints the whole object, without credentials, also of a value",
	},
	{
		"pkg/apis/clientauthentication/v1", Changed, "ExecCredential.String",
		"as in pkg/apis/clientauthentication",
	},
	{
		"pkg/apis/clientauthentication/v1", LeftOut, "Convert_*",
		"the conversions of parts are internal; a scheme with AddToScheme converts ExecCredential as a whole",
	},
	{
		"pkg/apis/clientauthentication/v1", LeftOut, "RegisterDefaults",
		"the types have no defaults",
	},
	{
		"pkg/apis/clientauthentication/v1beta1", Changed, "ExecCredential.* ExecCredentialSpec ExecCredentialStatus Cluster",
		"the parts are aliases of v1's, which have the same fields; ExecCredential.String as in pkg/apis/clientauthentication",
	},
	{
		"pkg/apis/clientauthentication/v1beta1", LeftOut, "ExecCredentialSpec.* ExecCredentialStatus.* Cluster.*",
		"only as declarations: v1's types, of which these are aliases, have the same fields and methods",
	},
	{
		"pkg/apis/clientauthentication/v1beta1", LeftOut, "Convert_* RegisterDefaults",
		"as in pkg/apis/clientauthentication/v1",
	},
	{
		"tools/clientcmd/api/v1", LeftOut, "Convert_*",
		"the conversions of parts are internal; a scheme with AddToScheme converts Config as a whole",
	},

	{
		"tools/cache", Changed, "Object DeletedObject",
		"the constraint is a plain method set, without comparable, so that the compiler does not compile all typed code separately for every kind; code that compares values of such a type parameter with == needs comparable in its own constraint",
	},
	{
		"tools/cache", Changed, "DeltaFIFOOptions HandlerOptions InformerOptions ReflectorOptions SharedIndexInformerOptions SyncResult",
		"they have additional fields; literals with field names compile unchanged",
	},
	{
		"tools/cache", Changed, "NewIndexer NewStore NewThreadSafeStore StoreOption ThreadSafeStoreOption WithTransformer WithStoreMetrics WithThreadSafeStoreMetrics Indices",
		"options are functions on plain option structs, and Indices has no exported form; the client-go types in these places are unexported",
	},
	{
		"tools/cache", LeftOut, "cache index threadSafeMap",
		"unexported; see the exported types that embed or return them",
	},
	{
		"tools/cache", LeftOut, "RealFIFO RealFIFOOptions NewRealFIFO NewRealFIFOWithOptions",
		"DeltaFIFO is the only queue; it preserves the order of arrival like RealFIFO and has its options",
	},
	{
		"tools/cache", Changed, "TimestampedEntry",
		"it has no unexported fields, so that literals compile without field names",
	},
	{
		"tools/cache", LeftOut, "Heap LessFunc NewHeap UndeltaStore NewUndeltaStore",
		"internal parts of client-go that are rarely used; use container/heap, or your own store in a test",
	},
	{
		"tools/cache", LeftOut, "RetryWithDeadline NewRetryWithDeadline ResourceVersionComparator",
		"internal to client-go's reflector; use ReflectorOptions.Backoff, and apimachinery to compare resource versions",
	},
	{
		"applyconfigurations/meta/v1", LeftOut, "NewUnstructuredExtractor UnstructuredExtractor",
		"they read the OpenAPI models, which every program with a clientset would link",
	},

	{
		"tools/record", Changed, "config",
		"it is the unexported type in BroadcasterOption; options are set by functions",
	},
	{
		"tools/record", LeftOut, "config.*",
		"as config",
	},
	{
		"tools/record", Changed, "EventRecorderAdapter.WithLogger",
		"the interface that it returns has the same methods and is another alias of an internal type",
	},
	{
		"tools/events", Changed, "EventRecorder EventRecorderLogger AnnotatedEventRecorder EventBroadcaster.NewRecorder EventBroadcasterAdapter.NewRecorder FakeRecorder.WithLogger",
		"the interfaces have the same methods and are aliases of another internal type",
	},
	{
		"kubernetes/...", LeftOut, "Clientset.OpenAPISchema Clientset.OpenAPISchemaWithContext",
		"as in discovery",
	},
	{
		"informers/...", Changed, "SharedInformerFactory.Acquire",
		"it starts an informer, and stops it when it is released; an implementation of SharedInformerFactory of your own needs it",
	},
	{
		"informers/...", Changed, "InformerOptions SharedInformerOption NewInformerFunc SharedInformerFactory.InformerFor",
		"they are aliases: of Options and FactoryOption in runtime/informers, which all factories share, and of a function type; code that calls the functions With... and fills fields by name compiles",
	},
	{
		"informers/...", LeftOut, "InformerOptions.*",
		"only as a declaration: the type that InformerOptions is an alias of has them",
	},
	{
		"informers/...", LeftOut, "sharedInformerFactory",
		"unexported; see SharedInformerFactory",
	},
}
