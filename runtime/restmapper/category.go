package restmapper

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/discovery"
)

// CategoryExpander finds the resources of a category such as "all". [CategoryExpanderWithContext] is the form
// with contexts.
type CategoryExpander interface {
	// Expand returns the resources, and reports whether the category exists.
	Expand(category string) ([]schema.GroupResource, bool)
}

// CategoryExpanderWithContext finds the resources of a category such as "all".
type CategoryExpanderWithContext interface {
	// ExpandWithContext returns the resources, and reports whether the category exists.
	ExpandWithContext(ctx context.Context, category string) ([]schema.GroupResource, bool)
}

// ToCategoryExpanderWithContext returns c itself if it has both forms, otherwise a wrapper that drops contexts.
// Nil stays nil.
func ToCategoryExpanderWithContext(c CategoryExpander) CategoryExpanderWithContext {
	if c == nil {
		return nil
	}
	if both, ok := c.(CategoryExpanderWithContext); ok {
		return both
	}
	return categoryWrapper{c}
}

type categoryWrapper struct{ wrapped CategoryExpander }

func (w categoryWrapper) ExpandWithContext(_ context.Context, category string) ([]schema.GroupResource, bool) {
	return w.wrapped.Expand(category)
}

// SimpleCategoryExpander has the categories of a map.
type SimpleCategoryExpander struct {
	Expansions map[string][]schema.GroupResource
}

var (
	_ CategoryExpander            = SimpleCategoryExpander{}
	_ CategoryExpanderWithContext = SimpleCategoryExpander{}
)

// Expand returns the resources in the map, themselves.
func (e SimpleCategoryExpander) Expand(category string) ([]schema.GroupResource, bool) {
	expansion, ok := e.Expansions[category]
	return expansion, ok
}

// ExpandWithContext returns the resources in the map, themselves.
func (e SimpleCategoryExpander) ExpandWithContext(_ context.Context, category string) ([]schema.GroupResource, bool) {
	return e.Expand(category)
}

// NewDiscoveryCategoryExpander returns an expander with the categories of a server's resources. Each call gets
// them from client, which should be a cached one and must not be nil. A resource with several versions is
// returned once. If nothing can be discovered, there are no categories.
func NewDiscoveryCategoryExpander(client discovery.DiscoveryInterface) CategoryExpander {
	return newDiscoveryCategories(discovery.ToDiscoveryInterfaceWithContext(client))
}

// NewDiscoveryCategoryExpanderWithContext is [NewDiscoveryCategoryExpander] in the form with contexts.
func NewDiscoveryCategoryExpanderWithContext(client discovery.DiscoveryInterfaceWithContext) CategoryExpanderWithContext {
	return newDiscoveryCategories(client)
}

type discoveryCategories struct {
	client discovery.DiscoveryInterfaceWithContext
}

func newDiscoveryCategories(client discovery.DiscoveryInterfaceWithContext) discoveryCategories {
	if client == nil {
		panic("Please provide discovery client to category expander")
	}
	return discoveryCategories{client}
}

func (e discoveryCategories) Expand(category string) ([]schema.GroupResource, bool) {
	return e.ExpandWithContext(context.Background(), category)
}

func (e discoveryCategories) ExpandWithContext(ctx context.Context, category string) ([]schema.GroupResource, bool) {
	// What failed is missing.
	_, lists, _ := e.client.ServerGroupsAndResourcesWithContext(ctx)
	var found union
	for group, r := range resources(lists) {
		if slices.Contains(r.Categories, category) {
			found.add(schema.GroupResource{Group: group, Resource: r.Name})
		}
	}
	return found, len(found) > 0
}

// union is a list of resources without duplicates.
type union []schema.GroupResource

func (u *union) add(more ...schema.GroupResource) {
	for _, r := range more {
		if !slices.Contains(*u, r) {
			*u = append(*u, r)
		}
	}
}

// UnionCategoryExpander has the categories of several expanders, with the resources of all.
type UnionCategoryExpander []CategoryExpander

var _ CategoryExpander = UnionCategoryExpander{}

// Expand returns the resources of all expanders, each once.
func (u UnionCategoryExpander) Expand(category string) ([]schema.GroupResource, bool) {
	var all UnionCategoryExpanderWithContext
	for _, expander := range u {
		all = append(all, ToCategoryExpanderWithContext(expander))
	}
	return all.ExpandWithContext(context.Background(), category)
}

// UnionCategoryExpanderWithContext has the categories of several expanders, with the resources of all.
type UnionCategoryExpanderWithContext []CategoryExpanderWithContext

var _ CategoryExpanderWithContext = UnionCategoryExpanderWithContext{}

// ExpandWithContext returns the resources of all expanders, each once.
func (u UnionCategoryExpanderWithContext) ExpandWithContext(ctx context.Context, category string) ([]schema.GroupResource, bool) {
	all, exists := union{}, false
	for _, expander := range u {
		expansion, ok := expander.ExpandWithContext(ctx, category)
		all.add(expansion...)
		exists = exists || ok
	}
	return all, exists
}
