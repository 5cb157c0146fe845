// Package gentype provides the generic clients behind generated clientsets.
//
// # Terms
//
// T is the type of an object (a pointer to an API type), L the type of a list of such objects, and
// C the type of their apply configurations. A client is bound to one resource and, if the resource
// is namespaced, to one namespace; an empty namespace means all.
//
// # Operations
//
// [Client] gets, creates, updates, patches, deletes and watches single objects. [ClientWithList]
// also lists and deletes collections, [ClientWithApply] also applies (server-side), and
// [ClientWithListAndApply] does both. [Group] creates the REST clients of a group and version;
// [NewRequest], [Apply] and [ApplyTo] send the requests of methods that a type declares in addition
// to the usual verbs. A [View] creates clients that read some fields of objects into a type of their own.
//
// A client that lists is also a [ListStreamer]: it passes on the objects of a list one by one while
// the response is being received. Informers look for this method with a type assertion on the typed
// client; a client without it, such as a fake or a hand-written client, is listed with List.
//
// # Limits
//
// Clients are safe for concurrent use. They neither modify nor retain the objects passed to them;
// the caller owns the returned objects. The server's errors are those of
// k8s.io/apimachinery/pkg/api/errors. If a method returns an error, the returned object is not nil
// but has no meaning.
//
// The clients for tests, which need no server, are in the package fake below this one, so that
// programs do not link them.
package gentype
