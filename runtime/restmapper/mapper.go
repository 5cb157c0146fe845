package restmapper

import (
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/discovery"
)

// APIGroupResources is a group with the resources of its versions.
type APIGroupResources struct {
	Group metav1.APIGroup
	// VersionedResources contains the resources by version ("v1"). A version that could not be discovered is
	// missing.
	VersionedResources map[string][]metav1.APIResource
}

// GetAPIGroupResources is [GetAPIGroupResourcesWithContext] without a context.
func GetAPIGroupResources(cl discovery.DiscoveryInterface) ([]*APIGroupResources, error) {
	return GetAPIGroupResourcesWithContext(context.Background(), discovery.ToDiscoveryInterfaceWithContext(cl))
}

// GetAPIGroupResourcesWithContext returns what a server serves, in its order. Group versions that fail are
// missing; only if nothing is known it returns an error. The result shares memory with the results of cl.
func GetAPIGroupResourcesWithContext(ctx context.Context, cl discovery.DiscoveryInterfaceWithContext) ([]*APIGroupResources, error) {
	groups, lists, err := cl.ServerGroupsAndResourcesWithContext(ctx)
	if groups == nil || lists == nil {
		return nil, err
	}
	resources := map[string][]metav1.APIResource{} // by group version
	for _, list := range lists {
		resources[list.GroupVersion] = list.APIResources
	}
	var result []*APIGroupResources
	for _, group := range groups {
		g := &APIGroupResources{Group: *group, VersionedResources: map[string][]metav1.APIResource{}}
		for _, v := range group.Versions {
			if list, ok := resources[v.GroupVersion]; ok {
				g.VersionedResources[v.Version] = list
			}
		}
		result = append(result, g)
	}
	return result, nil
}

// NewDiscoveryRESTMapper returns a mapper for groups. Of those that match equally well, the core group's v1 is
// preferred, then the groups in their order, each with its preferred version first.
func NewDiscoveryRESTMapper(groupResources []*APIGroupResources) meta.RESTMapper {
	var mappers meta.MultiRESTMapper
	var order preference
	order.add("", "v1")
	for _, g := range groupResources {
		group, preferred := g.Group.Name, g.Group.PreferredVersion.Version
		if _, ok := g.VersionedResources[preferred]; ok && preferred != "" {
			order.add(group, preferred)
		}
		for _, v := range g.Group.Versions {
			resources, ok := g.VersionedResources[v.Version]
			if !ok {
				continue
			}
			if v.Version != preferred {
				order.add(group, v.Version)
			}
			mappers = append(mappers, versionMapper(schema.GroupVersion{Group: group, Version: v.Version}, resources))
		}
	}
	for _, g := range groupResources {
		order.add(g.Group.Name, meta.AnyVersion)
	}
	return &meta.PriorityRESTMapper{Delegate: mappers, ResourcePriority: order.resources, KindPriority: order.kinds}
}

// NewDiscoveryRESTMapperWithContext is [NewDiscoveryRESTMapper] in the form with contexts, which have no effect:
// the mapper sends no requests.
func NewDiscoveryRESTMapperWithContext(groupResources []*APIGroupResources) RESTMapperWithContext {
	return withContext(NewDiscoveryRESTMapper(groupResources))
}

// preference lists group versions, the most preferred one first.
type preference struct {
	resources []schema.GroupVersionResource
	kinds     []schema.GroupVersionKind
}

func (p *preference) add(group, version string) {
	gv := schema.GroupVersion{Group: group, Version: version}
	p.resources = append(p.resources, gv.WithResource(meta.AnyResource))
	p.kinds = append(p.kinds, gv.WithKind(meta.AnyKind))
}

// versionMapper returns a mapper for the resources of one group version. Kinds are found in lower case too, and
// there are kinds of lists.
func versionMapper(gv schema.GroupVersion, resources []metav1.APIResource) meta.RESTMapper {
	m := meta.NewDefaultRESTMapper([]schema.GroupVersion{gv})
	for _, r := range resources {
		if strings.Contains(r.Name, "/") {
			continue // a subresource
		}
		scope := meta.RESTScopeRoot
		if r.Namespaced {
			scope = meta.RESTScopeNamespace
		}
		kind, singular := gv.WithKind(r.Kind), gv.WithResource(r.SingularName)
		if r.SingularName == "" { // in legacy discovery
			_, singular = meta.UnsafeGuessKindToResource(kind)
		}
		// The last one added is the kind of the resource.
		m.AddSpecific(gv.WithKind(strings.ToLower(r.Kind)), gv.WithResource(r.Name), singular, scope)
		m.AddSpecific(kind, gv.WithResource(r.Name), singular, scope)
		m.Add(gv.WithKind(r.Kind+"List"), scope)
	}
	m.Add(gv.WithKind("List"), meta.RESTScopeRoot)
	return m
}
