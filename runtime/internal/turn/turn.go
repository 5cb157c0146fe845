// Package turn has a mutex for which a caller waits no longer than its context lasts. It is for state that is
// filled by requests: the first caller sends them, the others wait for their result or give up.
package turn

import "context"

// Turn is a mutex. Its zero value is not usable.
type Turn struct{ free chan struct{} }

// New returns a Turn that nobody has.
func New() Turn { return Turn{make(chan struct{}, 1)} }

// Take locks t. It returns the context's error if the context ends before, or has ended already.
func (t Turn) Take(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case t.free <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Pass unlocks t.
func (t Turn) Pass() { <-t.free }
