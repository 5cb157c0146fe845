package discovery

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/discovery"
)

// Narrow returns d as a discovery client of listwatch. It gets resources together with groups if d does. Nil stays
// nil.
func Narrow(d DiscoveryInterfaceWithContext) discovery.DiscoveryInterfaceWithContext {
	switch d := d.(type) {
	case nil:
		return nil
	case *DiscoveryClient:
		return d.client
	case AggregatedDiscoveryInterfaceWithContext:
		return narrowAggregated{narrow{d}, d}
	default:
		return narrow{d}
	}
}

// NarrowCached returns d as a cached discovery client of listwatch. Nil stays nil.
func NarrowCached(d CachedDiscoveryInterfaceWithContext) discovery.CachedDiscoveryInterfaceWithContext {
	switch d := d.(type) {
	case nil:
		return nil
	case AggregatedDiscoveryInterfaceWithContext:
		return narrowCachedAggregated{narrowAggregated{narrow{d}, d}, d.(cache)}
	default:
		return narrowCached{narrow{d}, d}
	}
}

// NarrowPlain is [Narrow] for clients without contexts. It does not get resources together with groups.
func NarrowPlain(d DiscoveryInterface) discovery.DiscoveryInterface {
	switch d := d.(type) {
	case nil:
		return nil
	case *DiscoveryClient:
		return d.client
	default:
		return narrowPlain{d}
	}
}

// NarrowBoth is [Narrow] for clients of both forms, which may not be nil.
func NarrowBoth(d DiscoveryInterfaces) discovery.DiscoveryInterfaces { return narrowBoth{d} }

// narrow is a discovery client without OpenAPISchema: its legacy form has none either.
type narrow struct{ DiscoveryInterfaceWithContext }

func (n narrow) WithLegacyWithContext(ctx context.Context) discovery.DiscoveryInterfaceWithContext {
	return Narrow(n.DiscoveryInterfaceWithContext.WithLegacyWithContext(ctx))
}

type narrowAggregated struct {
	narrow
	aggregated
}

// aggregated gets resources together with groups.
type aggregated interface {
	GroupsAndMaybeResourcesWithContext(ctx context.Context) (*metav1.APIGroupList, map[schema.GroupVersion]*metav1.APIResourceList, map[schema.GroupVersion]error, error)
}

type narrowCached struct {
	narrow
	cache
}

// cache is what cached discovery clients add.
type cache interface {
	FreshWithContext(ctx context.Context) bool
	InvalidateWithContext(ctx context.Context)
}

type narrowCachedAggregated struct {
	narrowAggregated
	cache
}

type narrowPlain struct{ DiscoveryInterface }

func (n narrowPlain) WithLegacy() discovery.DiscoveryInterface {
	return NarrowPlain(n.DiscoveryInterface.WithLegacy())
}

type narrowBoth struct{ DiscoveryInterfaces }

func (n narrowBoth) WithLegacy() discovery.DiscoveryInterface {
	return NarrowPlain(n.DiscoveryInterfaces.WithLegacy())
}

func (n narrowBoth) WithLegacyWithContext(ctx context.Context) discovery.DiscoveryInterfaceWithContext {
	return Narrow(n.DiscoveryInterfaces.WithLegacyWithContext(ctx))
}
