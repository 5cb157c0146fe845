package cache

import "context"

// Reflector keeps a store up to date with what a [ListerWatcher] lists and watches.
type Reflector struct{}

// WatchErrorHandler is called when a list or a watch fails.
type WatchErrorHandler func(r *Reflector, err error)

// WatchErrorHandlerWithContext is a [WatchErrorHandler] with a context.
type WatchErrorHandlerWithContext func(ctx context.Context, r *Reflector, err error)
