package dynamic

import (
	"net/http"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/internal/anyresource"
	"github.com/listwatch/listwatch/runtime/rest"
)

// DynamicClient implements [Interface] over a REST client. It is safe for concurrent use.
//
//nolint:revive // the name is part of the compatible API
type DynamicClient struct {
	client rest.Interface
}

var _ Interface = (*DynamicClient)(nil)

// ConfigFor returns a copy of a config with the format and serializer of dynamic clients, and with the default
// user agent if it has none.
func ConfigFor(inConfig *rest.Config) *rest.Config {
	config := rest.CopyConfig(inConfig)
	config.ContentType = runtime.ContentTypeJSON
	config.AcceptContentTypes = runtime.ContentTypeJSON
	config.NegotiatedSerializer = codec.ForUnstructured()
	if config.UserAgent == "" {
		config.UserAgent = rest.DefaultKubernetesUserAgent()
	}
	return config
}

// New returns a client that sends its requests with c, whose config must be one of [ConfigFor].
func New(c rest.Interface) *DynamicClient { return &DynamicClient{client: c} }

// NewForConfig returns a client for the server of a config, which is not modified. It has its own HTTP client,
// created by [rest.HTTPClientFor].
func NewForConfig(inConfig *rest.Config) (*DynamicClient, error) {
	config := ConfigFor(inConfig)
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	return NewForConfigAndClient(config, httpClient)
}

// NewForConfigOrDie is [NewForConfig], except that it panics if there is an error.
func NewForConfigOrDie(c *rest.Config) *DynamicClient {
	client, err := NewForConfig(c)
	if err != nil {
		panic(err)
	}
	return client
}

// NewForConfigAndClient is [NewForConfig] with an HTTP client, which replaces the config's transport and
// credentials.
func NewForConfigAndClient(inConfig *rest.Config, h *http.Client) (*DynamicClient, error) {
	config := ConfigFor(inConfig)
	config.GroupVersion = nil
	config.APIPath = ""
	restClient, err := rest.UnversionedRESTClientForConfigAndClient(config, h)
	if err != nil {
		return nil, err
	}
	return New(restClient), nil
}

// Resource implements [Interface].
func (c *DynamicClient) Resource(resource schema.GroupVersionResource) NamespaceableResourceInterface {
	return &resourceClient{c.client, anyresource.Scope{Resource: resource}}
}
