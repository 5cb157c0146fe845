package store

import (
	"context"
	"sync"
)

// Writes counts what a request writes. It is safe for concurrent use.
type Writes struct {
	mu    sync.Mutex // guards the rest
	count int
	key   string // of the first one
}

type writesKey struct{}

// WithWrites returns a context whose writes are counted in w; with nil, they are not counted.
func WithWrites(ctx context.Context, w *Writes) context.Context {
	return context.WithValue(ctx, writesKey{}, w)
}

// First returns the number of writes, and the key of the first one.
func (w *Writes) First() (count int, key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.count, w.key
}

// count counts a write of a context's request.
func count(ctx context.Context, key string) {
	w, ok := ctx.Value(writesKey{}).(*Writes)
	if !ok || w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.count == 0 {
		w.key = key
	}
	w.count++
}
