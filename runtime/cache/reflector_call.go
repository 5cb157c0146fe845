package cache

import "errors"

// errExited reports that the goroutine of a list or watch was ended by runtime.Goexit, as tests end
// theirs.
var errExited = errors.New("goroutine has exited")

// outcome is the outcome of a call in its own goroutine.
type outcome[T any] struct {
	value    T
	err      error
	panicked any // not nil if it panicked
}

// result returns what the call returned, or panics as it did.
func (o outcome[T]) result() (T, error) {
	if o.panicked != nil {
		panic(o.panicked)
	}
	return o.value, o.err
}

// callInBackground calls f in its own goroutine, for callers that may not wait for its end. The
// channel has room for the outcome.
func callInBackground[T any](f func() (T, error)) <-chan outcome[T] {
	ended := make(chan outcome[T], 1)
	go func() {
		o := outcome[T]{err: errExited}
		defer func() {
			o.panicked = recover()
			ended <- o
		}()
		o.value, o.err = f()
	}()
	return ended
}
