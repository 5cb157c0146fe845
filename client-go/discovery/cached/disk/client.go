package disk

import (
	"context"
	"time"

	openapiv2 "github.com/google/gnostic-models/openapiv2"

	"github.com/listwatch/listwatch/runtime/discovery/cached/disk"
	"github.com/listwatch/listwatch/runtime/openapi/models"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
)

// client is embedded by its unexported name.
type client = disk.CachedDiscoveryClient

// CachedDiscoveryClient caches groups and resources in files. It is safe for concurrent use, also by several
// processes.
type CachedDiscoveryClient struct{ *client }

var (
	_ discovery.CachedDiscoveryInterface            = &CachedDiscoveryClient{}
	_ discovery.CachedDiscoveryInterfaceWithContext = &CachedDiscoveryClient{}
)

// NewCachedDiscoveryClientForConfig returns a client for the server of a config, which is not modified. Groups
// and resources are cached in discoveryCacheDir ("" is the current directory), where they are used until they
// are older than ttl, and responses in httpCacheDir, unless that is "". Both are created when they are needed.
func NewCachedDiscoveryClientForConfig(config *rest.Config, discoveryCacheDir, httpCacheDir string, ttl time.Duration) (*CachedDiscoveryClient, error) {
	c, err := disk.NewCachedDiscoveryClientForConfig(config, discoveryCacheDir, httpCacheDir, ttl)
	if err != nil {
		return nil, err
	}
	return &CachedDiscoveryClient{c}, nil
}

// OpenAPISchema requests the server's OpenAPI v2 document, which is not cached.
func (d *CachedDiscoveryClient) OpenAPISchema() (*openapiv2.Document, error) {
	return d.OpenAPISchemaWithContext(context.Background())
}

// OpenAPISchemaWithContext requests the server's OpenAPI v2 document, which is not cached.
func (d *CachedDiscoveryClient) OpenAPISchemaWithContext(ctx context.Context) (*openapiv2.Document, error) {
	return models.Schema(ctx, d)
}

// WithLegacy returns d, whose files have one form for both forms of discovery.
func (d *CachedDiscoveryClient) WithLegacy() discovery.DiscoveryInterface { return d }

// WithLegacyWithContext returns d, whose files have one form for both forms of discovery.
func (d *CachedDiscoveryClient) WithLegacyWithContext(context.Context) discovery.DiscoveryInterfaceWithContext {
	return d
}
