package memory

import (
	"context"

	openapiv2 "github.com/google/gnostic-models/openapiv2"

	listwatchdiscovery "github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/discovery/cached/memory"
	"k8s.io/client-go/discovery"
	internaldiscovery "k8s.io/client-go/internal/discovery"
)

// NewMemCacheClient returns a client that caches what delegate returns. It is safe for concurrent use.
func NewMemCacheClient(delegate discovery.DiscoveryInterface) discovery.CachedDiscoveryInterface {
	return newClient(discovery.ToDiscoveryInterfaceWithContext(delegate))
}

// NewMemCacheClientWithContext returns a client that caches what delegate returns. It is safe for concurrent use.
func NewMemCacheClientWithContext(delegate discovery.DiscoveryInterfaceWithContext) discovery.CachedDiscoveryInterfaceWithContext {
	return newClient(delegate)
}

func newClient(delegate discovery.DiscoveryInterfaceWithContext) *client {
	// The cached client has both forms.
	cached := memory.NewMemCacheClientWithContext(internaldiscovery.Narrow(delegate)).(narrowClient)
	return &client{cached, delegate}
}

// narrowClient is listwatch's client.
type narrowClient interface {
	listwatchdiscovery.DiscoveryInterfaces
	listwatchdiscovery.AggregatedDiscoveryInterface
	listwatchdiscovery.AggregatedDiscoveryInterfaceWithContext
	listwatchdiscovery.CachedDiscoveryInterface
	listwatchdiscovery.CachedDiscoveryInterfaceWithContext
}

// client adds the document of OpenAPI v2, which is not cached.
type client struct {
	narrowClient
	delegate discovery.DiscoveryInterfaceWithContext
}

var (
	_ discovery.CachedDiscoveryInterface                = &client{}
	_ discovery.CachedDiscoveryInterfaceWithContext     = &client{}
	_ discovery.AggregatedDiscoveryInterface            = &client{}
	_ discovery.AggregatedDiscoveryInterfaceWithContext = &client{}
)

func (c *client) OpenAPISchema() (*openapiv2.Document, error) {
	return c.OpenAPISchemaWithContext(context.Background())
}

func (c *client) OpenAPISchemaWithContext(ctx context.Context) (*openapiv2.Document, error) {
	return c.delegate.OpenAPISchemaWithContext(ctx)
}

// WithLegacy returns c, whose cache has one form for both forms of discovery.
func (c *client) WithLegacy() discovery.DiscoveryInterface { return c }

// WithLegacyWithContext returns c, whose cache has one form for both forms of discovery.
func (c *client) WithLegacyWithContext(context.Context) discovery.DiscoveryInterfaceWithContext {
	return c
}
