// Package ctxlock has a mutex for which a caller waits no longer than its context lasts. It is for state that is
// filled by requests: the first caller sends them, the others wait for their result or give up.
package ctxlock

import "context"

// Mutex is a mutex. Its zero value is not usable.
type Mutex struct{ held chan struct{} } // full while it is locked

// New returns an unlocked Mutex.
func New() Mutex { return Mutex{make(chan struct{}, 1)} }

// LockContext locks m. It returns the context's error if the context ends before, or has ended already.
func (m Mutex) LockContext(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case m.held <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Unlock unlocks m.
func (m Mutex) Unlock() { <-m.held }
