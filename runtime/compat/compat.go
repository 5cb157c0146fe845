// Package compat makes this runtime behave as client-go where the two differ and an unchanged program could notice.
//
// The module client-go, which takes the place of k8s.io/client-go in a program by a replace directive, calls
// [ClientGo] when it is imported. Programs that import this runtime by its own paths need nothing of this package.
package compat

import "sync/atomic"

var clientGo atomic.Bool

// ClientGo selects client-go's behavior, for the whole process and for good. Call it from an init function: what
// was created before may have either behavior. It may be called several times, from any goroutine.
func ClientGo() { clientGo.Store(true) }

// IsClientGo reports whether [ClientGo] was called.
func IsClientGo() bool { return clientGo.Load() }
