package restmapper

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/internal/ctxlock"
)

// DeferredDiscoveryRESTMapper is a mapper that requests what a server serves when it is first used. If something
// is not found and the discovery cache is not fresh, it invalidates the cache and tries again, once. It is safe
// for concurrent use; concurrent calls send one set of requests.
type DeferredDiscoveryRESTMapper struct {
	cl discovery.CachedDiscoveryInterfaceWithContext

	// requests is held during requests, so that concurrent calls send them once.
	requests ctxlock.Mutex

	mu     sync.Mutex      // guards what follows
	mapper meta.RESTMapper // nil until requested
	resets int             // how many; what was requested before the last is not kept
}

var (
	_ meta.ResettableRESTMapper = &DeferredDiscoveryRESTMapper{}
	_ RESTMapperWithContext     = &DeferredDiscoveryRESTMapper{}
	_ fmt.Stringer              = &DeferredDiscoveryRESTMapper{}
)

// NewDeferredDiscoveryRESTMapper returns a mapper for the server of a discovery client.
func NewDeferredDiscoveryRESTMapper(cl discovery.CachedDiscoveryInterface) *DeferredDiscoveryRESTMapper {
	return NewDeferredDiscoveryRESTMapperWithContext(discovery.ToCachedDiscoveryInterfaceWithContext(cl))
}

// NewDeferredDiscoveryRESTMapperWithContext returns a mapper for the server of a discovery client.
func NewDeferredDiscoveryRESTMapperWithContext(cl discovery.CachedDiscoveryInterfaceWithContext) *DeferredDiscoveryRESTMapper {
	return &DeferredDiscoveryRESTMapper{cl: cl, requests: ctxlock.New()}
}

// current returns the mapper, and requests what it is made of if there is none.
func (d *DeferredDiscoveryRESTMapper) current(ctx context.Context) (meta.RESTMapper, error) {
	if err := d.requests.LockContext(ctx); err != nil {
		return nil, err
	}
	defer d.requests.Unlock()
	return d.load(ctx)
}

// renew returns another mapper than old, in which something was not found, or old if the cache is fresh. Of
// several concurrent calls, the first invalidates the cache.
func (d *DeferredDiscoveryRESTMapper) renew(ctx context.Context, old meta.RESTMapper) (meta.RESTMapper, error) {
	if err := d.requests.LockContext(ctx); err != nil {
		return nil, err
	}
	defer d.requests.Unlock()
	// Once another call has renewed the mapper, the cache is fresh, but old is not.
	if mapper, _ := d.known(); mapper == old && !d.cl.FreshWithContext(ctx) {
		d.ResetWithContext(ctx)
	}
	return d.load(ctx)
}

// load is current for a caller that holds requests.
func (d *DeferredDiscoveryRESTMapper) load(ctx context.Context) (meta.RESTMapper, error) {
	known, resets := d.known()
	if known != nil {
		return known, nil
	}
	groups, err := GetAPIGroupResourcesWithContext(ctx, d.cl)
	if err != nil {
		return nil, err
	}
	mapper := NewDiscoveryRESTMapper(groups)
	d.keep(mapper, resets)
	return mapper, nil
}

// known returns the mapper, nil if there is none, and the number of resets.
func (d *DeferredDiscoveryRESTMapper) known() (meta.RESTMapper, int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.mapper, d.resets
}

// keep sets the mapper that was made after so many resets, unless there was one more meanwhile.
func (d *DeferredDiscoveryRESTMapper) keep(mapper meta.RESTMapper, resets int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.resets == resets {
		d.mapper = mapper
	}
}

// Reset invalidates the discovery cache. The next call requests again what the server serves.
func (d *DeferredDiscoveryRESTMapper) Reset() { d.ResetWithContext(context.Background()) }

// ResetWithContext invalidates the discovery cache. The next call requests again what the server serves. It does not
// wait for requests; their results are not kept.
func (d *DeferredDiscoveryRESTMapper) ResetWithContext(ctx context.Context) {
	d.cl.InvalidateWithContext(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.mapper = nil
	d.resets++
}

// ask calls the mapper, and again with a new one if nothing is found and the cache is not fresh.
func ask[T any](ctx context.Context, d *DeferredDiscoveryRESTMapper, call func(meta.RESTMapper) (T, error), found func(T) bool) (T, error) {
	var nothing T
	mapper, err := d.current(ctx)
	if err != nil {
		return nothing, err
	}
	result, err := call(mapper)
	if err == nil && found(result) {
		return result, nil
	}
	renewed, failed := d.renew(ctx, mapper)
	if failed != nil {
		return nothing, failed
	}
	if renewed == mapper {
		return result, err
	}
	return call(renewed)
}

func always[T any](T) bool { return true }

func some[T any](results []T) bool { return len(results) > 0 }

// KindFor is KindForWithContext without a context.
func (d *DeferredDiscoveryRESTMapper) KindFor(resource schema.GroupVersionResource) (schema.GroupVersionKind, error) {
	return d.KindForWithContext(context.Background(), resource)
}

// KindForWithContext returns the kind of a resource.
func (d *DeferredDiscoveryRESTMapper) KindForWithContext(ctx context.Context, resource schema.GroupVersionResource) (schema.GroupVersionKind, error) {
	return ask(ctx, d, func(m meta.RESTMapper) (schema.GroupVersionKind, error) { return m.KindFor(resource) }, always)
}

// KindsFor is KindsForWithContext without a context.
func (d *DeferredDiscoveryRESTMapper) KindsFor(resource schema.GroupVersionResource) ([]schema.GroupVersionKind, error) {
	return d.KindsForWithContext(context.Background(), resource)
}

// KindsForWithContext returns all matching kinds, the preferred one first.
func (d *DeferredDiscoveryRESTMapper) KindsForWithContext(ctx context.Context, resource schema.GroupVersionResource) ([]schema.GroupVersionKind, error) {
	return ask(ctx, d, func(m meta.RESTMapper) ([]schema.GroupVersionKind, error) { return m.KindsFor(resource) }, some)
}

// ResourceFor is ResourceForWithContext without a context.
func (d *DeferredDiscoveryRESTMapper) ResourceFor(input schema.GroupVersionResource) (schema.GroupVersionResource, error) {
	return d.ResourceForWithContext(context.Background(), input)
}

// ResourceForWithContext completes a resource.
func (d *DeferredDiscoveryRESTMapper) ResourceForWithContext(ctx context.Context, input schema.GroupVersionResource) (schema.GroupVersionResource, error) {
	return ask(ctx, d, func(m meta.RESTMapper) (schema.GroupVersionResource, error) { return m.ResourceFor(input) }, always)
}

// ResourcesFor is ResourcesForWithContext without a context.
func (d *DeferredDiscoveryRESTMapper) ResourcesFor(input schema.GroupVersionResource) ([]schema.GroupVersionResource, error) {
	return d.ResourcesForWithContext(context.Background(), input)
}

// ResourcesForWithContext returns all matching resources, the preferred one first.
func (d *DeferredDiscoveryRESTMapper) ResourcesForWithContext(ctx context.Context, input schema.GroupVersionResource) ([]schema.GroupVersionResource, error) {
	return ask(ctx, d, func(m meta.RESTMapper) ([]schema.GroupVersionResource, error) { return m.ResourcesFor(input) }, some)
}

// RESTMapping is RESTMappingWithContext without a context.
func (d *DeferredDiscoveryRESTMapper) RESTMapping(gk schema.GroupKind, versions ...string) (*meta.RESTMapping, error) {
	return d.RESTMappingWithContext(context.Background(), gk, versions...)
}

// RESTMappingWithContext returns the mapping of a kind, in the first of the versions that has it, or in the
// preferred version.
func (d *DeferredDiscoveryRESTMapper) RESTMappingWithContext(ctx context.Context, gk schema.GroupKind, versions ...string) (*meta.RESTMapping, error) {
	return ask(ctx, d, func(m meta.RESTMapper) (*meta.RESTMapping, error) { return m.RESTMapping(gk, versions...) }, always)
}

// RESTMappings is RESTMappingsWithContext without a context.
func (d *DeferredDiscoveryRESTMapper) RESTMappings(gk schema.GroupKind, versions ...string) ([]*meta.RESTMapping, error) {
	return d.RESTMappingsWithContext(context.Background(), gk, versions...)
}

// RESTMappingsWithContext returns all mappings of a kind in the given versions, or in all.
func (d *DeferredDiscoveryRESTMapper) RESTMappingsWithContext(ctx context.Context, gk schema.GroupKind, versions ...string) ([]*meta.RESTMapping, error) {
	return ask(ctx, d, func(m meta.RESTMapper) ([]*meta.RESTMapping, error) { return m.RESTMappings(gk, versions...) }, some)
}

// ResourceSingularizer is ResourceSingularizerWithContext without a context.
func (d *DeferredDiscoveryRESTMapper) ResourceSingularizer(resource string) (string, error) {
	return d.ResourceSingularizerWithContext(context.Background(), resource)
}

// ResourceSingularizerWithContext returns the singular name of a resource. With an error, that is the resource.
func (d *DeferredDiscoveryRESTMapper) ResourceSingularizerWithContext(ctx context.Context, resource string) (string, error) {
	singular, err := ask(ctx, d, func(m meta.RESTMapper) (string, error) { return m.ResourceSingularizer(resource) }, always)
	if err != nil {
		return resource, err
	}
	return singular, nil
}

// String describes the mapper, which is requested if there is none.
func (d *DeferredDiscoveryRESTMapper) String() string {
	mapper, err := d.current(context.Background())
	if err != nil {
		return fmt.Sprintf("DeferredDiscoveryRESTMapper{%v}", err)
	}
	return fmt.Sprintf("DeferredDiscoveryRESTMapper{\n\t%v\n}", mapper)
}
