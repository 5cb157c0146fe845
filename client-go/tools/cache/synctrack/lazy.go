package synctrack

import (
	"sync"
	"sync/atomic"
)

// Lazy holds the result of Evaluate, which is called when it is asked for the first time after a change. Its methods
// may be called concurrently.
type Lazy[T any] struct {
	// Evaluate computes the value. It must not call Get, and must not be changed.
	Evaluate func() (T, error)

	current atomic.Pointer[lazyValue[T]] // nil before the first call
}

// lazyValue is the value between two changes.
type lazyValue[T any] struct {
	mu     sync.Mutex        // held during Evaluate
	result atomic.Pointer[T] // nil until Evaluate succeeds
}

func (v *lazyValue[T]) get(evaluate func() (T, error)) (T, error) {
	if result := v.result.Load(); result != nil {
		return *result, nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if result := v.result.Load(); result != nil {
		return *result, nil
	}
	result, err := evaluate()
	if err == nil {
		v.result.Store(&result)
	}
	return result, err
}

// Notify makes the value stale: calls of Get that begin after it evaluate it again, even if another evaluation has not
// ended yet.
func (z *Lazy[T]) Notify() { z.current.Store(&lazyValue[T]{}) }

// Get returns the value. Concurrent calls evaluate it once; after an error, the next call evaluates it again.
func (z *Lazy[T]) Get() (T, error) {
	v := z.current.Load()
	if v == nil {
		z.current.CompareAndSwap(nil, &lazyValue[T]{})
		v = z.current.Load()
	}
	return v.get(z.Evaluate)
}
