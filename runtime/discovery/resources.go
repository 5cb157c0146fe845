package discovery

import (
	"context"
	"errors"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ServerResourcesForGroupVersion is ServerResourcesForGroupVersionWithContext
// without a context.
func (d *DiscoveryClient) ServerResourcesForGroupVersion(groupVersion string) (*metav1.APIResourceList, error) {
	return d.ServerResourcesForGroupVersionWithContext(context.Background(), groupVersion)
}

// ServerResourcesForGroupVersionWithContext returns the resources of one group version. If the server has no
// "v1", the list is empty; any other missing group version is a 404.
func (d *DiscoveryClient) ServerResourcesForGroupVersionWithContext(ctx context.Context, groupVersion string) (*metav1.APIResourceList, error) {
	if groupVersion == "" {
		return nil, errors.New("groupVersion shouldn't be empty")
	}
	path := "/apis/" + groupVersion
	if groupVersion == "v1" && d.LegacyPrefix != "" {
		path = d.LegacyPrefix + "/v1"
	}
	list := &metav1.APIResourceList{GroupVersion: groupVersion}
	err := d.document(path).DoInto(ctx, list)
	if groupVersion == "v1" && apierrors.IsNotFound(err) {
		return list, nil
	}
	if err != nil {
		return nil, refused(path, err)
	}
	return list, nil
}

// ServerGroupsAndResources is ServerGroupsAndResourcesWithContext without a
// context.
func (d *DiscoveryClient) ServerGroupsAndResources() ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return d.ServerGroupsAndResourcesWithContext(context.Background())
}

// ServerGroupsAndResourcesWithContext returns all groups and the resources of all
// their versions. If group versions fail, it retries once.
func (d *DiscoveryClient) ServerGroupsAndResourcesWithContext(ctx context.Context) ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return retry(ctx, func() ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
		return ServerGroupsAndResourcesWithContext(ctx, d)
	})
}

// ServerPreferredResources is ServerPreferredResourcesWithContext without a
// context.
func (d *DiscoveryClient) ServerPreferredResources() ([]*metav1.APIResourceList, error) {
	return d.ServerPreferredResourcesWithContext(context.Background())
}

// ServerPreferredResourcesWithContext returns each resource once, in the version that its group
// prefers, or in the first version that has it if that lacks it. The result contains a list,
// possibly empty, for each group version. If group versions fail, it retries once.
func (d *DiscoveryClient) ServerPreferredResourcesWithContext(ctx context.Context) ([]*metav1.APIResourceList, error) {
	_, lists, err := retry(ctx, func() ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
		lists, err := ServerPreferredResourcesWithContext(ctx, d)
		return nil, lists, err
	})
	return lists, err
}

// ServerPreferredNamespacedResources is
// ServerPreferredNamespacedResourcesWithContext without a context.
func (d *DiscoveryClient) ServerPreferredNamespacedResources() ([]*metav1.APIResourceList, error) {
	return d.ServerPreferredNamespacedResourcesWithContext(context.Background())
}

// ServerPreferredNamespacedResourcesWithContext returns the preferred resources that are
// namespaced, without empty lists. It does not retry.
func (d *DiscoveryClient) ServerPreferredNamespacedResourcesWithContext(ctx context.Context) ([]*metav1.APIResourceList, error) {
	return ServerPreferredNamespacedResourcesWithContext(ctx, d)
}

// ServerGroupsAndResources is [ServerGroupsAndResourcesWithContext] without a
// context.
func ServerGroupsAndResources(d DiscoveryInterface) ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return ServerGroupsAndResourcesWithContext(context.Background(), ToDiscoveryInterfaceWithContext(d))
}

// ServerGroupsAndResourcesWithContext returns the groups of d and the resources of all their
// versions, in the order of the groups. With an [ErrGroupDiscoveryFailed] the results contain what
// is available.
func ServerGroupsAndResourcesWithContext(ctx context.Context, d DiscoveryInterfaceWithContext) ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	c, err := fetch(ctx, d)
	if err != nil {
		return nil, nil, err
	}
	groups := []*metav1.APIGroup{}
	for i := range c.groups {
		groups = append(groups, &c.groups[i])
	}
	lists := []*metav1.APIResourceList{}
	for _, list := range c.all() {
		lists = append(lists, list)
	}
	return groups, lists, c.failure()
}

// ServerPreferredResources is [ServerPreferredResourcesWithContext] without a
// context.
func ServerPreferredResources(d DiscoveryInterface) ([]*metav1.APIResourceList, error) {
	return ServerPreferredResourcesWithContext(context.Background(), ToDiscoveryInterfaceWithContext(d))
}

// ServerPreferredResourcesWithContext returns each resource of d once, in the version that its
// group prefers, or in the first version that has it if that lacks it. The result contains a list,
// possibly empty, for each group version. With an [ErrGroupDiscoveryFailed] it contains what is
// available.
func ServerPreferredResourcesWithContext(ctx context.Context, d DiscoveryInterfaceWithContext) ([]*metav1.APIResourceList, error) {
	c, err := fetch(ctx, d)
	if err != nil {
		return nil, err
	}
	chosen := map[schema.GroupResource]*metav1.APIResource{}
	for v, list := range c.all() {
		for i := range list.APIResources {
			r := &list.APIResources[i]
			name := schema.GroupResource{Group: v.group, Resource: r.Name}
			if _, taken := chosen[name]; !taken || v.preferred {
				chosen[name] = r
			}
		}
	}
	lists := []*metav1.APIResourceList{}
	for v, list := range c.all() {
		preferred := &metav1.APIResourceList{GroupVersion: v.groupVersion}
		for i := range list.APIResources {
			r := &list.APIResources[i]
			isChosen := chosen[schema.GroupResource{Group: v.group, Resource: r.Name}] == r
			if isChosen && !strings.Contains(r.Name, "/") {
				preferred.APIResources = append(preferred.APIResources, *r)
			}
		}
		lists = append(lists, preferred)
	}
	return lists, c.failure()
}

// ServerPreferredNamespacedResources is
// [ServerPreferredNamespacedResourcesWithContext] without a context.
func ServerPreferredNamespacedResources(d DiscoveryInterface) ([]*metav1.APIResourceList, error) {
	return ServerPreferredNamespacedResourcesWithContext(context.Background(), ToDiscoveryInterfaceWithContext(d))
}

// ServerPreferredNamespacedResourcesWithContext returns the preferred resources of d that are
// namespaced, without empty lists. With an [ErrGroupDiscoveryFailed] the result contains what is
// available.
func ServerPreferredNamespacedResourcesWithContext(ctx context.Context, d DiscoveryInterfaceWithContext) ([]*metav1.APIResourceList, error) {
	all, err := ServerPreferredResourcesWithContext(ctx, d)
	namespaced := ResourcePredicateFunc(func(_ string, r *metav1.APIResource) bool { return r.Namespaced })
	return FilteredBy(namespaced, all), err
}
