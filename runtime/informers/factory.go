package informers

import (
	"cmp"
	"context"
	"reflect"
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

// Factory creates and runs shared informers, one per type of object. Its methods are safe for
// concurrent use.
type Factory struct {
	config    Config
	informers Set[reflect.Type]
}

// NewFactory returns a factory without informers. The config must not be changed afterwards.
func NewFactory(config Config) *Factory {
	config.Owner = cmp.Or(config.Owner, callsite.BeyondPackage(""))
	return &Factory{config: config}
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
	return f.informers.InformerFor(typ, func() cache.SharedIndexInformer {
		options := f.config.over(f.config.Types[typ])
		resync, ok := f.config.CustomResync[typ]
		if !ok {
			resync = options.ResyncPeriod
		}
		informer := newInformer(resync)
		if options.Transform != nil {
			// This fails if newInformer has already started the informer, which then cannot get a
			// transform any more. Another error is in the state of the informer.
			_ = informer.SetTransform(options.Transform)
		}
		return informer
	})
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
func (f *Factory) StartWithContext(ctx context.Context) { f.informers.StartWithContext(ctx) }

// Acquire starts the informer of obj's type unless it is running, and keeps it running until
// release is called or the context is done. An informer that Start has not started stops when it
// was released as often as it was acquired, and the factory forgets it: the next request for the
// type creates a new informer, and reads from the old one, for example through a lister, return
// [cache.ErrReleased]. release may be called more than once, and does not wait.
//
// The error is [ErrNotRequested] if the informer was not requested before, for example with
// factory.Group().V1().Kinds().Informer(), and [ErrStopped] if it cannot run any more.
func (f *Factory) Acquire(ctx context.Context, obj runtime.Object) (release func(), err error) {
	return f.informers.Acquire(ctx, reflect.TypeOf(obj))
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
	f.informers.Shutdown()
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
	synced, causes, err := f.informers.WaitForCacheSync(ctx)
	return cache.SyncResult{Synced: synced, Causes: causes, Err: err}
}
