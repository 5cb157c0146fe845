// Package fault makes a server misbehave, on demand.
package fault

import "net/http"

// Injector stands before a server's handlers. It is safe for concurrent use.
type Injector struct{}

// New returns an injector that lets everything pass.
func New() *Injector { return &Injector{} }

// Wrap puts the injector before next, whose requests carry a RequestInfo.
func (i *Injector) Wrap(next http.Handler) http.Handler { return next }
