package informers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/internal/callsite"
)

// Config configures a factory.
type Config struct {
	// Options apply to all informers.
	Options

	// Namespace restricts all informers to a namespace; empty for all namespaces. The
	// namespaces of Options take precedence.
	Namespace string

	// CustomResync contains resync periods of single types, which replace the one of Options.
	CustomResync map[reflect.Type]time.Duration

	// Types contains options of single types. Fields that are set replace those of Options; only
	// functions that tweak list options are both called.
	Types map[reflect.Type]Options
}

// ErrNotRequested is returned by [Factory.Acquire] for a type whose informer was never requested.
var ErrNotRequested = errors.New("no informer was requested for this type")

// ErrStopped is returned by [Factory.Acquire] for an informer that has stopped, or a factory that
// was shut down.
var ErrStopped = errors.New("informer has stopped")

// Factory creates and runs shared informers, one per type of object. Its methods are safe for
// concurrent use.
type Factory struct {
	config Config

	mu       sync.Mutex // guards the fields below, and the fields of shared
	shared   map[reflect.Type]*shared
	shutdown bool

	running sync.WaitGroup // the running informers
}

// shared is an informer of a factory.
type shared struct {
	informer cache.SharedIndexInformer
	cancel   context.CancelCauseFunc // stops the informer; nil until it is started
	holds    int                     // number of holders that need it to run
	started  bool                    // by Start, not only acquired
}

// NewFactory returns a factory without informers. The config must not be changed afterwards.
func NewFactory(config Config) *Factory {
	config.Owner = cmp.Or(config.Owner, callsite.BeyondPackage(""))
	return &Factory{config: config, shared: map[reflect.Type]*shared{}}
}

// Namespace returns the namespace that all informers are restricted to, or "".
func (f *Factory) Namespace() string { return f.config.Namespace }

// Tweak returns the function that changes the options of all lists and watches, or nil.
func (f *Factory) Tweak() Tweak { return f.config.TweakListOptions }

// InformerName returns the name under which the informers report metrics, or nil.
func (f *Factory) InformerName() *cache.InformerName { return f.config.InformerName }

// InformerFor returns the informer of obj's type. If there is none yet, it creates it with
// newInformer and the resync period of the type.
func (f *Factory) InformerFor(obj runtime.Object, newInformer func(resync time.Duration) cache.SharedIndexInformer) cache.SharedIndexInformer {
	typ := reflect.TypeOf(obj)
	f.mu.Lock()
	defer f.mu.Unlock()
	if s, ok := f.shared[typ]; ok {
		return s.informer
	}
	options := f.config.over(f.config.Types[typ])
	resync, ok := f.config.CustomResync[typ]
	if !ok {
		resync = options.ResyncPeriod
	}
	informer := newInformer(resync)
	if options.Transform != nil {
		// This fails if newInformer has already started the informer, which then cannot get a
		// transform any more.
		_ = informer.SetTransform(options.Transform)
	}
	f.shared[typ] = &shared{informer: informer}
	return informer
}

// typed is implemented by generated factories, which embed a [Factory].
type typed interface {
	optionsFor(obj runtime.Object, options Options) Options
}

// OptionsFor returns options merged with the factory's options for all informers and for obj's
// type. If factory does not embed a [Factory], it returns options unchanged.
func OptionsFor(factory any, obj runtime.Object, options Options) Options {
	if f, ok := factory.(typed); ok {
		return f.optionsFor(obj, options)
	}
	return options
}

func (f *Factory) optionsFor(obj runtime.Object, options Options) Options {
	config := f.config.Options
	config.ResyncPeriod, config.Transform = 0, nil // InformerFor has applied them
	config.TweakListOptions = nil                  // already in options
	ofType := f.config.Types[reflect.TypeOf(obj)]
	ofType.ResyncPeriod, ofType.Transform = 0, nil
	return options.over(config).over(ofType)
}

// Start is [Factory.StartWithContext] with a channel: the informers run until it is closed.
func (f *Factory) Start(stopCh <-chan struct{}) {
	f.StartWithContext(wait.ContextForChannel(stopCh))
}

// StartWithContext starts the informers that were requested and not started yet, and returns
// immediately. Each runs until the context is done and it was released as often as it was acquired.
// An informer that has stopped is not restarted.
func (f *Factory) StartWithContext(ctx context.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shutdown {
		return
	}
	for typ, s := range f.shared {
		if !s.started {
			s.started = true
			f.hold(ctx, typ, s)
		}
	}
}

// Acquire starts the informer of obj's type unless it is running, and keeps it running until
// release is called or the context is done. An informer that Start has not started stops when it
// was released as often as it was acquired, and the factory forgets it: the next request for the
// type creates a new informer, and reads from the old one, for example through a lister, return
// [cache.ErrReleased]. release may be called more than once, and does not wait.
//
// The error is [ErrNotRequested] if the informer was not requested before, for example with
// factory.Group().V1().Kinds().Informer(), and [ErrStopped] if it cannot run any more.
func (f *Factory) Acquire(ctx context.Context, obj runtime.Object) (release func(), err error) {
	typ := reflect.TypeOf(obj)
	f.mu.Lock()
	defer f.mu.Unlock()
	s, ok := f.shared[typ]
	switch {
	case !ok:
		return nil, fmt.Errorf("%w: %v", ErrNotRequested, typ)
	case f.shutdown || s.cancel != nil && s.holds == 0:
		return nil, fmt.Errorf("%w: %v", ErrStopped, typ)
	}
	return f.hold(ctx, typ, s), nil
}

// hold starts an informer unless it is running, and returns a function that ends the hold, as the
// end of the context does. The informer stops when the last hold has ended, and is forgotten unless
// Start has started it. f.mu is held.
func (f *Factory) hold(ctx context.Context, typ reflect.Type, s *shared) (release func()) {
	if s.cancel == nil {
		run, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
		s.cancel = cancel
		f.running.Go(func() { s.informer.RunWithContext(run) })
	}
	s.holds++
	end := sync.OnceFunc(func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		switch s.holds--; {
		case s.holds > 0:
		case s.started:
			s.cancel(context.Cause(ctx))
		default:
			delete(f.shared, typ)
			s.cancel(cache.ErrReleased)
		}
	})
	stop := context.AfterFunc(ctx, end)
	return func() {
		stop()
		end()
	}
}

// Shutdown prevents further informers from starting, waits until the running ones have stopped, and
// releases the informer name. It does not stop them: the end of their contexts, and releases, do.
// If Shutdown is deferred, what ends them must be deferred after it:
//
//	defer factory.Shutdown()
//	defer cancel()
//
// It may be called more than once.
func (f *Factory) Shutdown() {
	f.mu.Lock()
	f.shutdown = true
	f.mu.Unlock()

	f.running.Wait()
	f.config.InformerName.Release()
}

// WaitForCacheSync waits until each started informer has synced or stopped, or the channel is
// closed. It returns for each type whether its informer has synced; informers that were released
// and forgotten meanwhile are omitted.
func (f *Factory) WaitForCacheSync(stopCh <-chan struct{}) map[reflect.Type]bool {
	return f.WaitForCacheSyncWithContext(wait.ContextForChannel(stopCh)).Synced
}

// WaitForCacheSyncWithContext is [Factory.WaitForCacheSync] with a context. Its result reports why
// informers have not synced.
func (f *Factory) WaitForCacheSyncWithContext(ctx context.Context) cache.SyncResult {
	result := cache.SyncResult{Synced: map[reflect.Type]bool{}, Causes: map[reflect.Type]error{}}
	running := f.runningInformers()
	errs := map[reflect.Type]error{}
	for typ, s := range running {
		errs[typ] = cache.WaitForSync(ctx, s.informer)
	}
	kept := f.runningInformers()
	for typ, s := range running {
		if kept[typ] != s {
			continue
		}
		synced := s.informer.HasSynced()
		result.Synced[typ] = synced
		if synced {
			continue
		}
		result.Err = errs[typ]
		if ctx.Err() != nil {
			result.Err = context.Cause(ctx)
		}
		result.Causes[typ] = cache.StateOf(s.informer).Unsynced()
	}
	return result
}

// runningInformers returns the informers that were started and are not forgotten.
func (f *Factory) runningInformers() map[reflect.Type]*shared {
	f.mu.Lock()
	defer f.mu.Unlock()
	running := map[reflect.Type]*shared{}
	for typ, s := range f.shared {
		if s.cancel != nil {
			running[typ] = s
		}
	}
	return running
}
