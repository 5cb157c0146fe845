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

// Config is how a factory makes its informers.
type Config struct {
	// Options are those of all informers.
	Options

	// Namespace restricts all informers to a namespace; empty for all namespaces. The
	// namespaces of Options take precedence.
	Namespace string

	// CustomResync are resync periods of single types, instead of that of the options.
	CustomResync map[reflect.Type]time.Duration

	// Types are options of single types. What is set in them replaces what the options for all
	// say; only the functions that change the options of lists and watches add up.
	Types map[reflect.Type]Options
}

// ErrNotAsked is the error of [Factory.Acquire] for types whose informer nobody has asked for.
var ErrNotAsked = errors.New("no informer of this type was asked for")

// ErrStopped is the error of [Factory.Acquire] for an informer that has stopped, or a factory that was
// shut down.
var ErrStopped = errors.New("informer has stopped")

// Factory keeps shared informers, one per type of object. Its methods are safe for concurrent use.
type Factory struct {
	config Config

	mu       sync.Mutex // guards what follows, and the fields of shared
	shared   map[reflect.Type]*shared
	shutdown bool

	running sync.WaitGroup // the informers that run
}

// shared is an informer of a factory.
type shared struct {
	informer cache.SharedIndexInformer
	cancel   context.CancelCauseFunc // ends its run; nil until it is started
	holds    int                     // those who want it to run
	started  bool                    // by Start, and not only acquired
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

// InformerFor returns the informer of obj's type, made by newInformer, with the resync period of
// the type, if there is none yet.
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
		// It fails for informers that run already, and one that newInformer has started
		// cannot have a transform any more.
		_ = informer.SetTransform(options.Transform)
	}
	f.shared[typ] = &shared{informer: informer}
	return informer
}

// typed is implemented by emitted factories, which embed a [Factory].
type typed interface {
	optionsFor(obj runtime.Object, options Options) Options
}

// OptionsFor returns options, changed by what a factory says for all informers and for obj's type. A
// factory that embeds no [Factory] says nothing.
func OptionsFor(factory any, obj runtime.Object, options Options) Options {
	if f, ok := factory.(typed); ok {
		return f.optionsFor(obj, options)
	}
	return options
}

func (f *Factory) optionsFor(obj runtime.Object, options Options) Options {
	config := f.config.Options
	config.ResyncPeriod, config.Transform = 0, nil // InformerFor has seen to them
	config.TweakListOptions = nil                  // in options already
	ofType := f.config.Types[reflect.TypeOf(obj)]
	ofType.ResyncPeriod, ofType.Transform = 0, nil
	return options.over(config).over(ofType)
}

// Start is [Factory.StartWithContext] with a channel: the informers run until it is closed.
func (f *Factory) Start(stopCh <-chan struct{}) {
	f.StartWithContext(wait.ContextForChannel(stopCh))
}

// StartWithContext starts the informers that have been asked for and were not started yet, and returns
// at once. Each runs until the context is done and everybody who acquired it has released it. An informer
// that has stopped is not started again.
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

// Acquire starts the informer of obj's type, if it does not run yet, and keeps it running until
// release is called or the context is done. When everybody who acquired an informer has released it, and
// Start has not started it, it stops, and the factory forgets it: the next one who asks for the type gets
// a new informer. Whoever reads from the old one, by a lister for instance, gets [cache.ErrReleased], and
// has to ask the factory again. Release may be called more than once, and does not wait.
//
// The error is [ErrNotAsked] if the informer was not asked for before, as by
// factory.Group().V1().Kinds().Informer(), and [ErrStopped] if it cannot run any more.
func (f *Factory) Acquire(ctx context.Context, obj runtime.Object) (release func(), err error) {
	typ := reflect.TypeOf(obj)
	f.mu.Lock()
	defer f.mu.Unlock()
	s, ok := f.shared[typ]
	switch {
	case !ok:
		return nil, fmt.Errorf("%w: %v", ErrNotAsked, typ)
	case f.shutdown || s.cancel != nil && s.holds == 0:
		return nil, fmt.Errorf("%w: %v", ErrStopped, typ)
	}
	return f.hold(ctx, typ, s), nil
}

// hold starts an informer unless it runs, and returns a function that ends the hold; so does the
// context. The informer stops when the last hold has ended, and is forgotten unless it was started.
// f.mu is held.
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

// Shutdown keeps further informers from starting, waits until those that run have stopped, and releases
// the informer name. It does not stop them: the end of their contexts, and releases, do. Where Shutdown is
// deferred, so must be what ends them, after it:
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

// WaitForCacheSync waits until each informer that was started has synced or stopped, or until the channel is
// closed. It returns for each type whether its informer has synced; informers that were released meanwhile, by
// all who had acquired them, are left out.
func (f *Factory) WaitForCacheSync(stopCh <-chan struct{}) map[reflect.Type]bool {
	return f.WaitForCacheSyncWithContext(wait.ContextForChannel(stopCh)).Synced
}

// WaitForCacheSyncWithContext is [Factory.WaitForCacheSync] with a context. What it returns says why
// informers have not synced, if they have not.
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

// runningInformers returns the informers that have been started, and are not forgotten.
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
