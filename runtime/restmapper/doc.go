// Package restmapper maps resources to kinds and back by what a server serves.
//
// # Terms
//
// A kind such as "Deployment" is what objects are, a resource such as "deployments" what paths name. A
// [meta.RESTMapper] finds one by the other, also by parts: without a version or group it takes the preferred
// version of the first group that matches, the core group before all others. A short name ("deploy") and a
// category ("all") stand for resources.
//
// # Operations
//
// [GetAPIGroupResources] requests what a server serves, and [NewDiscoveryRESTMapper] makes a mapper of it.
// [NewDeferredDiscoveryRESTMapper] does both when the mapper is first used, and again if something is not found
// and the discovery cache is not fresh. [NewShortcutExpander] adds short names to a mapper, and
// [NewDiscoveryCategoryExpander] finds the resources of a category.
//
// All forms exist without and with a context. [RESTMapperWithContext] has the methods of the interface of the
// same name in k8s.io/apimachinery v0.37, so that values of either can be used as the other.
//
// # Limits
//
// Group versions that cannot be discovered are missing, without an error. Mappers and expanders are safe for
// concurrent use.
package restmapper
