package metadata

import (
	"net/http"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/internal/anyresource"
	"github.com/listwatch/listwatch/runtime/rest"
)

// Client implements [Interface] over a REST client. It is safe for concurrent use.
type Client struct {
	client *rest.RESTClient
}

var _ Interface = (*Client)(nil)

// ConfigFor returns a copy of a config with the formats and serializer of metadata clients, and with the default
// user agent if it has none.
func ConfigFor(inConfig *rest.Config) *rest.Config {
	config := rest.CopyConfig(inConfig)
	config.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	config.ContentType = runtime.ContentTypeProtobuf
	config.NegotiatedSerializer = codec.ForMetadata()
	if config.UserAgent == "" {
		config.UserAgent = rest.DefaultKubernetesUserAgent()
	}
	return config
}

// NewForConfig returns a client for the server of a config, which is not modified. It is a [*Client] with its own
// HTTP client, created by [rest.HTTPClientFor].
func NewForConfig(inConfig *rest.Config) (Interface, error) {
	config := ConfigFor(inConfig)
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	return NewForConfigAndClient(config, httpClient)
}

// NewForConfigOrDie is [NewForConfig], except that it panics if there is an error.
func NewForConfigOrDie(c *rest.Config) Interface {
	client, err := NewForConfig(c)
	if err != nil {
		panic(err)
	}
	return client
}

// NewForConfigAndClient is [NewForConfig] with an HTTP client, which replaces the config's transport and
// credentials.
func NewForConfigAndClient(inConfig *rest.Config, h *http.Client) (Interface, error) {
	config := ConfigFor(inConfig)
	config.GroupVersion = &schema.GroupVersion{}
	config.APIPath = ""
	restClient, err := rest.RESTClientForConfigAndClient(config, h)
	if err != nil {
		return nil, err
	}
	return &Client{client: restClient}, nil
}

// Resource implements [Interface].
func (c *Client) Resource(resource schema.GroupVersionResource) Getter {
	return &resourceClient{c.client, anyresource.Scope{Resource: resource}}
}
