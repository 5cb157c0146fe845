package discovery

import (
	"context"
	"iter"
	"maps"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// catalog contains everything that a server serves, as far as it is available. The keys of resources and failed
// are versions of groups; a stale one is in failed only.
type catalog struct {
	groups    []metav1.APIGroup
	resources map[schema.GroupVersion]*metav1.APIResourceList
	failed    map[schema.GroupVersion]error
}

// servedVersion is a version as its group lists it.
type servedVersion struct {
	group, groupVersion string
	preferred           bool
}

// all yields the group versions whose resources are known, in the server's order.
func (c catalog) all() iter.Seq2[servedVersion, *metav1.APIResourceList] {
	return func(yield func(servedVersion, *metav1.APIResourceList) bool) {
		for _, g := range c.groups {
			for _, v := range g.Versions {
				gv := schema.GroupVersion{Group: g.Name, Version: v.Version}
				list, ok := c.resources[gv]
				served := servedVersion{g.Name, v.GroupVersion, v.Version == g.PreferredVersion.Version}
				if ok && !yield(served, list) {
					return
				}
			}
		}
	}
}

// failure returns nil if nothing failed.
func (c catalog) failure() error {
	if len(c.failed) == 0 {
		return nil
	}
	return &ErrGroupDiscoveryFailed{Groups: c.failed}
}

// fetch gets everything from d: in one step if d can, otherwise the groups and then the resources
// of all group versions concurrently. It returns an error if a request fails without which nothing
// is known.
func fetch(ctx context.Context, d DiscoveryInterfaceWithContext) (catalog, error) {
	if err := ctx.Err(); err != nil {
		return catalog{}, err
	}
	var c catalog
	var groups *metav1.APIGroupList
	var err error
	if a, ok := aggregated(d); ok {
		groups, c.resources, c.failed, err = a.GroupsAndMaybeResourcesWithContext(ctx)
	} else {
		groups, err = d.ServerGroupsWithContext(ctx)
	}
	// A cache can return outdated groups with an error.
	if groups == nil {
		return catalog{}, err
	}
	c.groups = groups.Groups
	if c.resources == nil {
		c.fetchResources(ctx, d)
	}
	return c, nil
}

func aggregated(d DiscoveryInterfaceWithContext) (AggregatedDiscoveryInterfaceWithContext, bool) {
	switch d := d.(type) {
	case AggregatedDiscoveryInterfaceWithContext:
		return d, true
	case AggregatedDiscoveryInterface:
		return ToAggregatedDiscoveryInterfaceWithContext(d), true
	default:
		return nil, false
	}
}

func (c *catalog) fetchResources(ctx context.Context, d ServerResourcesInterfaceWithContext) {
	c.resources = map[schema.GroupVersion]*metav1.APIResourceList{}
	failed := maps.Clone(c.failed)
	if failed == nil {
		failed = map[schema.GroupVersion]error{}
	}
	var mu sync.Mutex // guards c.resources and failed
	var requests sync.WaitGroup
	for _, g := range c.groups {
		for _, v := range g.Versions {
			gv := schema.GroupVersion{Group: g.Name, Version: v.Version}
			requests.Go(func() {
				list, err := d.ServerResourcesForGroupVersionWithContext(ctx, gv.String())
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					failed[gv] = err
				}
				// A cache can return an outdated list with an error.
				if list != nil {
					c.resources[gv] = list
				}
			})
		}
	}
	requests.Wait()
	c.failed = failed
}

// attempts is how often everything is requested until no group version fails: one can be deleted between the
// request for the groups and the request for its resources.
const attempts = 2

// retry calls f while group versions fail, up to attempts times.
func retry(ctx context.Context, f func() ([]*metav1.APIGroup, []*metav1.APIResourceList, error)) ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	var groups []*metav1.APIGroup
	var lists []*metav1.APIResourceList
	var err error
	for range attempts {
		groups, lists, err = f()
		if err == nil {
			return groups, lists, nil
		}
		if !IsGroupDiscoveryFailedError(err) || ctx.Err() != nil {
			return nil, nil, err
		}
	}
	return groups, lists, err
}
