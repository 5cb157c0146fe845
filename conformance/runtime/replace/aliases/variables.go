package aliases

// Variables are the exported variables of client-go, without errors and those that add types to schemes, with what an
// assignment of a program does.
var Variables = []Acceptance{
	{"tools/clientcmd", "RecommendedHomeFile UseModifyConfigLock", "takes effect: the functions that use them see it"},
	{"tools/metrics", "*", "metrics.Register sets these and the runtime's; an assignment is seen only by callers of the variable"},
	{"transport", "CertCallbackRefreshDuration", "has no effect: certificates are read each five minutes"},
	{"rest", "NameMayNotBe NameMayNotContain", "has no effect"},
	{"tools/clientcmd", "ClusterDefaults DefaultClientConfig RecommendedConfigDir RecommendedSchemaFile", "is seen by the program, which alone uses them, as with client-go"},
	{"util/retry", "DefaultRetry DefaultBackoff", "is seen by the program, which alone uses them, as with client-go"},
	{"util/jsonpath", "NodeTypeName", "takes effect: the variable is the module's own"},
	{"util/certificate", "DefaultKubeletServingGetUsages DefaultKubeletClientGetUsages", "is seen by the program, which passes them on, as with client-go"},
	{"kubernetes/scheme", "Scheme Codecs ParameterCodec", "has no effect on clients; adding types to the scheme has, as it is one and the same"},
	{"tools/clientcmd/api/latest", "Scheme Codec ExternalVersion Versions", "has no effect on clientcmd; adding types to the scheme has, as it is one and the same"},
}
