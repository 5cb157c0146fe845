package migration

// Import path prefixes of the two sides.
const (
	ClientGo = "k8s.io/client-go/"
	Module   = "github.com/listwatch/listwatch/"
)

// Pair is a package of client-go with the packages that replace it.
type Pair struct {
	// Theirs is the package's path below k8s.io/client-go.
	Theirs string
	// Ours are paths below this module. The first has the package's name; the others
	// contain symbols that were moved out of it.
	Ours []string
}

// TheirPath returns the import path of client-go's package.
func (p Pair) TheirPath() string { return ClientGo + p.Theirs }

// OurPaths returns the import paths of our packages, in the order of Ours.
func (p Pair) OurPaths() []string {
	var paths []string
	for _, path := range p.Ours {
		paths = append(paths, Module+path)
	}
	return paths
}

// Pairs are all packages of client-go that this module replaces. [Others] are the rest.
var Pairs = []Pair{
	{"rest", []string{"runtime/rest"}},
	{"rest/fake", []string{"runtime/rest/fake"}},
	{"rest/watch", []string{"runtime/watch"}},
	{"transport", []string{"runtime/transport"}},
	{"transport/spdy", []string{"streaming/spdy"}},
	{"transport/websocket", []string{"streaming/websocket"}},
	{"gentype", []string{"runtime/gentype", "runtime/gentype/fake"}},
	{"discovery", []string{"runtime/discovery", "runtime/openapi/models"}},
	{"dynamic", []string{"runtime/dynamic"}},
	{"dynamic/dynamicinformer", []string{"runtime/dynamic/dynamicinformer"}},
	{"dynamic/dynamiclister", []string{"runtime/dynamic/dynamiclister"}},
	{"dynamic/fake", []string{"runtime/dynamic/fake"}},
	{"metadata", []string{"runtime/metadata"}},
	{"metadata/fake", []string{"runtime/metadata/fake"}},
	{"metadata/metadatainformer", []string{"runtime/metadata/metadatainformer"}},
	{"metadata/metadatalister", []string{"runtime/metadata/metadatalister"}},
	{"discovery/fake", []string{"runtime/discovery/fake"}},
	{"discovery/cached", []string{"runtime/discovery/cached/memory"}},
	{"discovery/cached/disk", []string{"runtime/discovery/cached/disk"}},
	{"discovery/cached/memory", []string{"runtime/discovery/cached/memory"}},
	{"restmapper", []string{"runtime/restmapper"}},
	{"scale", []string{"kubernetes/scale"}},
	{"scale/fake", []string{"kubernetes/scale/fake"}},
	{"tools/record", []string{"kubernetes/record"}},
	{"tools/record/util", []string{"kubernetes/record/util"}},
	{"tools/events", []string{"kubernetes/events"}},
	{"tools/reference", []string{"kubernetes/reference"}},
	{"tools/leaderelection", []string{"kubernetes/leaderelection"}},
	{"tools/leaderelection/resourcelock", []string{"kubernetes/leaderelection/resourcelock"}},
	{"openapi", []string{"runtime/openapi", "runtime/openapi/models"}},
	{"openapi/cached", []string{"runtime/openapi/cached"}},
	{"openapi/openapitest", []string{"runtime/openapi/openapitest"}},
	{"testing", []string{"runtime/testing"}},
	{"tools/clientcmd", []string{"runtime/clientcmd"}},
	{"tools/clientcmd/api", []string{"runtime/clientcmd/api"}},
	{"tools/clientcmd/api/latest", []string{"runtime/clientcmd/api/latest"}},
	{"tools/clientcmd/api/v1", []string{"runtime/clientcmd/api/v1"}},
	{"tools/auth/exec", []string{"runtime/auth/exec"}},
	{"plugin/pkg/client/auth", []string{"runtime/auth"}},
	{"plugin/pkg/client/auth/azure", []string{"runtime/auth/azure"}},
	{"plugin/pkg/client/auth/exec", []string{"runtime/auth/exec"}},
	{"plugin/pkg/client/auth/gcp", []string{"runtime/auth/gcp"}},
	{"plugin/pkg/client/auth/oidc", []string{"runtime/auth/oidc"}},
	{"pkg/apis/clientauthentication", []string{"runtime/clientauthentication"}},
	{"pkg/apis/clientauthentication/install", []string{"runtime/clientauthentication/install"}},
	{"pkg/apis/clientauthentication/v1", []string{"runtime/clientauthentication/v1"}},
	{"pkg/apis/clientauthentication/v1beta1", []string{"runtime/clientauthentication/v1beta1"}},
	{"tools/metrics", []string{"runtime/metrics"}},
	{"tools/portforward", []string{"streaming/portforward"}},
	{"tools/remotecommand", []string{"streaming/remotecommand"}},
	{"util/exec", []string{"streaming/exec"}},
	{"util/apply", []string{"runtime/apply"}},
	{"util/flowcontrol", []string{"runtime/flowcontrol"}},
	{"util/retry", []string{"runtime/retry"}},
	{"tools/cache", []string{"runtime/cache"}},
	{"tools/cache/testing", []string{"runtime/cache/testing"}},
	{"tools/watch", []string{"runtime/cache/watch"}},
	{"features", []string{"runtime/features"}},
	{"listers", []string{"runtime/listers"}},
	{"util/workqueue", []string{"runtime/workqueue"}},
	{"applyconfigurations/meta/v1", []string{"runtime/applyconfigurations/meta/v1"}},
}
