// Package watch has watches that outlast their connections, and waits on watches.
//
// # Terms
//
// A watch from a resource version delivers each later change once and in order, until its connection ends or the
// server no longer has the changes after a version ("410 Gone"). A condition is a function of an event; several
// of them are met one after the other.
//
// # Operations
//
// A [RetryWatcher] is one watch made of many: it starts another at the last resource version when one ends. A
// [NewIndexerInformerWatcher] lists too, and so goes on after 410 Gone, but may skip states of an object.
//
// [Until] waits for conditions with a RetryWatcher, [UntilWithSync] with an informer, and [UntilWithoutRetry] on
// any watch. The second suits most programs: it waits until objects are in a state, whatever led to it.
// [ContextWithOptionalTimeout] bounds a wait.
//
// # Limits
//
// All of this is for waits and small tools. Controllers use the informers of package cache.
package watch
