package embedded

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/server/healthz"
	"k8s.io/apiserver/pkg/server/mux"
	"k8s.io/component-base/metrics/legacyregistry"

	"github.com/listwatch/listwatch/apitest/internal/discovery"
	"github.com/listwatch/listwatch/apitest/internal/openapi"
	"github.com/listwatch/listwatch/apitest/internal/status"
	"github.com/listwatch/listwatch/apitest/internal/token"
)

// KubernetesVersion is the Kubernetes release the server emulates.
const KubernetesVersion = "v1.37.1"

// versionInfo describes it.
var versionInfo = version.Info{Major: "1", Minor: "37", GitVersion: KubernetesVersion}

// paths routes requests: to resources, to discovery, and the rest to the server itself.
type paths struct {
	reviews   *reviews
	resources http.Handler
	discover  *discovery.Handler
	openapi   *openapi.Handler
	address   string                      // of the server
	others    func() *mux.PathRecorderMux // created at its first request, as it records the stack for each path
}

// newPaths returns p with the handlers of other paths.
func newPaths(p paths, notFound http.HandlerFunc) *paths {
	p.others = sync.OnceValue(func() *mux.PathRecorderMux { return otherPaths(p.discover, p.address, notFound) })
	return &p
}

// otherPaths returns the handlers of the version, of the health checks, of the metrics of the process, of the issuer of
// tokens, and of the root, which lists them and the paths of the groups.
func otherPaths(discover *discovery.Handler, address string, notFound http.HandlerFunc) *mux.PathRecorderMux {
	others := mux.NewPathRecorderMux("apitest")
	others.NotFoundHandler(notFound)
	others.HandleFunc("/version", serveVersion)
	others.UnlistedHandlePrefix("/version/", http.HandlerFunc(serveVersion))
	// The names are those that programs request; what they check cannot fail here.
	log, store, shutdown := check("log"), check("etcd"), check("shutdown")
	healthz.InstallHandler(others, healthz.PingHealthz, log, store)
	healthz.InstallLivezHandler(others, healthz.PingHealthz, log, store)
	healthz.InstallReadyzHandler(others, healthz.PingHealthz, log, store, shutdown)
	others.Handle("/metrics", legacyregistry.HandlerWithReset())
	issuer := token.Discovery(address)
	others.Handle(token.ConfigurationPath, issuer)
	others.Handle(token.KeysPath, issuer)
	root := func(w http.ResponseWriter, _ *http.Request) {
		listed := slices.Concat(others.ListedPaths(), groupPaths(discover.Groups()))
		slices.Sort(listed)
		responsewriters.WriteRawJSON(http.StatusOK, metav1.RootPaths{Paths: listed}, w)
	}
	others.UnlistedHandleFunc("/", root)
	others.UnlistedHandleFunc("/index.html", root)
	return others
}

// groupPaths returns the paths of discovery and of OpenAPI documents.
func groupPaths(groups []apidiscovery.APIGroupDiscovery) []string {
	out := []string{"/apis", "/apis/", "/openapi/v2", "/openapi/v3", "/openapi/v3/"}
	for _, group := range groups {
		root := "/api"
		if group.Name != "" {
			root = "/apis/" + group.Name
		}
		out = append(out, root)
		for _, version := range group.Versions {
			out = append(out, root+"/"+version.Version)
		}
	}
	slices.Sort(out)
	return slices.Compact(out) // a group may have several sources
}

func check(name string) healthz.HealthChecker {
	return healthz.NamedCheck(name, func(*http.Request) error { return nil })
}

// ServeHTTP implements http.Handler.
func (p *paths) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	info, ok := request.RequestInfoFrom(req.Context())
	switch {
	case ok && info.IsResourceRequest:
		if !p.reviews.serve(w, req, info) {
			p.resources.ServeHTTP(w, req)
		}
	case !p.discover.Serve(w, req) && !p.openapi.Serve(w, req):
		p.others().ServeHTTP(w, req)
	}
}

func serveVersion(w http.ResponseWriter, req *http.Request) {
	switch {
	case strings.TrimSuffix(req.URL.Path, "/") != "/version":
		status.Write(w, req, status.NotFound())
	case req.Method != http.MethodGet:
		status.Write(w, req, status.MethodNotAllowed())
	default:
		responsewriters.WriteRawJSON(http.StatusOK, versionInfo, w)
	}
}
