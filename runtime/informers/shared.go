package informers

import (
	"context"
	"reflect"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/cache"
)

// SharedInformers is the part of generated factories that is the same in all of them.
// [Factory] implements it.
type SharedInformers interface {
	// Start is StartWithContext with a channel: the informers run until it is closed.
	Start(stopCh <-chan struct{})

	// StartWithContext starts the informers that were requested and were not started yet,
	// and returns at once. They run until the context is done.
	StartWithContext(ctx context.Context)

	// Shutdown prevents further informers from starting and waits until the running ones
	// have stopped. It does not stop them: the end of their contexts does. If Shutdown is
	// deferred, the end of the contexts must be deferred after it, or a function that
	// returns early waits forever. Shutdown may be called more than once.
	Shutdown()

	// WaitForCacheSync waits until the started informers have synced or the channel is
	// closed. It returns for each type whether its informer has synced.
	WaitForCacheSync(stopCh <-chan struct{}) map[reflect.Type]bool

	// WaitForCacheSyncWithContext is WaitForCacheSync with a context. Its result reports why
	// informers have not synced.
	WaitForCacheSyncWithContext(ctx context.Context) cache.SyncResult

	// Acquire starts the informer of obj's type, which must have been requested, and keeps it
	// running until it is released or the context is done. An informer that was acquired
	// and not started stops when it was released as often as acquired, and is removed from
	// the factory: the next request for it creates a new one, and listers of the old one
	// fail with [cache.ErrReleased].
	Acquire(ctx context.Context, obj runtime.Object) (release func(), err error)
}

// NewFactoryWith returns a factory without informers, for all namespaces unless an option
// sets others. A resync period of 0 disables resync.
func NewFactoryWith(resync time.Duration, options []FactoryOption) *Factory {
	config := Config{CustomResync: map[reflect.Type]time.Duration{}, Types: map[reflect.Type]Options{}}
	config.ResyncPeriod = resync
	for _, option := range options {
		option(&config)
	}
	return NewFactory(config)
}

// FactoryOption changes the configuration of a factory that is being created.
type FactoryOption func(*Config)

// WithNamespace restricts all informers to a namespace.
func WithNamespace(namespace string) FactoryOption {
	return func(c *Config) { c.Namespace = namespace }
}

// WithNamespaces restricts all informers to the given namespaces. Each is listed and watched
// separately, so permissions in these namespaces suffice.
func WithNamespaces(namespaces ...string) FactoryOption {
	return func(c *Config) { c.Namespaces = namespaces }
}

// WithTweakListOptions changes the options with which all informers list and watch.
func WithTweakListOptions(tweak Tweak) FactoryOption {
	return func(c *Config) { c.TweakListOptions = tweak }
}

// WithTransform changes objects before any informer stores them; [cache.DropManagedFields] keeps managedFields
// from being sent.
func WithTransform(transform cache.TransformFunc) FactoryOption {
	return func(c *Config) { c.Transform = transform }
}

// WithInformerName sets the name under which the informers report metrics, created once
// with [cache.NewInformerName]. [Factory.Shutdown] releases it.
func WithInformerName(name *cache.InformerName) FactoryOption {
	return func(c *Config) { c.InformerName = name }
}

// WithShards makes all informers have only the objects of shards, such as a ring of package kubernetes/shards. Exempt
// types that every replica needs whole with [WithTypeOptions] and [cache.AllShards].
func WithShards(shards cache.Shards) FactoryOption {
	return func(c *Config) { c.Shards = shards }
}

// WithCustomResyncConfig sets the resync periods of single types.
func WithCustomResyncConfig(periods map[metav1.Object]time.Duration) FactoryOption {
	return func(c *Config) {
		for object, period := range periods {
			c.CustomResync[reflect.TypeOf(object)] = period
		}
	}
}

// WithTypeOptions sets the options of one type. Fields that are set replace those of all
// informers; only functions that tweak list options are both called.
func WithTypeOptions(object metav1.Object, options Options) FactoryOption {
	return func(c *Config) { c.Types[reflect.TypeOf(object)] = options }
}
