package discovery

import (
	"net/http"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/discovery"
	"k8s.io/apiserver/pkg/endpoints/handlers/negotiation"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
)

// groupList returns the handler of /apis in its legacy form.
func (d *document) groupList() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		list := &metav1.APIGroupList{Groups: []metav1.APIGroup{}}
		for _, group := range d.groups[1:] {
			list.Groups = append(list.Groups, legacyGroup(group))
		}
		responsewriters.WriteObjectNegotiated(legacyCodecs, negotiation.DefaultEndpointRestrictions, schema.GroupVersion{},
			w, req, http.StatusOK, list, false)
	})
}

func legacyGroup(group *apidiscovery.APIGroupDiscovery) metav1.APIGroup {
	legacy := metav1.APIGroup{Name: group.Name}
	for _, v := range group.Versions {
		gv := schema.GroupVersion{Group: group.Name, Version: v.Version}
		legacy.Versions = append(legacy.Versions, metav1.GroupVersionForDiscovery{GroupVersion: gv.String(), Version: v.Version})
	}
	legacy.PreferredVersion = legacy.Versions[0]
	return legacy
}

// resourceList returns the handler of a version's resources.
func (d *document) resourceList(group *apidiscovery.APIGroupDiscovery, version *apidiscovery.APIVersionDiscovery) *discovery.APIVersionHandler {
	gv := schema.GroupVersion{Group: group.Name, Version: version.Version}
	return discovery.NewAPIVersionHandler(legacyCodecs, gv, discovery.APIResourceListerFunc(func() []metav1.APIResource {
		return d.resources(gv, version.Resources)
	}))
}

// resources lists the resources of gv, each before its subresources.
func (d *document) resources(gv schema.GroupVersion, resources []apidiscovery.APIResourceDiscovery) []metav1.APIResource {
	legacy := []metav1.APIResource{}
	for _, r := range resources {
		namespaced := r.Scope == apidiscovery.ScopeNamespace
		// A subresource without its resource gets a resource without verbs.
		if len(r.Verbs) > 0 {
			group, version, kind := foreign(gv, r.ResponseKind)
			resource := metav1.APIResource{
				Name: r.Resource, SingularName: r.SingularResource, Namespaced: namespaced,
				Group: group, Version: version, Kind: kind,
				Verbs: r.Verbs, ShortNames: r.ShortNames, Categories: r.Categories,
			}
			if stored(r) {
				storage := d.storage(schema.GroupResource{Group: gv.Group, Resource: r.Resource})
				resource.StorageVersionHash = discovery.StorageVersionHash(storage.Group, storage.Version, kind)
			}
			legacy = append(legacy, resource)
		}
		for _, sub := range r.Subresources {
			group, version, kind := foreign(gv, sub.ResponseKind)
			legacy = append(legacy, metav1.APIResource{
				Name: r.Resource + "/" + sub.Subresource, Namespaced: namespaced,
				Group: group, Version: version, Kind: kind, Verbs: sub.Verbs,
			})
		}
	}
	return legacy
}

// foreign splits a kind; its group and version are "" if they equal gv's.
func foreign(gv schema.GroupVersion, gvk *metav1.GroupVersionKind) (group, version, kind string) {
	if gvk == nil {
		return "", "", ""
	}
	if gvk.Group == gv.Group && gvk.Version == gv.Version {
		return "", "", gvk.Kind
	}
	return gvk.Group, gvk.Version, gvk.Kind
}
