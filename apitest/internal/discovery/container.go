package discovery

import (
	"net/http"

	"github.com/emicklei/go-restful/v3"
	apidiscovery "k8s.io/api/apidiscovery/v2"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/discovery"
	"k8s.io/apiserver/pkg/endpoints/discovery/aggregated"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
)

// container returns the handler of /api and of the versions of Kubernetes' own groups. On a real
// server these are routes of go-restful, unlike those of other groups; its responses to other
// methods, media types and paths are visible to clients.
func (d *document) container(address string) http.Handler {
	container := restful.NewContainer()
	container.Router(restful.CurlyRouter{})
	container.ServiceErrorHandler(writeServiceError)

	addresses := discovery.DefaultAddresses{DefaultAddress: address}
	legacy := discovery.NewLegacyRootAPIHandler(addresses, legacyCodecs, "/api")
	root := aggregated.WrapAggregatedDiscoveryToHandler(legacy, aggregate(d.groups[:1]), nil)
	container.Add(root.GenerateWebService("/api", metav1.APIVersions{}))
	for _, group := range d.groups {
		if !ours(group) {
			continue
		}
		for i := range group.Versions {
			container.Add(d.webService(group, &group.Versions[i]))
		}
		if group.Name != "" {
			// Paths of missing versions end here.
			container.Add(discovery.NewAPIGroupHandler(legacyCodecs, legacyGroup(group)).WebService())
		}
	}
	return http.HandlerFunc(container.Dispatch)
}

// webService returns the routes of a version's resources.
func (d *document) webService(group *apidiscovery.APIGroupDiscovery, version *apidiscovery.APIVersionDiscovery) *restful.WebService {
	gv := schema.GroupVersion{Group: group.Name, Version: version.Version}
	path := "/apis/" + gv.String()
	if gv.Group == "" {
		path = "/api/" + gv.Version
	}
	service := new(restful.WebService).Path(path).Consumes("*/*")
	d.resourceList(group, version).AddToWebService(service)
	return service
}

// writeServiceError responds to a request without a route.
func writeServiceError(err restful.ServiceError, req *restful.Request, w *restful.Response) {
	status := errors.NewGenericServerResponse(err.Code, "", schema.GroupResource{}, "", err.Message, 0, false)
	responsewriters.ErrorNegotiated(status, legacyCodecs, schema.GroupVersion{}, w, req.Request)
}
