package cache

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// Reflector keeps a store up to date with what a [ListerWatcher] lists and watches.
type Reflector struct {
	// WatchListPageSize is how many objects each request for a list asks for. If 0,
	// lists that the server can answer from memory are asked for as a whole.
	WatchListPageSize int64
	// ShouldResync says whether to resync now; nil is always.
	ShouldResync func() bool
	// MaxInternalErrorRetryDuration is for how long watches that fail by an
	// internal error of the server are tried again before all objects are listed.
	MaxInternalErrorRetryDuration time.Duration

	name              string
	typeDescription   string
	listerWatcher     ListerWatcher
	store             ReflectorStore
	watchErrorHandler WatchErrorHandlerWithContext

	mu  sync.Mutex  // guards what follows
	now SourceState // without Quarantined
}

// NewReflector returns a reflector of lw into store; see [NewReflectorWithOptions].
func NewReflector(lw ListerWatcher, expectedType any, store ReflectorStore, resyncPeriod time.Duration) *Reflector {
	return NewReflectorWithOptions(lw, expectedType, store, ReflectorOptions{ResyncPeriod: resyncPeriod})
}

// NewNamedReflector returns a reflector with a name; see [NewReflectorWithOptions].
func NewNamedReflector(name string, lw ListerWatcher, expectedType any, store ReflectorStore, resyncPeriod time.Duration) *Reflector {
	return NewReflectorWithOptions(lw, expectedType, store, ReflectorOptions{Name: name, ResyncPeriod: resyncPeriod})
}

// NewReflectorWithOptions returns a reflector of what lw lists and watches into store.
func NewReflectorWithOptions(lw ListerWatcher, expectedType any, store ReflectorStore, options ReflectorOptions) *Reflector {
	return &Reflector{
		name: options.Name, typeDescription: options.TypeDescription, listerWatcher: lw, store: store,
		watchErrorHandler: DefaultWatchErrorHandler,
		now:               SourceState{Namespace: options.Namespace, Phase: PhaseStarting},
	}
}

// Name returns the reflector's name.
func (r *Reflector) Name() string { return r.name }

// TypeDescription says what the objects are.
func (r *Reflector) TypeDescription() string { return r.typeDescription }

// Run is [Reflector.RunWithContext] with a channel that is closed to end it.
func (r *Reflector) Run(stopCh <-chan struct{}) { r.RunWithContext(wait.ContextForChannel(stopCh)) }

// RunWithContext lists and watches until the context ends.
func (r *Reflector) RunWithContext(ctx context.Context) { <-ctx.Done() }

// LastSyncResourceVersion returns the resource version that the store was last told of.
func (r *Reflector) LastSyncResourceVersion() string { return r.state().ResourceVersion }

// state returns what the reflector is doing.
func (r *Reflector) state() SourceState {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

// WatchErrorHandler is called when a list or a watch fails.
type WatchErrorHandler func(r *Reflector, err error)

// WatchErrorHandlerWithContext is a [WatchErrorHandler] with a context.
type WatchErrorHandlerWithContext func(ctx context.Context, r *Reflector, err error)

// DefaultWatchErrorHandler logs the error.
func DefaultWatchErrorHandler(ctx context.Context, r *Reflector, err error) {}
