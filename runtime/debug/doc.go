// Package debug shows what the informers of a process are doing.
//
// [Handler] serves one page: every informer with its phase, its last error, the resource version it is up to
// date with, how many objects it holds, how many changes are still queued, how far each handler lags behind,
// and how long ago the last event came. Those in trouble come first. A program mounts it wherever
// it serves such things:
//
//	mux.Handle("/debug/informers", debug.Handler())
//
// The page is HTML that needs no JavaScript, or JSON: with ?format=json, or for those whose Accept header
// prefers application/json. With ?refresh=5, a browser loads the page again every five seconds.
//
// # JSON
//
// The answer is an object of "time", when it was made, and "informers", a list. The fields of an informer, its
// "sources", "handlers" and "indexErrors" are those of [cache.State] in lower camel case, but that Err is "error"
// and LastErr is "errorTime". Errors are strings, times are as in RFC 3339, and what ends in Seconds is a number
// of them. What is empty or zero is left out, but for counts.
//
// # Caveats
//
// Errors and the names of types, namespaces and objects are shown as they are: the page is for
// those who may see these. It changes nothing.
//
// The package is apart from runtime/cache so that only programs that want the page link it.
package debug
