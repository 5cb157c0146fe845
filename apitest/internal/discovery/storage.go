package discovery

import (
	"slices"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// StorageVersioner is implemented by sources that know in which version they store a resource,
// which the legacy form contains as a hash. For other sources it is the real server's version for
// Kubernetes' own resources, and otherwise the most stable version.
type StorageVersioner interface {
	// StorageVersion returns "" for resources of other sources.
	StorageVersion(schema.GroupResource) string
}

// storageVersions are the versions of Kubernetes' own resources that kube-apiserver v1.37 does not
// store in the most stable version.
var storageVersions = map[schema.GroupResource]schema.GroupVersion{
	{Group: "apiextensions.k8s.io", Resource: "customresourcedefinitions"}:   {Group: "apiextensions.k8s.io", Version: "v1beta1"},
	{Group: "certificates.k8s.io", Resource: "clustertrustbundles"}:          {Group: "certificates.k8s.io", Version: "v1beta1"},
	{Group: "certificates.k8s.io", Resource: "podcertificaterequests"}:       {Group: "certificates.k8s.io", Version: "v1beta1"},
	{Group: "events.k8s.io", Resource: "events"}:                             {Version: "v1"},
	{Group: "resource.k8s.io", Resource: "devicetaintrules"}:                 {Group: "resource.k8s.io", Version: "v1beta2"},
	{Group: "storagemigration.k8s.io", Resource: "storageversionmigrations"}: {Group: "storagemigration.k8s.io", Version: "v1beta1"},
}

// storageVersion returns the version in which the sources store a resource of a group.
func storageVersion(sources []Source, group *apidiscovery.APIGroupDiscovery, gr schema.GroupResource) schema.GroupVersion {
	for _, source := range sources {
		if s, ok := source.(StorageVersioner); ok {
			if version := s.StorageVersion(gr); version != "" {
				return schema.GroupVersion{Group: gr.Group, Version: version}
			}
		}
	}
	if gv, ok := storageVersions[gr]; ok {
		return gv
	}
	at := slices.IndexFunc(group.Versions, func(v apidiscovery.APIVersionDiscovery) bool {
		return slices.ContainsFunc(v.Resources, func(r apidiscovery.APIResourceDiscovery) bool { return r.Resource == gr.Resource })
	})
	return schema.GroupVersion{Group: gr.Group, Version: group.Versions[at].Version}
}

// stored reports whether objects of a resource are stored: reviews, for example, are not.
func stored(resource apidiscovery.APIResourceDiscovery) bool {
	return slices.Contains(resource.Verbs, "watch")
}
