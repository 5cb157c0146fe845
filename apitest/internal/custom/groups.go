package custom

import (
	"maps"
	"slices"
	"strings"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	autoscaling "k8s.io/api/autoscaling/v1"
	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
)

// Groups describes what is served, for discovery: the group of CRDs first, then the defined ones by
// name; the versions of each are ordered from the most stable to the least, and their resources are
// sorted. The caller owns the result.
func (r *Registry) Groups() []apidiscovery.APIGroupDiscovery {
	groups := map[string]map[string][]apidiscovery.APIResourceDiscovery{} // by group and version
	current := r.current.Load()
	for _, name := range slices.Sorted(maps.Keys(current.served)) {
		definition := current.served[name].definition.Load()
		if !apihelpers.IsCRDConditionTrue(definition, v1.Established) {
			continue
		}
		for i := range definition.Spec.Versions {
			served := &definition.Spec.Versions[i]
			if !served.Served {
				continue
			}
			versions := groups[definition.Spec.Group]
			if versions == nil {
				versions = map[string][]apidiscovery.APIResourceDiscovery{}
				groups[definition.Spec.Group] = versions
			}
			versions[served.Name] = append(versions[served.Name], describe(definition, served))
		}
	}
	list := []apidiscovery.APIGroupDiscovery{group(v1.GroupName, map[string][]apidiscovery.APIResourceDiscovery{
		v1.SchemeGroupVersion.Version: {describeDefinitions()},
	})}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		list = append(list, group(name, groups[name]))
	}
	return list
}

// StorageVersion returns the version in which a CRD's custom resources are stored, or "".
func (r *Registry) StorageVersion(gr schema.GroupResource) string {
	served, ok := r.current.Load().served[gr.String()]
	if !ok {
		return ""
	}
	version, err := apihelpers.GetCRDStorageVersion(served.definition.Load())
	if err != nil {
		return ""
	}
	return version
}

// group describes a group with its resources by version.
func group(name string, resources map[string][]apidiscovery.APIResourceDiscovery) apidiscovery.APIGroupDiscovery {
	described := apidiscovery.APIGroupDiscovery{ObjectMeta: metav1.ObjectMeta{Name: name}}
	versions := slices.SortedFunc(maps.Keys(resources), func(a, b string) int {
		return version.CompareKubeAwareVersionStrings(b, a)
	})
	for _, version := range versions {
		slices.SortFunc(resources[version], func(a, b apidiscovery.APIResourceDiscovery) int {
			return strings.Compare(a.Resource, b.Resource)
		})
		described.Versions = append(described.Versions, apidiscovery.APIVersionDiscovery{
			Version:   version,
			Resources: resources[version],
			Freshness: apidiscovery.DiscoveryFreshnessCurrent,
		})
	}
	return described
}

// describe describes the resource of a CRD in one version.
func describe(definition *v1.CustomResourceDefinition, served *v1.CustomResourceDefinitionVersion) apidiscovery.APIResourceDiscovery {
	names := definition.Status.AcceptedNames.DeepCopy()
	kind := schema.GroupVersionKind{Group: definition.Spec.Group, Version: served.Name, Kind: names.Kind}
	resource := apidiscovery.APIResourceDiscovery{
		Resource:         names.Plural,
		SingularResource: names.Singular,
		Scope:            apidiscovery.ScopeCluster,
		ResponseKind:     responseKind(kind),
		Verbs:            metav1.Verbs{"delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"},
		ShortNames:       names.ShortNames,
		Categories:       names.Categories,
	}
	if definition.Spec.Scope == v1.NamespaceScoped {
		resource.Scope = apidiscovery.ScopeNamespace
	}
	if apihelpers.IsCRDConditionTrue(definition, v1.Terminating) {
		resource.Verbs = metav1.Verbs{"delete", "deletecollection", "get", "list", "watch"}
	}
	if served.Subresources != nil && served.Subresources.Status != nil {
		resource.Subresources = append(resource.Subresources, subresource("status", kind))
	}
	if served.Subresources != nil && served.Subresources.Scale != nil {
		resource.Subresources = append(resource.Subresources,
			subresource("scale", autoscaling.SchemeGroupVersion.WithKind("Scale")))
	}
	return resource
}

// describeDefinitions describes the resource of CRDs themselves.
func describeDefinitions() apidiscovery.APIResourceDiscovery {
	return apidiscovery.APIResourceDiscovery{
		Resource:         resourceName,
		SingularResource: "customresourcedefinition",
		Scope:            apidiscovery.ScopeCluster,
		ResponseKind:     responseKind(kind),
		Verbs:            metav1.Verbs{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"},
		ShortNames:       []string{"crd", "crds"},
		Categories:       []string{"api-extensions"},
		Subresources:     []apidiscovery.APISubresourceDiscovery{subresource("status", kind)},
	}
}

func subresource(name string, kind schema.GroupVersionKind) apidiscovery.APISubresourceDiscovery {
	return apidiscovery.APISubresourceDiscovery{
		Subresource:  name,
		ResponseKind: responseKind(kind),
		Verbs:        metav1.Verbs{"get", "patch", "update"},
	}
}

func responseKind(kind schema.GroupVersionKind) *metav1.GroupVersionKind {
	return &metav1.GroupVersionKind{Group: kind.Group, Version: kind.Version, Kind: kind.Kind}
}
