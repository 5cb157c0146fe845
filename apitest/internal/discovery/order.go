package discovery

import (
	"cmp"
	"slices"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	"k8s.io/apimachinery/pkg/version"
)

// ranks are the positions of Kubernetes' own groups in the list of kube-apiserver v1.37.
var ranks = func() map[string]int {
	places := map[string]int{}
	for i, group := range []string{
		"",
		"apiregistration.k8s.io",
		"apps",
		"events.k8s.io",
		"authentication.k8s.io",
		"authorization.k8s.io",
		"autoscaling",
		"batch",
		"certificates.k8s.io",
		"networking.k8s.io",
		"policy",
		"rbac.authorization.k8s.io",
		"storage.k8s.io",
		"admissionregistration.k8s.io",
		"apiextensions.k8s.io",
		"scheduling.k8s.io",
		"coordination.k8s.io",
		"node.k8s.io",
		"discovery.k8s.io",
		"resource.k8s.io",
		"flowcontrol.apiserver.k8s.io",
		"internal.apiserver.k8s.io",
		"storagemigration.k8s.io",
		"lifecycle.k8s.io",
	} {
		places[group] = i
	}
	return places
}()

// ours reports whether a group is one of Kubernetes' own.
func ours(group *apidiscovery.APIGroupDiscovery) bool {
	_, ok := ranks[group.Name]
	return ok
}

// byRank compares two groups by rank, then by name.
func byRank(a, b *apidiscovery.APIGroupDiscovery) int {
	rank := func(g *apidiscovery.APIGroupDiscovery) int {
		if rank, ok := ranks[g.Name]; ok {
			return rank
		}
		return len(ranks)
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Name, b.Name))
}

// sortVersions sorts from the most stable version to the least.
func sortVersions(versions []apidiscovery.APIVersionDiscovery) {
	slices.SortStableFunc(versions, func(a, b apidiscovery.APIVersionDiscovery) int {
		return version.CompareKubeAwareVersionStrings(b.Version, a.Version)
	})
}
