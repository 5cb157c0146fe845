package discovery

import (
	"slices"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// merge returns the resources of all sources, in order and each group, version and resource once.
// The slices of the list are new; the contents of resources are shared with the sources.
func merge(sources []Source) []*apidiscovery.APIGroupDiscovery {
	core := &apidiscovery.APIGroupDiscovery{Versions: []apidiscovery.APIVersionDiscovery{
		{Version: "v1", Freshness: apidiscovery.DiscoveryFreshnessCurrent, Resources: []apidiscovery.APIResourceDiscovery{}},
	}}
	groups := []*apidiscovery.APIGroupDiscovery{core}
	for _, source := range sources {
		for _, group := range source.Groups() {
			i := slices.IndexFunc(groups, func(g *apidiscovery.APIGroupDiscovery) bool { return g.Name == group.Name })
			if i < 0 {
				i = len(groups)
				groups = append(groups, &apidiscovery.APIGroupDiscovery{ObjectMeta: metav1.ObjectMeta{Name: group.Name}})
			}
			groups[i].Versions = mergeVersions(groups[i].Versions, group.Versions)
		}
	}
	groups = slices.DeleteFunc(groups, func(g *apidiscovery.APIGroupDiscovery) bool { return len(g.Versions) == 0 })
	slices.SortFunc(groups, byRank)
	for _, group := range groups {
		sortVersions(group.Versions)
		if ours(group) {
			leaveOutKinds(group)
		}
	}
	return groups
}

// leaveOutKinds omits the group and version of kinds that equal those of their list, as a real
// server does for Kubernetes' own groups.
func leaveOutKinds(group *apidiscovery.APIGroupDiscovery) {
	for _, version := range group.Versions {
		gv := schema.GroupVersion{Group: group.Name, Version: version.Version}
		short := func(kind *metav1.GroupVersionKind) *metav1.GroupVersionKind {
			group, version, name := foreign(gv, kind)
			return &metav1.GroupVersionKind{Group: group, Version: version, Kind: name}
		}
		for i := range version.Resources {
			resource := &version.Resources[i]
			resource.ResponseKind = short(resource.ResponseKind)
			resource.Subresources = slices.Clone(resource.Subresources)
			for j := range resource.Subresources {
				resource.Subresources[j].ResponseKind = short(resource.Subresources[j].ResponseKind)
			}
		}
	}
}

func mergeVersions(have, more []apidiscovery.APIVersionDiscovery) []apidiscovery.APIVersionDiscovery {
	for _, version := range more {
		i := slices.IndexFunc(have, func(v apidiscovery.APIVersionDiscovery) bool { return v.Version == version.Version })
		if i < 0 {
			version.Resources = slices.Clone(version.Resources)
			have = append(have, version)
			continue
		}
		for _, resource := range version.Resources {
			if !slices.ContainsFunc(have[i].Resources, func(r apidiscovery.APIResourceDiscovery) bool { return r.Resource == resource.Resource }) {
				have[i].Resources = append(have[i].Resources, resource)
			}
		}
	}
	return have
}
