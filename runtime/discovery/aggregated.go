package discovery

import (
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// StaleGroupVersionError reports that a group version is stale: the server that serves it did not respond to
// the aggregating server.
type StaleGroupVersionError struct {
	gv schema.GroupVersion
}

func (e StaleGroupVersionError) Error() string {
	return fmt.Sprintf("stale GroupVersion discovery: %v", e.gv)
}

// The used part of the document of aggregated discovery, APIGroupDiscoveryList of apidiscovery.k8s.io/v2.
type (
	groupList struct {
		Items []group `json:"items"`
	}
	group struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
		Versions []groupVersion `json:"versions"`
	}
	groupVersion struct {
		Version   string     `json:"version"`
		Resources []resource `json:"resources"`
		Freshness string     `json:"freshness"`
	}
	resource struct {
		Resource         string                   `json:"resource"`
		ResponseKind     *metav1.GroupVersionKind `json:"responseKind"`
		Scope            string                   `json:"scope"`
		SingularResource string                   `json:"singularResource"`
		Verbs            []string                 `json:"verbs"`
		ShortNames       []string                 `json:"shortNames"`
		Categories       []string                 `json:"categories"`
		Subresources     []subresource            `json:"subresources"`
	}
	subresource struct {
		Subresource  string                   `json:"subresource"`
		ResponseKind *metav1.GroupVersionKind `json:"responseKind"`
		Verbs        []string                 `json:"verbs"`
	}
)

const (
	freshnessStale = "Stale"
	scopeNamespace = "Namespaced"
)

// parseAggregated converts an aggregated document, the response from a path, to the results of legacy
// discovery.
func parseAggregated(path string, body []byte) (index, error) {
	var list groupList
	if err := json.Unmarshal(body, &list); err != nil {
		return index{}, unreadable(path, err)
	}
	i := newIndex()
	i.resources = map[schema.GroupVersion]*metav1.APIResourceList{}
	i.groups.Groups = make([]metav1.APIGroup, 0, len(list.Items))
	for _, g := range list.Items {
		i.groups.Groups = append(i.groups.Groups, i.addGroup(g))
	}
	return i, nil
}

// SplitAggregated converts a document of aggregated discovery (APIGroupDiscoveryList of apidiscovery.k8s.io/v2, in JSON)
// to the groups and resources of legacy discovery, and an error for each stale group version.
func SplitAggregated(document []byte) (*metav1.APIGroupList, map[schema.GroupVersion]*metav1.APIResourceList, map[schema.GroupVersion]error, error) {
	i, err := parseAggregated("document", document)
	if err != nil {
		return nil, nil, nil, err
	}
	return i.groups, i.resources, i.stale, nil
}

// addGroup adds the versions of a group and returns the group without its stale ones. The first remaining
// version is preferred.
func (i index) addGroup(g group) metav1.APIGroup {
	result := metav1.APIGroup{Name: g.Metadata.Name}
	for _, v := range g.Versions {
		gv := schema.GroupVersion{Group: result.Name, Version: v.Version}
		if v.Freshness == freshnessStale {
			i.stale[gv] = StaleGroupVersionError{gv}
			continue
		}
		result.Versions = append(result.Versions, metav1.GroupVersionForDiscovery{
			GroupVersion: gv.String(),
			Version:      v.Version,
		})
		i.resources[gv] = v.list(gv)
	}
	if len(result.Versions) > 0 {
		result.PreferredVersion = result.Versions[0]
	}
	return result
}

// list returns the resources of a version, each followed by its subresources. Resources without a kind are
// omitted, their subresources are not.
func (v groupVersion) list(gv schema.GroupVersion) *metav1.APIResourceList {
	list := &metav1.APIResourceList{GroupVersion: gv.String()}
	for _, r := range v.Resources {
		if hasKind(r.ResponseKind) {
			list.APIResources = append(list.APIResources, r.convert())
		}
		for _, s := range r.Subresources {
			if hasKind(s.ResponseKind) {
				list.APIResources = append(list.APIResources, r.convertSub(s))
			}
		}
	}
	return list
}

func hasKind(k *metav1.GroupVersionKind) bool {
	return k != nil && *k != metav1.GroupVersionKind{}
}

func (r resource) convert() metav1.APIResource {
	return metav1.APIResource{
		Name:         r.Resource,
		SingularName: r.SingularResource,
		Namespaced:   r.Scope == scopeNamespace,
		Group:        r.ResponseKind.Group,
		Version:      r.ResponseKind.Version,
		Kind:         r.ResponseKind.Kind,
		Verbs:        r.Verbs,
		ShortNames:   r.ShortNames,
		Categories:   r.Categories,
	}
}

func (r resource) convertSub(s subresource) metav1.APIResource {
	return metav1.APIResource{
		Name:         r.Resource + "/" + s.Subresource,
		SingularName: r.SingularResource,
		Namespaced:   r.Scope == scopeNamespace,
		Group:        s.ResponseKind.Group,
		Version:      s.ResponseKind.Version,
		Kind:         s.ResponseKind.Kind,
		Verbs:        s.Verbs,
	}
}
