package discovery

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ResourcePredicate selects resources.
type ResourcePredicate interface {
	// Match reports whether r is selected. It must not modify r.
	Match(groupVersion string, r *metav1.APIResource) bool
}

// ResourcePredicateFunc is a function as a [ResourcePredicate].
type ResourcePredicateFunc func(groupVersion string, r *metav1.APIResource) bool

// Match calls the function.
func (fn ResourcePredicateFunc) Match(groupVersion string, r *metav1.APIResource) bool {
	return fn(groupVersion, r)
}

// SupportsAllVerbs selects the resources that have all of Verbs.
type SupportsAllVerbs struct {
	Verbs []string
}

// Match reports whether the resource has all of the verbs.
func (p SupportsAllVerbs) Match(_ string, r *metav1.APIResource) bool {
	return !slices.ContainsFunc(p.Verbs, func(verb string) bool { return !slices.Contains(r.Verbs, verb) })
}

// FilteredBy returns the resources that a predicate selects, in new lists. Empty lists are omitted; the result
// is never nil.
func FilteredBy(pred ResourcePredicate, rls []*metav1.APIResourceList) []*metav1.APIResourceList {
	result := []*metav1.APIResourceList{}
	for _, list := range rls {
		filtered := *list
		filtered.APIResources = nil
		for i := range list.APIResources {
			if pred.Match(list.GroupVersion, &list.APIResources[i]) {
				filtered.APIResources = append(filtered.APIResources, list.APIResources[i])
			}
		}
		if len(filtered.APIResources) > 0 {
			result = append(result, &filtered)
		}
	}
	return result
}

// GroupVersionResources returns all resources of the lists, subresources included.
// A list whose group version is malformed is an error.
func GroupVersionResources(rls []*metav1.APIResourceList) (map[schema.GroupVersionResource]struct{}, error) {
	all := map[schema.GroupVersionResource]struct{}{}
	for _, list := range rls {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			return nil, err
		}
		for _, r := range list.APIResources {
			all[gv.WithResource(r.Name)] = struct{}{}
		}
	}
	return all, nil
}
