// Package clientgo connects listwatch and client-go in one program: it converts configs, and
// gives informers of one the form of the other.
//
// # Terms
//
// Ours are the types of github.com/listwatch/listwatch/runtime, theirs those of
// k8s.io/client-go. Functions named To return theirs, functions named From return ours.
//
// # Operations
//
// [ToConfig] and [FromConfig] convert rest.Config. [ToInformer], [FromInformer], [ToIndexer]
// and [FromIndexer] convert informers and their stores; no object is copied, both sides share
// the objects of one cache. [NewInformer] creates one of our informers in the form of theirs:
// controller-runtime takes it as cache.Options.NewInformer. Converting back what was converted
// returns the original. [Share] lets clients of both modules send their requests through one
// HTTP client. Package leaderelection, below this one, converts locks.
//
// # What needs no conversion
//
// These are interfaces with the same methods in both modules, or functions of the same
// type, so values of one can be assigned to the other: stores, lister-watchers, handlers'
// registrations, warning handlers, rate limiters, round trippers and their wrappers, lists of
// functions that report whether something has synced, and recorders and sinks of events of both
// APIs: a recorder of ours can be passed to a library that takes client-go's, and a broadcaster
// of ours can write with a client of client-go's.
//
// # Limits
//
// Clients cannot be converted: *rest.Request is a struct in both modules, and interfaces of
// clients return it. Plugins for credentials that are registered by name (AuthProvider) are
// looked up in the module that creates the client. Defaults that a program sets for one module,
// such as the default warning handler and metrics, hold for that module only.
package clientgo
