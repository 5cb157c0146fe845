package disk

import (
	"context"
	"net/http"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/compat"
	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/discovery/cached/memory"
	"github.com/listwatch/listwatch/runtime/openapi"
	"github.com/listwatch/listwatch/runtime/openapi/cached"
	"github.com/listwatch/listwatch/runtime/rest"
)

// CachedDiscoveryClient caches groups and resources in files. It is safe for concurrent use, also by several
// processes.
type CachedDiscoveryClient struct {
	delegate  discovery.DiscoveryInterfaceWithContext
	directory directory
	ttl       time.Duration

	mu sync.Mutex // guards what follows; not held during requests
	// ours are the names of files written since the last Invalidate.
	ours map[string]bool
	// invalidated is set if all other files are to be ignored.
	invalidated bool
	// fresh is set unless one of the other files was used.
	fresh     bool
	documents *cached.Client
}

var (
	_ discovery.CachedDiscoveryInterface            = &CachedDiscoveryClient{}
	_ discovery.CachedDiscoveryInterfaceWithContext = &CachedDiscoveryClient{}
)

// NewCachedDiscoveryClientForConfig returns a client for the server of a config, which is not modified. Groups
// and resources are cached in discoveryCacheDir ("" is the current directory), where they are used until they
// are older than ttl, and responses in httpCacheDir, unless that is "". Both are created when they are needed.
// A directory that other users may write to is an error that is [ErrNotPrivate]; if [compat.IsClientGo], nothing is
// cached there.
func NewCachedDiscoveryClientForConfig(config *rest.Config, discoveryCacheDir, httpCacheDir string, ttl time.Duration) (*CachedDiscoveryClient, error) {
	if discoveryCacheDir == "" {
		discoveryCacheDir = "."
	}
	if err := directory(discoveryCacheDir).check(); err != nil && !compat.IsClientGo() {
		return nil, err
	}
	if httpCacheDir != "" {
		responses := directory(httpCacheDir)
		if err := responses.check(); err != nil && !compat.IsClientGo() {
			return nil, err
		}
		config = rest.CopyConfig(config)
		config.Wrap(func(rt http.RoundTripper) http.RoundTripper { return &responseCache{rt, responses} })
	}
	delegate, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	// With aggregated discovery, a request for the groups brings the resources: memory keeps them until they are
	// asked for.
	return newClient(memory.NewMemCacheClientWithContext(delegate), discoveryCacheDir, ttl), nil
}

func newClient(delegate discovery.DiscoveryInterfaceWithContext, dir string, ttl time.Duration) *CachedDiscoveryClient {
	return &CachedDiscoveryClient{
		delegate: delegate, directory: directory(dir), ttl: ttl,
		ours: map[string]bool{}, fresh: true,
	}
}

// ServerGroups returns the groups with their versions.
func (d *CachedDiscoveryClient) ServerGroups() (*metav1.APIGroupList, error) {
	return d.ServerGroupsWithContext(context.Background())
}

// ServerGroupsWithContext returns the groups with their versions.
func (d *CachedDiscoveryClient) ServerGroupsWithContext(ctx context.Context) (*metav1.APIGroupList, error) {
	list := &metav1.APIGroupList{}
	if d.load(ctx, groupsFile, groupsType, &list.TypeMeta, list) {
		return list, nil
	}
	list, err := d.delegate.ServerGroupsWithContext(ctx)
	if err != nil || list == nil || len(list.Groups) == 0 {
		return list, err
	}
	saved := *list
	saved.TypeMeta = groupsType
	d.save(ctx, groupsFile, &saved)
	return list, nil
}

// ServerResourcesForGroupVersion returns the resources of one group version.
func (d *CachedDiscoveryClient) ServerResourcesForGroupVersion(groupVersion string) (*metav1.APIResourceList, error) {
	return d.ServerResourcesForGroupVersionWithContext(context.Background(), groupVersion)
}

// ServerResourcesForGroupVersionWithContext returns the resources of one group version.
func (d *CachedDiscoveryClient) ServerResourcesForGroupVersionWithContext(ctx context.Context, groupVersion string) (*metav1.APIResourceList, error) {
	name, err := resourcesName(groupVersion)
	if err != nil {
		klog.FromContext(ctx).V(1).Info("Skipping discovery cache", "groupVersion", groupVersion, "err", err)
		return d.delegate.ServerResourcesForGroupVersionWithContext(ctx, groupVersion)
	}
	list := &metav1.APIResourceList{}
	if d.load(ctx, name, resourcesType, &list.TypeMeta, list) {
		return list, nil
	}
	list, err = d.delegate.ServerResourcesForGroupVersionWithContext(ctx, groupVersion)
	if err != nil || list == nil || len(list.APIResources) == 0 {
		return list, err
	}
	saved := *list
	saved.TypeMeta = resourcesType
	d.save(ctx, name, &saved)
	return list, nil
}

// ServerGroupsAndResources returns all groups and the resources of all their versions.
func (d *CachedDiscoveryClient) ServerGroupsAndResources() ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return d.ServerGroupsAndResourcesWithContext(context.Background())
}

// ServerGroupsAndResourcesWithContext returns all groups and the resources of all their versions.
func (d *CachedDiscoveryClient) ServerGroupsAndResourcesWithContext(ctx context.Context) ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return discovery.ServerGroupsAndResourcesWithContext(ctx, d)
}

// ServerPreferredResources returns each resource once, in the version that its group prefers.
func (d *CachedDiscoveryClient) ServerPreferredResources() ([]*metav1.APIResourceList, error) {
	return d.ServerPreferredResourcesWithContext(context.Background())
}

// ServerPreferredResourcesWithContext returns each resource once, in the version that its group prefers.
func (d *CachedDiscoveryClient) ServerPreferredResourcesWithContext(ctx context.Context) ([]*metav1.APIResourceList, error) {
	return discovery.ServerPreferredResourcesWithContext(ctx, d)
}

// ServerPreferredNamespacedResources returns the preferred resources that are namespaced.
func (d *CachedDiscoveryClient) ServerPreferredNamespacedResources() ([]*metav1.APIResourceList, error) {
	return d.ServerPreferredNamespacedResourcesWithContext(context.Background())
}

// ServerPreferredNamespacedResourcesWithContext returns the preferred resources that are namespaced.
func (d *CachedDiscoveryClient) ServerPreferredNamespacedResourcesWithContext(ctx context.Context) ([]*metav1.APIResourceList, error) {
	return discovery.ServerPreferredNamespacedResourcesWithContext(ctx, d)
}

// ServerVersion returns the server's build information, which is not cached.
func (d *CachedDiscoveryClient) ServerVersion() (*version.Info, error) {
	return d.ServerVersionWithContext(context.Background())
}

// ServerVersionWithContext returns the server's build information, which is not cached.
func (d *CachedDiscoveryClient) ServerVersionWithContext(ctx context.Context) (*version.Info, error) {
	return d.delegate.ServerVersionWithContext(ctx)
}

// OpenAPIV3 returns a client for the server's OpenAPI v3 documents, which caches them in memory.
func (d *CachedDiscoveryClient) OpenAPIV3() openapi.Client { return d.openAPIV3(context.Background()) }

// OpenAPIV3WithContext returns a client for the server's OpenAPI v3 documents, which caches them in memory.
func (d *CachedDiscoveryClient) OpenAPIV3WithContext(ctx context.Context) openapi.ClientWithContext {
	return d.openAPIV3(ctx)
}

func (d *CachedDiscoveryClient) openAPIV3(ctx context.Context) *cached.Client {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.documents == nil {
		d.documents = cached.NewClientWithContext(d.delegate.OpenAPIV3WithContext(ctx))
	}
	return d.documents
}

// RESTClient returns the client that sends the requests.
func (d *CachedDiscoveryClient) RESTClient() rest.Interface { return d.delegate.RESTClient() }

// WithLegacy returns d, whose files have one form for both forms of discovery.
func (d *CachedDiscoveryClient) WithLegacy() discovery.DiscoveryInterface { return d }

// WithLegacyWithContext returns d, whose files have one form for both forms of discovery.
func (d *CachedDiscoveryClient) WithLegacyWithContext(context.Context) discovery.DiscoveryInterfaceWithContext {
	return d
}

// Fresh reports whether all results so far were requested by d, and after the last Invalidate.
func (d *CachedDiscoveryClient) Fresh() bool { return d.FreshWithContext(context.Background()) }

// FreshWithContext reports whether all results so far were requested by d, and after the last Invalidate.
func (d *CachedDiscoveryClient) FreshWithContext(context.Context) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.fresh
}

// Invalidate makes d ignore all files that exist; the files stay.
func (d *CachedDiscoveryClient) Invalidate() { d.InvalidateWithContext(context.Background()) }

// InvalidateWithContext makes d ignore all files that exist; the files stay.
func (d *CachedDiscoveryClient) InvalidateWithContext(ctx context.Context) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ours, d.fresh, d.invalidated, d.documents = map[string]bool{}, true, true, nil
	switch delegate := d.delegate.(type) {
	case discovery.CachedDiscoveryInterfaceWithContext:
		delegate.InvalidateWithContext(ctx)
	case discovery.CachedDiscoveryInterface:
		delegate.Invalidate()
	}
}
