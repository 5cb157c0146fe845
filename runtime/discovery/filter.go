package discovery

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ResourcePredicate chooses resources.
type ResourcePredicate interface {
	// Match tells whether the resource is chosen. It must not change it.
	Match(groupVersion string, r *metav1.APIResource) bool
}

// ResourcePredicateFunc is a function as a [ResourcePredicate].
type ResourcePredicateFunc func(groupVersion string, r *metav1.APIResource) bool

// Match calls the function.
func (fn ResourcePredicateFunc) Match(groupVersion string, r *metav1.APIResource) bool {
	return fn(groupVersion, r)
}

// SupportsAllVerbs chooses the resources that have all of Verbs.
type SupportsAllVerbs struct {
	Verbs []string
}

// Match tells whether the resource has all of the verbs.
func (p SupportsAllVerbs) Match(_ string, r *metav1.APIResource) bool {
	return !slices.ContainsFunc(p.Verbs, func(verb string) bool { return !slices.Contains(r.Verbs, verb) })
}

// FilteredBy returns the resources that a predicate chooses, in new lists. Lists
// that would be empty are left out; what is never nil is the result.
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
