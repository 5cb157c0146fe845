// Package gentype holds what the clients of all kinds have in common, so that an
// emitted client is little more than its types and its path.
//
// # Terms
//
// T is the type of an object (a pointer to an API type), L the type of a list of
// such objects, and C the type of the apply configurations for it. A client is
// bound to one resource and, where the resource is namespaced, to one namespace; an
// empty namespace stands for all.
//
// # Operations
//
// [Client] gets, creates, updates, patches, deletes and watches single objects.
// [ClientWithList] lists and deletes collections too, [ClientWithApply] applies
// (server-side), and [ClientWithListAndApply] does all. [Group] makes the REST
// clients of a group and version; [NewRequest], [Apply] and [ApplyTo] make the
// requests of methods that a type declares beyond the usual verbs.
//
// A client with a list is a [ListStreamer] as well: it can hand over the objects of
// a list one by one, while the answer is still on its way. Informers look for this
// by a type assertion on the typed client; what has no such method, like a fake or a
// client written by hand, is listed as ever.
//
// # Limits
//
// Clients are safe for concurrent use. Objects that are passed in are not changed
// and not kept; objects that are returned belong to the caller. Errors of the
// server are those of k8s.io/apimachinery/pkg/api/errors. Where a method returns an
// error, the object beside it is not nil but has no meaning.
//
// The clients for tests, which need no server, are in package fake below this one,
// so that no program links them.
package gentype
