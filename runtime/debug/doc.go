// Package debug serves a page that shows what the informers of a process are doing.
//
// [Handler] lists every informer with its resource, namespaces, selectors and owner, its phase and last error, how
// many objects it stores, how many changes are queued, how far each handler lags behind, and when the last event came
// in or for how long there has been no data. Informers in trouble come first, and of many namespaces all but those in
// trouble are folded:
//
//	mux.Handle("/debug/informers", debug.Handler())
//
// The page is HTML without JavaScript, readable on a phone, or JSON: with ?format=json, or if the Accept header
// prefers application/json. With ?refresh=5, a browser reloads the page every five seconds.
//
// # JSON
//
// The response is an object with "time", when it was created, and "informers", a list. The fields of an informer, its
// "sources", "handlers", "indexErrors" and "slowFields" are those of [cache.State] in lower camel case, except that
// Err is "error" and LastErr is "errorTime". "noDataSeconds" is how long a source that is not up to date has had no data. Errors are
// strings, times have the format of RFC 3339, and fields whose names end in Seconds are numbers of seconds. Empty and
// zero fields are omitted, except counts.
//
// # Security
//
// Errors and the names of types, namespaces and objects are shown unchanged, and the page requires no credentials:
// mount it where only those who may see these can reach it. It changes nothing.
//
// The package is separate from runtime/cache so that only programs that serve the page link it.
package debug
