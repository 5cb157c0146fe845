package memory

import (
	"context"
	"errors"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/internal/ctxlock"
	"github.com/listwatch/listwatch/runtime/openapi"
	"github.com/listwatch/listwatch/runtime/openapi/cached"
	"github.com/listwatch/listwatch/runtime/rest"
)

// ErrCacheNotFound reports that a group version is not in the cache.
var ErrCacheNotFound = errors.New("not found")

// NewMemCacheClient returns a client that caches what delegate returns. It is safe for concurrent use.
func NewMemCacheClient(delegate discovery.DiscoveryInterface) discovery.CachedDiscoveryInterface {
	return newClient(discovery.ToDiscoveryInterfaceWithContext(delegate))
}

// NewMemCacheClientWithContext returns a client that caches what delegate returns. It is safe for concurrent
// use.
func NewMemCacheClientWithContext(delegate discovery.DiscoveryInterfaceWithContext) discovery.CachedDiscoveryInterfaceWithContext {
	return newClient(delegate)
}

func newClient(delegate discovery.DiscoveryInterfaceWithContext) *client {
	return &client{delegate: delegate, requests: ctxlock.New()}
}

type client struct {
	delegate discovery.DiscoveryInterfaceWithContext

	// requests is held during requests, so that concurrent calls send them once, and guards the contents of served.
	requests ctxlock.Mutex

	mu          sync.Mutex // guards what follows
	served      *served    // nil until requested
	documents   *cached.Client
	invalidated int // how often; what was requested before the last time is not kept
}

var (
	_ discovery.CachedDiscoveryInterface                = &client{}
	_ discovery.CachedDiscoveryInterfaceWithContext     = &client{}
	_ discovery.AggregatedDiscoveryInterface            = &client{}
	_ discovery.AggregatedDiscoveryInterfaceWithContext = &client{}
)

// current returns what is served, and requests it if it is not known. The caller holds requests.
func (c *client) current(ctx context.Context) (*served, error) {
	known, invalidated := c.known()
	if known != nil {
		return known, nil
	}
	s, err := fetch(ctx, c.delegate)
	if err != nil {
		return nil, err
	}
	if len(s.groups.Groups) > 0 {
		c.keep(s, invalidated)
	}
	return s, nil
}

// known returns what is served, nil if it is not known, and how often it was invalidated.
func (c *client) known() (*served, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.served, c.invalidated
}

// keep caches what was requested after so many invalidations, unless there was one more meanwhile.
func (c *client) keep(s *served, invalidated int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.invalidated == invalidated {
		c.served = s
	}
}

func (c *client) ServerGroups() (*metav1.APIGroupList, error) {
	return c.ServerGroupsWithContext(context.Background())
}

func (c *client) ServerGroupsWithContext(ctx context.Context) (*metav1.APIGroupList, error) {
	groups, _, _, err := c.GroupsAndMaybeResourcesWithContext(ctx)
	return groups, err
}

func (c *client) GroupsAndMaybeResources() (*metav1.APIGroupList, map[schema.GroupVersion]*metav1.APIResourceList, map[schema.GroupVersion]error, error) {
	return c.GroupsAndMaybeResourcesWithContext(context.Background())
}

// GroupsAndMaybeResourcesWithContext returns resources only if the delegate got them together with groups.
func (c *client) GroupsAndMaybeResourcesWithContext(ctx context.Context) (*metav1.APIGroupList, map[schema.GroupVersion]*metav1.APIResourceList, map[schema.GroupVersion]error, error) {
	if err := c.requests.LockContext(ctx); err != nil {
		return nil, nil, nil, err
	}
	defer c.requests.Unlock()
	s, err := c.current(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	if !s.aggregated || len(s.versions) == 0 {
		return s.groups, nil, nil, nil
	}
	resources := map[schema.GroupVersion]*metav1.APIResourceList{}
	failed := map[schema.GroupVersion]error{}
	for name, v := range s.versions {
		gv, err := schema.ParseGroupVersion(name)
		if err != nil {
			return nil, nil, nil, err
		}
		if v.err != nil {
			failed[gv] = v.err
		} else {
			resources[gv] = v.list
		}
	}
	return s.groups, resources, failed, nil
}

func (c *client) ServerResourcesForGroupVersion(groupVersion string) (*metav1.APIResourceList, error) {
	return c.ServerResourcesForGroupVersionWithContext(context.Background(), groupVersion)
}

func (c *client) ServerResourcesForGroupVersionWithContext(ctx context.Context, groupVersion string) (*metav1.APIResourceList, error) {
	if err := c.requests.LockContext(ctx); err != nil {
		return nil, err
	}
	defer c.requests.Unlock()
	s, err := c.current(ctx)
	if err != nil {
		return nil, err
	}
	v, ok := s.versions[groupVersion]
	if !ok {
		return nil, ErrCacheNotFound
	}
	if v.err != nil && mayPass(v.err) {
		v = request(ctx, c.delegate, groupVersion)
		s.versions[groupVersion] = v
	}
	return v.list, v.err
}

func (c *client) ServerGroupsAndResources() ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return c.ServerGroupsAndResourcesWithContext(context.Background())
}

func (c *client) ServerGroupsAndResourcesWithContext(ctx context.Context) ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return discovery.ServerGroupsAndResourcesWithContext(ctx, c)
}

func (c *client) ServerPreferredResources() ([]*metav1.APIResourceList, error) {
	return c.ServerPreferredResourcesWithContext(context.Background())
}

func (c *client) ServerPreferredResourcesWithContext(ctx context.Context) ([]*metav1.APIResourceList, error) {
	return discovery.ServerPreferredResourcesWithContext(ctx, c)
}

func (c *client) ServerPreferredNamespacedResources() ([]*metav1.APIResourceList, error) {
	return c.ServerPreferredNamespacedResourcesWithContext(context.Background())
}

func (c *client) ServerPreferredNamespacedResourcesWithContext(ctx context.Context) ([]*metav1.APIResourceList, error) {
	return discovery.ServerPreferredNamespacedResourcesWithContext(ctx, c)
}

func (c *client) ServerVersion() (*version.Info, error) {
	return c.ServerVersionWithContext(context.Background())
}

func (c *client) ServerVersionWithContext(ctx context.Context) (*version.Info, error) {
	return c.delegate.ServerVersionWithContext(ctx)
}

func (c *client) RESTClient() rest.Interface { return c.delegate.RESTClient() }

// WithLegacy returns c: the form of discovery is the delegate's.
func (c *client) WithLegacy() discovery.DiscoveryInterface { return c }

func (c *client) WithLegacyWithContext(context.Context) discovery.DiscoveryInterfaceWithContext {
	return c
}

func (c *client) OpenAPIV3() openapi.Client { return c.openAPIV3(context.Background()) }

func (c *client) OpenAPIV3WithContext(ctx context.Context) openapi.ClientWithContext {
	return c.openAPIV3(ctx)
}

func (c *client) openAPIV3(ctx context.Context) *cached.Client {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.documents == nil {
		c.documents = cached.NewClientWithContext(c.delegate.OpenAPIV3WithContext(ctx))
	}
	return c.documents
}

func (c *client) Fresh() bool { return c.FreshWithContext(context.Background()) }

// FreshWithContext reports whether anything is cached: if so, all of it was requested after the last Invalidate.
// It does not wait for requests.
func (c *client) FreshWithContext(context.Context) bool {
	known, _ := c.known()
	return known != nil
}

func (c *client) Invalidate() { c.InvalidateWithContext(context.Background()) }

// InvalidateWithContext removes all results, and those of a delegate that caches. It does not wait for requests; their
// results are returned to their callers, but not cached.
func (c *client) InvalidateWithContext(ctx context.Context) {
	switch delegate := c.delegate.(type) {
	case discovery.CachedDiscoveryInterfaceWithContext:
		delegate.InvalidateWithContext(ctx)
	case discovery.CachedDiscoveryInterface:
		delegate.Invalidate()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.served, c.documents = nil, nil
	c.invalidated++
}
