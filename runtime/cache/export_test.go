package cache

import "testing"

// Reports makes panics not crash, and returns what is reported of them.
func Reports(t *testing.T) *[]string { return reports(t) }

// State returns what the reflector is doing.
func (r *Reflector) State() SourceState { return r.state() }

// SetWatchErrorHandler sets what the reflector calls on errors, as informers do.
func (r *Reflector) SetWatchErrorHandler(f WatchErrorHandlerWithContext) { r.watchErrorHandler = f }
