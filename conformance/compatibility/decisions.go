package compatibility

// Decisions are the reasons for all symbols that are not kept, by package.
var Decisions = []Decision{
	{
		"discovery", LeftOut,
		"OpenAPI* ToOpenAPI* DiscoveryInterface.OpenAPI* DiscoveryInterfaces.OpenAPI* " +
			"DiscoveryInterfaceWithContext.OpenAPI* DiscoveryClient.OpenAPI* " +
			"AggregatedDiscoveryInterface*.OpenAPI* CachedDiscoveryInterface*.OpenAPI*",
		"the models of OpenAPI documents would be linked into every program with a clientset; use client-go's client for them",
	},
	{
		"discovery", LeftOut, "SplitGroupsAndResources",
		"it takes a type of k8s.io/api, which the runtime does not need otherwise; discovery clients do the same to a server's answer",
	},
}
