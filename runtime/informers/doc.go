// Package informers implements the factories that generated informer factories embed, and the
// informers of their kinds.
//
// A [Factory] has one informer per Go type of object, created on the first request for it, and
// runs it as long as it is in use: [Factory.StartWithContext] uses all requested informers until
// its context is done; [Factory.Acquire] uses one until it is released. An informer that is no
// longer in use is stopped.
//
// Getting an informer or a lister sends no request, and neither does reading from
// a lister: only Start and Acquire do.
//
// A [Kind] describes a kind to the functions that generated informers consist of.
// [New] and [NewNamespaced] create the informers. [Options] configure what is listed
// and watched and how it is stored. A factory has options for all of its informers and for
// single types; [OptionsFor] merges them.
package informers
