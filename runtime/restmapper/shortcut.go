package restmapper

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/discovery"
)

// NewShortcutExpander returns a mapper that replaces short names of resources ("po") by their names ("pods") and
// passes them to delegate. Each call gets what the server serves from client, which should be a cached one. If a
// short name also stands for other resources, warningHandler, unless it is nil, is called for each with a text
// for the user.
func NewShortcutExpander(delegate meta.RESTMapper, client discovery.DiscoveryInterface, warningHandler func(string)) meta.RESTMapper {
	return shortcutExpander{withContext(delegate), discovery.ToDiscoveryInterfaceWithContext(client), warningHandler}
}

// NewShortcutExpanderWithContext is [NewShortcutExpander] in the form with contexts.
func NewShortcutExpanderWithContext(delegate RESTMapperWithContext, client discovery.DiscoveryInterfaceWithContext, warningHandler func(string)) RESTMapperWithContext {
	return shortcutExpander{delegate, client, warningHandler}
}

type shortcutExpander struct {
	delegate RESTMapperWithContext
	client   discovery.DiscoveryInterfaceWithContext
	warn     func(string)
}

var (
	_ meta.ResettableRESTMapper = shortcutExpander{}
	_ RESTMapperWithContext     = shortcutExpander{}
)

// served is a resource as a server lists it.
type served struct {
	schema.GroupResource
	singular   string
	shortNames []string
}

// expand returns the resource that a short name stands for. A name or singular stands for itself, even if it is
// the short name of another resource. If no group has the short name, group is taken for the beginning of one.
func (e shortcutExpander) expand(ctx context.Context, resource schema.GroupVersionResource) schema.GroupVersionResource {
	var named []served
	for _, r := range e.served(ctx) {
		inGroup := resource.Group == "" || resource.Group == r.Group
		if inGroup && (resource.Resource == r.Resource || resource.Resource == r.singular) {
			return resource
		}
		if slices.Contains(r.shortNames, resource.Resource) {
			named = append(named, r)
		}
	}
	var found *schema.GroupResource
	var others []schema.GroupResource
	for _, r := range named {
		switch {
		case resource.Group != "" && resource.Group != r.Group:
		case found == nil:
			found = &r.GroupResource
		// Another version of it is the same resource.
		case *found != r.GroupResource && !slices.Contains(others, r.GroupResource):
			others = append(others, r.GroupResource)
		}
	}
	if found != nil {
		for _, other := range others {
			if e.warn != nil {
				e.warn(fmt.Sprintf("short name %q could also match lower priority resource %s", resource.Resource, other))
			}
		}
		return found.WithVersion("")
	}
	if resource.Group == "" {
		return resource
	}
	for _, r := range named {
		if strings.HasPrefix(r.Group, resource.Group) {
			return r.WithVersion(resource.Version)
		}
	}
	return resource
}

// served returns all resources, the preferred groups first.
func (e shortcutExpander) served(ctx context.Context) []served {
	_, lists, err := e.client.ServerGroupsAndResourcesWithContext(ctx)
	if err != nil {
		klog.FromContext(ctx).V(1).Info("Resources are missing in short names", "err", err)
	}
	var result []served
	for group, r := range resources(lists) {
		result = append(result, served{schema.GroupResource{Group: group, Resource: r.Name}, r.SingularName, r.ShortNames})
	}
	return result
}

// resources yields the resources of lists with their groups. Those of an unreadable group version are skipped.
func resources(lists []*metav1.APIResourceList) iter.Seq2[string, metav1.APIResource] {
	return func(yield func(string, metav1.APIResource) bool) {
		for _, list := range lists {
			gv, err := schema.ParseGroupVersion(list.GroupVersion)
			if err != nil {
				continue
			}
			for _, r := range list.APIResources {
				if !yield(gv.Group, r) {
					return
				}
			}
		}
	}
}

func (e shortcutExpander) KindFor(resource schema.GroupVersionResource) (schema.GroupVersionKind, error) {
	return e.KindForWithContext(context.Background(), resource)
}

// KindForWithContext expands twice if nothing is found: a delegate may then know more, and so the client that it
// has in common with e.
func (e shortcutExpander) KindForWithContext(ctx context.Context, resource schema.GroupVersionResource) (schema.GroupVersionKind, error) {
	kind, err := e.delegate.KindForWithContext(ctx, e.expand(ctx, resource))
	if meta.IsNoMatchError(err) {
		return e.delegate.KindForWithContext(ctx, e.expand(ctx, resource))
	}
	return kind, err
}

func (e shortcutExpander) KindsFor(resource schema.GroupVersionResource) ([]schema.GroupVersionKind, error) {
	return e.KindsForWithContext(context.Background(), resource)
}

func (e shortcutExpander) KindsForWithContext(ctx context.Context, resource schema.GroupVersionResource) ([]schema.GroupVersionKind, error) {
	return e.delegate.KindsForWithContext(ctx, e.expand(ctx, resource))
}

func (e shortcutExpander) ResourceFor(resource schema.GroupVersionResource) (schema.GroupVersionResource, error) {
	return e.ResourceForWithContext(context.Background(), resource)
}

func (e shortcutExpander) ResourceForWithContext(ctx context.Context, resource schema.GroupVersionResource) (schema.GroupVersionResource, error) {
	return e.delegate.ResourceForWithContext(ctx, e.expand(ctx, resource))
}

func (e shortcutExpander) ResourcesFor(resource schema.GroupVersionResource) ([]schema.GroupVersionResource, error) {
	return e.ResourcesForWithContext(context.Background(), resource)
}

func (e shortcutExpander) ResourcesForWithContext(ctx context.Context, resource schema.GroupVersionResource) ([]schema.GroupVersionResource, error) {
	return e.delegate.ResourcesForWithContext(ctx, e.expand(ctx, resource))
}

func (e shortcutExpander) ResourceSingularizer(resource string) (string, error) {
	return e.ResourceSingularizerWithContext(context.Background(), resource)
}

func (e shortcutExpander) ResourceSingularizerWithContext(ctx context.Context, resource string) (string, error) {
	return e.delegate.ResourceSingularizerWithContext(ctx, e.expand(ctx, schema.GroupVersionResource{Resource: resource}).Resource)
}

func (e shortcutExpander) RESTMapping(gk schema.GroupKind, versions ...string) (*meta.RESTMapping, error) {
	return e.RESTMappingWithContext(context.Background(), gk, versions...)
}

func (e shortcutExpander) RESTMappingWithContext(ctx context.Context, gk schema.GroupKind, versions ...string) (*meta.RESTMapping, error) {
	return e.delegate.RESTMappingWithContext(ctx, gk, versions...)
}

func (e shortcutExpander) RESTMappings(gk schema.GroupKind, versions ...string) ([]*meta.RESTMapping, error) {
	return e.RESTMappingsWithContext(context.Background(), gk, versions...)
}

func (e shortcutExpander) RESTMappingsWithContext(ctx context.Context, gk schema.GroupKind, versions ...string) ([]*meta.RESTMapping, error) {
	return e.delegate.RESTMappingsWithContext(ctx, gk, versions...)
}

func (e shortcutExpander) Reset() { e.ResetWithContext(context.Background()) }

// ResetWithContext resets the delegate, if it can be.
func (e shortcutExpander) ResetWithContext(ctx context.Context) {
	switch delegate := e.delegate.(type) {
	case interface{ ResetWithContext(context.Context) }:
		delegate.ResetWithContext(ctx)
	case interface{ Reset() }:
		delegate.Reset()
	}
}
