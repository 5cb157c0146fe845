package discovery

import (
	"mime"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Media types of discovery documents, as in a request's Accept header. Servers read the parameters g, v and as
// in this order only.
const (
	// AcceptV1 requests legacy discovery.
	AcceptV1 = runtime.ContentTypeJSON
	// AcceptV2 requests aggregated discovery.
	AcceptV2 = runtime.ContentTypeJSON + ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
	// AcceptV2NoPeer requests aggregated discovery without resources that only peers serve.
	AcceptV2NoPeer = AcceptV2 + ";profile=nopeer"
)

// aggregatedKind is the kind of a response to AcceptV2.
var aggregatedKind = schema.GroupVersionKind{Group: "apidiscovery.k8s.io", Version: "v2", Kind: "APIGroupDiscoveryList"}

// accept returns the Accept header, the preferred type first.
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

// ContentTypeIsGVK reports whether a Content-Type header names JSON with an object of the given kind.
// Parameters may have any order and come with others, since proxies change both. A malformed header is an
// error.
func ContentTypeIsGVK(contentType string, gvk schema.GroupVersionKind) (bool, error) {
	mediaType, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return false, err
	}
	named := schema.GroupVersionKind{Group: params["g"], Version: params["v"], Kind: params["as"]}
	return mediaType == runtime.ContentTypeJSON && named == gvk, nil
}
