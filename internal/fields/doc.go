// Package fields finds which fields of cached objects a program reads.
//
// # Terms
//
// A kind is a Go type with TypeMeta and ObjectMeta. An object is cached if a lister, a store, an event handler or a client
// of controller-runtime hands it out. A read is the use of a field whose type has no fields of its own, such as
// a string, a list of strings, or a type with its own decoder; it is known by its path of JSON names. An object, or a part
// of one, escapes where it is used in a way that is not followed; then all of it counts as read.
//
// # Operations
//
// [Analyze] reports the reads and escapes of each kind, and [Check] compares the reads with what calls of cache.Keep keep.
//
// # How it works
//
// The program is type-checked from source and translated by x/tools/go/ssa, with the function bodies of its own modules
// and of other packages that use Kubernetes' types (load.go). Labels then spread from where objects arise (source.go)
// to all values that can have them (flow.go, calls.go), until nothing changes. A label is a path in the memory of a root: an
// object of a cache, or API data that the program allocates (label.go). A field extends the path; a load, an element of a list
// or map, an interface, and a deep copy keep it. The order of statements and the caller of a function make no
// difference, so a label can reach more values than at run time, but not fewer.
//
// Fields of structs that are no API data are one node for all values of the struct. Stores into API data do not spread labels,
// but are aliases: what happens to the copy happens to the part that was copied (resolve.go). Lists, maps, channels
// and pointers to other data share memory, so labels also spread back to where they come from.
//
// What functions of Kubernetes' libraries do is described in model.go, as reads, copies, or nothing. Any other function without
// a body is an escape.
//
// # Limits
//
// Objects are lost in code that is not Go, in unsafe conversions, and when a library returns what it was passed; passing it
// is an escape. The kind of an object in an interface is known by the type that is asserted, or by the informer of
// its handler; otherwise what happens to it counts for all kinds.
package fields
