// Package compat makes this runtime behave as client-go where the two differ and an unchanged program could notice.
//
// The module client-go, which takes the place of k8s.io/client-go in a program by a replace directive, calls
// [ClientGo] when it is imported. Programs that import this runtime by its own paths need nothing of this package.
//
// # What changes
//
//   - rest: a config without QPS limits a client to 5 requests a second, with a burst of 10 if it has none. Errors of
//     responses that break off or cannot be decoded have neither the URL nor a hint. A response of another kind than
//     requested, or of none, is an empty object.
//   - discovery: its clients have this limit too, with a burst of 300. Errors do not name the path.
//   - discovery/cached/disk: a directory that cannot be used, or that others may write to, is left alone, instead of
//     being an error.
//   - codec: errors are those of the object's decoder, without its name and the field.
//   - clientcmd: a context whose user does not exist makes an anonymous client, instead of being an error. Errors do not
//     name the context, its files and the reason why a configuration counts as empty.
//   - features: asking for an unknown feature is a panic.
//   - cache: the first list of an informer may be stale (resourceVersion "0"). A relist delivers an update for each
//     object, also if it did not change. A watch skips events with objects of an unexpected type, and passes on events
//     with older resource versions than before. Handlers of errors get none of connections that are refused.
//     Reflectors of metadata are described by their Go type, not by the kind.
//
// In the module kubernetes, leaderelection counts a leader's RenewDeadline from the attempt after its last successful
// renewal.
package compat

import "sync/atomic"

var clientGo atomic.Bool

// ClientGo selects client-go's behavior, for the whole process and for good. Call it from an init function: what
// was created before may have either behavior. It may be called several times, from any goroutine.
func ClientGo() { clientGo.Store(true) }

// IsClientGo reports whether [ClientGo] was called.
func IsClientGo() bool { return clientGo.Load() }
