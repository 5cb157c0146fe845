package discovery

import (
	"context"
	"net/http"

	openapiv2 "github.com/google/gnostic-models/openapiv2"

	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/openapi/models"
	"github.com/listwatch/listwatch/runtime/rest"
)

// client is embedded by its unexported name.
type client = discovery.DiscoveryClient

// DiscoveryClient implements [DiscoveryInterfaces] over HTTP, and the interfaces for aggregated discovery. Its
// fields must not be changed once it is in use. It is safe for concurrent use.
type DiscoveryClient struct { //nolint:revive // the name is client-go's
	*client
}

var (
	_ DiscoveryInterfaces                     = &DiscoveryClient{}
	_ AggregatedDiscoveryInterface            = &DiscoveryClient{}
	_ AggregatedDiscoveryInterfaceWithContext = &DiscoveryClient{}
)

// NewDiscoveryClient returns a client that sends its requests with c.
func NewDiscoveryClient(c rest.Interface) *DiscoveryClient {
	return &DiscoveryClient{discovery.NewDiscoveryClient(c)}
}

// NewDiscoveryClientForConfig returns a client for the server of a config, which is not modified. Without a
// timeout in the config, a request may take 32 seconds.
func NewDiscoveryClientForConfig(c *rest.Config) (*DiscoveryClient, error) {
	return wrapped(discovery.NewDiscoveryClientForConfig(c))
}

// NewDiscoveryClientForConfigAndClient returns a client for the server of a config, which is not modified.
// httpClient sends the requests; the config's transport and timeout are ignored.
func NewDiscoveryClientForConfigAndClient(c *rest.Config, httpClient *http.Client) (*DiscoveryClient, error) {
	return wrapped(discovery.NewDiscoveryClientForConfigAndClient(c, httpClient))
}

// NewDiscoveryClientForConfigOrDie is [NewDiscoveryClientForConfig], but panics on errors.
func NewDiscoveryClientForConfigOrDie(c *rest.Config) *DiscoveryClient {
	return &DiscoveryClient{discovery.NewDiscoveryClientForConfigOrDie(c)}
}

func wrapped(c *client, err error) (*DiscoveryClient, error) {
	if err != nil {
		return nil, err
	}
	return &DiscoveryClient{c}, nil
}

// RESTClient returns the client that sends the requests, nil for a nil receiver.
func (d *DiscoveryClient) RESTClient() rest.Interface {
	if d == nil {
		return nil
	}
	return d.client.RESTClient()
}

// WithLegacy returns a copy that is restricted to legacy discovery.
func (d *DiscoveryClient) WithLegacy() DiscoveryInterface { return d.legacy() }

// WithLegacyWithContext returns a copy that is restricted to legacy discovery.
func (d *DiscoveryClient) WithLegacyWithContext(context.Context) DiscoveryInterfaceWithContext {
	return d.legacy()
}

func (d *DiscoveryClient) legacy() *DiscoveryClient {
	legacy := *d.client
	legacy.UseLegacyDiscovery = true
	return &DiscoveryClient{&legacy}
}

// OpenAPISchema requests the server's OpenAPI v2 document.
func (d *DiscoveryClient) OpenAPISchema() (*openapiv2.Document, error) {
	return d.OpenAPISchemaWithContext(context.Background())
}

// OpenAPISchemaWithContext requests the server's OpenAPI v2 document.
func (d *DiscoveryClient) OpenAPISchemaWithContext(ctx context.Context) (*openapiv2.Document, error) {
	return models.Schema(ctx, d)
}
