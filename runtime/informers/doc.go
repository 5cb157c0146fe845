// Package informers is what emitted shared informer factories are made of.
//
// A [Factory] keeps one informer per Go type of object, made when first asked for, and runs it
// as long as somebody holds it: [Factory.StartWithContext] holds all that were asked for until
// its context is done; [Factory.Acquire] holds one until it is released. An informer that
// nobody holds any more is stopped.
//
// Asking for an informer or a lister makes no request, and neither does reading from
// a lister: only Start and Acquire do.
//
// [New] and [NewNamespaced] make the informers. [Options] say how: what of the resource is listed
// and watched, and what becomes of it. A factory has options for all of its informers and for
// single types; [OptionsFor] puts them together.
package informers
