package informers

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/listwatch/listwatch/runtime/cache"
)

// ErrNotRequested is returned by [Factory.Acquire] for a type whose informer was never requested.
var ErrNotRequested = errors.New("no informer was requested for this type")

// ErrStopped is returned by [Factory.Acquire] for an informer that has stopped, or a factory that
// was shut down.
var ErrStopped = errors.New("informer has stopped")

// Set runs shared informers, one per key, such as the type of the objects or the resource. Factories consist of
// it. The zero value is an empty set. Its methods are safe for concurrent use.
type Set[K comparable] struct {
	mu       sync.Mutex // guards the fields below, and the fields of shared
	shared   map[K]*shared
	shutdown bool

	running sync.WaitGroup // the running informers
}

// shared is an informer of a set.
type shared struct {
	informer cache.SharedIndexInformer
	cancel   context.CancelCauseFunc // stops the informer; nil until it is started
	holds    int                     // number of holders that need it to run
	started  bool                    // by Start, not only acquired
}

// InformerFor returns the informer of a key, created by newInformer if there is none yet. newInformer must not
// call the set.
func (s *Set[K]) InformerFor(key K, newInformer func() cache.SharedIndexInformer) cache.SharedIndexInformer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i, ok := s.shared[key]; ok {
		return i.informer
	}
	if s.shared == nil {
		s.shared = map[K]*shared{}
	}
	i := &shared{informer: newInformer()}
	s.shared[key] = i
	return i.informer
}

// StartWithContext is [Factory.StartWithContext].
func (s *Set[K]) StartWithContext(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shutdown {
		return
	}
	for key, i := range s.shared {
		if !i.started {
			i.started = true
			s.hold(ctx, key, i)
		}
	}
}

// Acquire is [Factory.Acquire] for the informer of a key.
func (s *Set[K]) Acquire(ctx context.Context, key K) (release func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, ok := s.shared[key]
	switch {
	case !ok:
		return nil, fmt.Errorf("%w: %v", ErrNotRequested, key)
	case s.shutdown || i.cancel != nil && i.holds == 0:
		return nil, fmt.Errorf("%w: %v", ErrStopped, key)
	}
	return s.hold(ctx, key, i), nil
}

// hold starts an informer unless it is running, and returns a function that ends the hold, as the
// end of the context does. The informer stops when the last hold has ended, and is forgotten unless
// it was started. s.mu is held.
func (s *Set[K]) hold(ctx context.Context, key K, i *shared) (release func()) {
	if i.cancel == nil {
		run, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
		i.cancel = cancel
		s.running.Go(func() { i.informer.RunWithContext(run) })
	}
	i.holds++
	end := sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		switch i.holds--; {
		case i.holds > 0:
		case i.started:
			i.cancel(context.Cause(ctx))
		default:
			delete(s.shared, key)
			i.cancel(cache.ErrReleased)
		}
	})
	stop := context.AfterFunc(ctx, end)
	return func() {
		stop()
		end()
	}
}

// Shutdown prevents further informers from starting and waits until the running ones have stopped. It does not
// stop them. It may be called more than once.
func (s *Set[K]) Shutdown() {
	s.mu.Lock()
	s.shutdown = true
	s.mu.Unlock()

	s.running.Wait()
}

// WaitForCacheSync waits until the started informers have synced or stopped, or the context is done. It returns
// for each key whether its informer has synced, and the reason if it has not; err is one of these reasons, or the
// cause of the context's end. Informers that were released in the meantime are omitted.
func (s *Set[K]) WaitForCacheSync(ctx context.Context) (synced map[K]bool, causes map[K]error, err error) {
	synced, causes = map[K]bool{}, map[K]error{}
	running := s.runningInformers()
	errs := map[K]error{}
	for key, i := range running {
		errs[key] = cache.WaitForSync(ctx, i.informer)
	}
	kept := s.runningInformers()
	for key, i := range running {
		if kept[key] != i {
			continue
		}
		if synced[key] = i.informer.HasSynced(); synced[key] {
			continue
		}
		state := cache.StateOf(i.informer)
		err = errs[key]
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		causes[key] = state.Unsynced()
	}
	return synced, causes, err
}

// runningInformers returns the informers that were started and are not forgotten.
func (s *Set[K]) runningInformers() map[K]*shared {
	s.mu.Lock()
	defer s.mu.Unlock()
	running := map[K]*shared{}
	for key, i := range s.shared {
		if i.cancel != nil {
			running[key] = i
		}
	}
	return running
}
