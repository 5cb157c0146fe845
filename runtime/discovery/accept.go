package discovery

import (
	"mime"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Media types of discovery documents, as a request's Accept header names them.
// Servers read the parameters g, v and as in this order only.
const (
	// AcceptV1 stands for legacy discovery.
	AcceptV1 = runtime.ContentTypeJSON
	// AcceptV2 stands for aggregated discovery.
	AcceptV2 = runtime.ContentTypeJSON + ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
	// AcceptV2NoPeer stands for aggregated discovery without what peers serve.
	AcceptV2NoPeer = AcceptV2 + ";profile=nopeer"
)

// aggregatedKind is what an answer to AcceptV2 holds.
var aggregatedKind = schema.GroupVersionKind{Group: "apidiscovery.k8s.io", Version: "v2", Kind: "APIGroupDiscoveryList"}

// accept returns what the client accepts, what it likes best first.
func (d *DiscoveryClient) accept() string {
	switch {
	case d.UseLegacyDiscovery:
		return AcceptV1
	case d.NoPeerDiscovery:
		return AcceptV2NoPeer + "," + AcceptV2 + "," + AcceptV1
	default:
		return AcceptV2 + "," + AcceptV1
	}
}

// ContentTypeIsGVK tells whether a Content-Type header stands for JSON with an
// object of the given kind. Parameters can come in any order and among others:
// proxies change both. A header that is malformed is an error.
func ContentTypeIsGVK(contentType string, gvk schema.GroupVersionKind) (bool, error) {
	mediaType, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return false, err
	}
	named := schema.GroupVersionKind{Group: params["g"], Version: params["v"], Kind: params["as"]}
	return mediaType == runtime.ContentTypeJSON && named == gvk, nil
}
