// Package fake is a dynamic client for tests: it needs no server, records the actions that it receives, and
// answers them from memory or with reactors.
//
// # Operations
//
// [NewSimpleDynamicClient] and [NewSimpleDynamicClientWithCustomListKinds] store objects as they are given, as
// client-go's do; package testing documents their rules. Reactors are added and actions read with the methods of
// the embedded [testing.Fake].
//
// To list a resource, the client needs the kind of its lists: that of a scheme's list type whose name suggests
// the resource (BookList: books), or the one given for the resource. List panics if there is none.
//
// # Limits
//
// Clients are safe for concurrent use. Objects are copied on their way in and out. The list kinds that are given
// are added to the given scheme, so a scheme must not be shared by tests that run in parallel.
package fake
