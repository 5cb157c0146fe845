package apitest

import (
	"net/http"

	"k8s.io/apimachinery/pkg/version"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/server/healthz"
	"k8s.io/apiserver/pkg/server/mux"

	"github.com/listwatch/listwatch/apitest/internal/discovery"
)

// versionInfo is that of the release whose behaviour a server has.
var versionInfo = version.Info{Major: "1", Minor: "37", GitVersion: "v1.37.1"}

// newPaths returns who answers which path: resources their own, discovery what there is, and
// the server itself the rest.
func newPaths(resources http.Handler, discover *discovery.Handler) http.Handler {
	others := mux.NewPathRecorderMux("apitest")
	others.HandleFunc("/version", serveVersion)
	healthz.InstallHandler(others)
	healthz.InstallLivezHandler(others)
	healthz.InstallReadyzHandler(others)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if info, ok := request.RequestInfoFrom(req.Context()); ok && info.IsResourceRequest {
			resources.ServeHTTP(w, req)
			return
		}
		if !discover.Serve(w, req) {
			others.ServeHTTP(w, req)
		}
	})
}

func serveVersion(w http.ResponseWriter, _ *http.Request) {
	responsewriters.WriteRawJSON(http.StatusOK, versionInfo, w)
}
