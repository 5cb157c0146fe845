package restmapper

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// RESTMapperWithContext is a [meta.RESTMapper] whose methods take a context.
type RESTMapperWithContext interface { //nolint:revive // the name is apimachinery's
	// KindForWithContext returns the kind of a resource; it is an error if several match equally well.
	KindForWithContext(ctx context.Context, resource schema.GroupVersionResource) (schema.GroupVersionKind, error)
	// KindsForWithContext returns all matching kinds, the preferred one first.
	KindsForWithContext(ctx context.Context, resource schema.GroupVersionResource) ([]schema.GroupVersionKind, error)
	// ResourceForWithContext completes a resource; it is an error if several match equally well.
	ResourceForWithContext(ctx context.Context, input schema.GroupVersionResource) (schema.GroupVersionResource, error)
	// ResourcesForWithContext returns all matching resources, the preferred one first.
	ResourcesForWithContext(ctx context.Context, input schema.GroupVersionResource) ([]schema.GroupVersionResource, error)
	// RESTMappingWithContext returns the mapping of a kind, in the first of the versions that has it, or in the
	// preferred version.
	RESTMappingWithContext(ctx context.Context, gk schema.GroupKind, versions ...string) (*meta.RESTMapping, error)
	// RESTMappingsWithContext returns all mappings of a kind in the given versions, or in all.
	RESTMappingsWithContext(ctx context.Context, gk schema.GroupKind, versions ...string) ([]*meta.RESTMapping, error)
	// ResourceSingularizerWithContext returns the singular name of a resource.
	ResourceSingularizerWithContext(ctx context.Context, resource string) (singular string, err error)
}

// withContext returns m itself if it has both forms, otherwise a wrapper that drops contexts.
func withContext(m meta.RESTMapper) RESTMapperWithContext {
	if both, ok := m.(RESTMapperWithContext); ok {
		return both
	}
	return contextual{m}
}

// contextual adds the form with contexts, which it drops, to a mapper.
type contextual struct{ meta.RESTMapper }

func (c contextual) KindForWithContext(_ context.Context, resource schema.GroupVersionResource) (schema.GroupVersionKind, error) {
	return c.KindFor(resource)
}

func (c contextual) KindsForWithContext(_ context.Context, resource schema.GroupVersionResource) ([]schema.GroupVersionKind, error) {
	return c.KindsFor(resource)
}

func (c contextual) ResourceForWithContext(_ context.Context, input schema.GroupVersionResource) (schema.GroupVersionResource, error) {
	return c.ResourceFor(input)
}

func (c contextual) ResourcesForWithContext(_ context.Context, input schema.GroupVersionResource) ([]schema.GroupVersionResource, error) {
	return c.ResourcesFor(input)
}

func (c contextual) RESTMappingWithContext(_ context.Context, gk schema.GroupKind, versions ...string) (*meta.RESTMapping, error) {
	return c.RESTMapping(gk, versions...)
}

func (c contextual) RESTMappingsWithContext(_ context.Context, gk schema.GroupKind, versions ...string) ([]*meta.RESTMapping, error) {
	return c.RESTMappings(gk, versions...)
}

func (c contextual) ResourceSingularizerWithContext(_ context.Context, resource string) (string, error) {
	return c.ResourceSingularizer(resource)
}

// Reset resets the mapper, if it can be.
func (c contextual) Reset() { meta.MaybeResetRESTMapper(c.RESTMapper) }
