package cache

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/cache/internal/deltaqueue"
	"github.com/listwatch/listwatch/runtime/cache/internal/packing"
	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/internal/callsite"
)

// NewSharedInformer returns an informer that lists and watches with lw: see
// [NewSharedIndexInformerWithOptions].
func NewSharedInformer(lw ListerWatcher, exampleObject runtime.Object, defaultEventHandlerResyncPeriod time.Duration) SharedInformer {
	return NewSharedIndexInformer(lw, exampleObject, defaultEventHandlerResyncPeriod, Indexers{})
}

// NewSharedIndexInformer returns an informer that lists and watches with lw: see
// [NewSharedIndexInformerWithOptions].
func NewSharedIndexInformer(lw ListerWatcher, exampleObject runtime.Object, defaultEventHandlerResyncPeriod time.Duration, indexers Indexers) SharedIndexInformer {
	return NewSharedIndexInformerWithOptions(lw, exampleObject, SharedIndexInformerOptions{
		ResyncPeriod: defaultEventHandlerResyncPeriod,
		Indexers:     indexers,
	})
}

// NewSharedIndexInformerWithOptions returns an informer that lists and watches with lw, or with
// options.Sources. It does nothing until it is run. An event with an object of another type than
// exampleObject's ends the watch and causes a relist; nil allows any type.
func NewSharedIndexInformerWithOptions(lw ListerWatcher, exampleObject runtime.Object, options SharedIndexInformerOptions) SharedIndexInformer {
	return newSharedInformer(lw, exampleObject, informerOptions{SharedIndexInformerOptions: options})
}

// informerOptions are the options of every constructor.
type informerOptions struct {
	SharedIndexInformerOptions
	logger          *klog.Logger  // instead of the context's, if not nil
	minWatchTimeout time.Duration // as in [ReflectorOptions]
	private         bool          // there is one handler, whose resync period may be of any length
	decoded         int           // how many packed objects stay decoded; 0 means the default
}

// sharedInformer is the informer.
//
//	sources -> queue -> applier -> store
//	                           \-> processor -> handlers
type sharedInformer struct {
	options     informerOptions
	example     runtime.Object
	description string
	sources     []Source
	shards      Shards                  // nil for all objects
	owned       *ownedSlots             // nil for all objects
	transforms  []transform             // of sources
	refused     atomic.Pointer[refusal] // why it never runs; nil if it may
	made        time.Time
	forget      func() // removes it from the registry
	stopped     *signal

	slowFields func() []codec.SlowField // of example

	packer    *packing.Packer // nil unless objects are packed
	store     objectStore
	queue     *deltaqueue.Queue
	applier   *applier
	processor *processor
	detector  *mutationDetector // nil unless it was requested

	// mu is locked after applier.mu, and only for a moment: not during calls of users' functions,
	// or while waiting for goroutines that may make such calls.
	mu                sync.Mutex // guards the fields below
	started           bool
	transform         transform // does not change once started, and is read without mu then
	watchErrorHandler WatchErrorHandlerWithContext
	reflectors        []*Reflector // by source, once started
}

func newSharedInformer(lw ListerWatcher, example runtime.Object, options informerOptions) *sharedInformer {
	s := &sharedInformer{
		options:     options,
		example:     example,
		description: options.ObjectDescription,
		sources:     options.Sources,
		made:        time.Now(),
		stopped:     newSignal(),
		shards:      someShards(options.Shards),
		slowFields:  sync.OnceValue(func() []codec.SlowField { return codec.Explain(reflect.TypeOf(example)) }),
	}
	if s.shards != nil {
		s.owned = &ownedSlots{of: s.shards}
	}
	if s.description == "" {
		s.description = describeType(example)
	}
	if s.options.Owner == "" {
		s.options.Owner = callsite.Innermost("")
	}
	if len(s.sources) == 0 {
		s.sources = []Source{{ListerWatcher: lw}}
	}
	s.detector = newMutationDetector(s.description, options.OnMutation)
	if s.packer = options.newPacker(); s.packer != nil && s.detector != nil {
		s.packer.KeepDecoded()
	}
	s.store = newObjectStore(DeletionHandlingMetaNamespaceKeyFunc, options.Indexers, storeOptions{
		versionFromBookmarks: len(s.sources) > 1, pack: s.packFunc(),
	})
	s.queue = deltaqueue.New(deltaqueue.Options{
		Name:         newNamer(DeletionHandlingMetaNamespaceKeyFunc),
		TombstoneKey: tombstoneKey,
		Known:        s.store,
		Pack:         s.packFunc(),
		Transform:    func(source int) func(obj any) (any, error) { return s.transformOf(source).apply },
		Sources:      len(s.sources),
	})
	minResync := minimumResyncPeriod
	if options.private {
		minResync = 0
	}
	s.processor = newProcessor(processorOptions{
		informer:  informerSynced{s},
		resync:    shortestResync(options.ResyncPeriod, s.sources),
		minResync: minResync,
		sources:   ownResyncs(s.sources),
		locked:    func(f func()) { s.applier.locked(f) },
		snapshot:  func() []any { return s.store.AppendHeld(nil) },
		copies:    options.CopyForHandlers,
		detector:  s.detector,
		drain:     options.DrainOnStop,
	})
	var sink deltaSink = s.processor
	if s.detector != nil {
		s.detector.handlers = s.processor.names
		sink = observedSink{sink, s.detector}
	}
	for _, source := range s.sources {
		own := source.Transform.prepared(newNamer(MetaNamespaceKeyFunc))
		own.keepsParts = own.keepsParts || source.KeepsParts
		s.transforms = append(s.transforms, own)
	}
	s.applier = newApplier(applierOptions{queue: s.queue, store: s.store, sink: sink, observe: s.metrics()})
	s.forget = informers.add(s)
	s.refuse(checkSources(s.sources))
	for _, source := range s.sources {
		s.refuse(source.Transform.keeper().check(example))
	}
	return s
}

// refusal is the reason why an informer never runs.
type refusal struct{ err error }

// refuse prevents the informer, which was not started, from running, unless err is nil: its constructors cannot fail,
// so its methods do. The first reason counts.
func (s *sharedInformer) refuse(err error) {
	if err != nil && s.refused.CompareAndSwap(nil, &refusal{fmt.Errorf("informer of %s cannot run: %w", s.description, err)}) {
		s.stopped.send()
	}
}

// refusal returns why the informer never runs, or nil.
func (s *sharedInformer) refusal() error {
	if r := s.refused.Load(); r != nil {
		return r.err
	}
	return nil
}

// metrics returns a function that records each chunk that was applied, nil if there are no
// metrics.
func (s *sharedInformer) metrics() func(queued int, took time.Duration) {
	id := s.options.Identifier
	provider := metricsFor(id, s.options.InformerMetricsProvider)
	if provider == nil {
		return nil
	}
	depth := provider.NewQueuedItemMetric(id)
	latency := provider.NewProcessingLatencyMetric(id)
	version := provider.NewStoreResourceVersionMetric(id)
	return func(queued int, took time.Duration) {
		depth.Set(float64(queued))
		latency.Observe(took.Seconds())
		if rv, err := strconv.ParseUint(s.applier.progress.oldest(), 10, 64); err == nil {
			version.Set(float64(rv))
		}
	}
}

// SetWatchErrorHandler implements [SharedInformer].
func (s *sharedInformer) SetWatchErrorHandler(handler WatchErrorHandler) error {
	return s.SetWatchErrorHandlerWithContext(func(_ context.Context, r *Reflector, err error) {
		handler(r, err)
	})
}

// SetWatchErrorHandlerWithContext implements [SharedInformer].
func (s *sharedInformer) SetWatchErrorHandlerWithContext(handler WatchErrorHandlerWithContext) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if refused := s.refusal(); refused != nil {
		return refused
	}
	if s.started {
		return errStarted
	}
	s.watchErrorHandler = handler
	return nil
}

// SetTransform implements [SharedInformer].
func (s *sharedInformer) SetTransform(handler TransformFunc) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if refused := s.refusal(); refused != nil {
		return refused
	}
	if s.started {
		return errStarted
	}
	s.refuse(handler.keeper().check(s.example))
	s.transform = handler.prepared(newNamer(MetaNamespaceKeyFunc))
	return s.refusal()
}

// transformOf returns the transform of a source. The informer has started, or s.mu is held.
func (s *sharedInformer) transformOf(source int) transform {
	if own := s.transforms[source]; own.apply != nil {
		return own
	}
	return s.transform
}

// Run implements [SharedInformer].
func (s *sharedInformer) Run(stopCh <-chan struct{}) {
	s.RunWithContext(wait.ContextForChannel(stopCh))
}

// RunWithContext implements [SharedInformer].
func (s *sharedInformer) RunWithContext(ctx context.Context) {
	defer utilruntime.HandleCrashWithContext(ctx)
	if refused := s.refusal(); refused != nil {
		utilruntime.HandleErrorWithContext(ctx, refused, "Informer was not started")
		return
	}
	logger := s.logger(klog.FromContext(ctx))
	reflectors, ok := s.start(logger)
	if !ok {
		logger.Info("Warning: informer has already started and runs only once", "type", s.description)
		return
	}

	// Later parts of the flow stop later, so that only the reflectors see the end of ctx.
	ctx = klog.NewContext(ctx, logger)
	later := context.WithoutCancel(ctx)
	stopDetecting := inBackground(later, s.detect)
	stopHandling := inBackground(later, s.processor.run)
	var listing, applying sync.WaitGroup
	applying.Go(func() { s.applier.run(later) })
	for _, r := range reflectors {
		listing.Go(func() { r.RunWithContext(ctx) })
	}
	if s.shards != nil {
		listing.Go(func() { s.followShards(ctx, reflectors) })
	}

	listing.Wait()
	s.queue.Close(!s.options.DrainOnStop)
	applying.Wait()
	s.markStopped(errors.Is(context.Cause(ctx), ErrReleased))
	stopHandling()
	stopDetecting()
}

// inBackground runs a function until stop is called, which waits for it.
func inBackground(ctx context.Context, run func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		run(ctx)
	}()
	return func() {
		cancel(errStopped)
		<-done
	}
}

// detect runs the mutation detector, if there is one.
func (s *sharedInformer) detect(ctx context.Context) {
	if s.detector != nil {
		s.detector.Run(ctx.Done())
	}
}

func (s *sharedInformer) logger(otherwise klog.Logger) klog.Logger {
	if s.options.logger != nil {
		return *s.options.logger
	}
	return otherwise
}

// start creates the reflectors. It returns false if that was done before.
func (s *sharedInformer) start(logger klog.Logger) (reflectors []*Reflector, ok bool) {
	s.applier.locked(func() {
		if reflectors, ok = s.makeReflectors(logger); ok {
			// The store may have been filled by hand.
			s.processor.addInitial(s.store.AppendHeld(nil))
		}
	})
	return reflectors, ok
}

// makeReflectors is start with the applier's lock held.
func (s *sharedInformer) makeReflectors(logger klog.Logger) ([]*Reflector, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started {
		return nil, false
	}
	s.started = true
	for i, source := range s.sources {
		scope := source.scope()
		if len(s.sources) == 1 {
			scope = Source{}.scope() // of all: what its lists lack is gone, in whichever namespace
		}
		store := s.queue.Source(i, scope)
		r := NewReflectorWithOptions(source.ListerWatcher, s.example, store, ReflectorOptions{
			Logger:           &logger,
			Name:             s.description,
			TypeDescription:  s.description,
			Namespace:        source.Namespace,
			MinWatchTimeout:  s.options.minWatchTimeout,
			ProgressDeadline: s.options.ProgressDeadline,
			Undecodable:      s.options.Undecodable,
			Backoff:          s.options.Backoff,

			AllowStaleFirstList: s.options.AllowStaleFirstList,
		})
		r.WatchListPageSize = s.options.PageSize
		if s.shards != nil {
			r.shards = newReflectorShards(s.shards, store)
		}
		of := s.transformOf(i)
		// Other transforms may change parts of objects.
		r.sharing = of.fields != nil || s.options.Share && (of.apply == nil || of.keepsParts)
		r.sharingTexts = true
		r.withoutManaged, r.fields = of.dropsManaged, of.fields
		r.texts = s.takesTexts(of)
		if s.watchErrorHandler != nil {
			r.watchErrorHandler = s.watchErrorHandler
		}
		s.reflectors = append(s.reflectors, r)
	}
	return s.reflectors, true
}

func (s *sharedInformer) markStopped(released bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if released {
		s.store.Close(ErrReleased)
	}
	s.stopped.send()
	s.forget()
}

// IsStopped implements [SharedInformer].
func (s *sharedInformer) IsStopped() bool { return s.stopped.happened() }

// HasSynced implements [SharedInformer].
func (s *sharedInformer) HasSynced() bool { return s.applier.synced.happened() }

// HasSyncedChecker implements [SharedInformer].
func (s *sharedInformer) HasSyncedChecker() DoneChecker { return informerSynced{s} }

// informerSynced is done when the informer has synced.
type informerSynced struct{ *sharedInformer }

func (i informerSynced) Name() string          { return "SharedIndexInformer " + i.description }
func (i informerSynced) Done() <-chan struct{} { return i.applier.synced.done() }

func (i informerSynced) unsyncedCause() error {
	if i.applier.synced.happened() {
		return nil
	}
	return i.state().Unsynced()
}

// LastSyncResourceVersion implements [SharedInformer].
func (s *sharedInformer) LastSyncResourceVersion() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var versions []string
	for _, r := range s.reflectors {
		versions = append(versions, r.LastSyncResourceVersion())
	}
	return oldestVersion(versions)
}

// GetStore implements [SharedInformer].
func (s *sharedInformer) GetStore() Store { return s.store }

// GetIndexer implements [SharedIndexInformer].
func (s *sharedInformer) GetIndexer() Indexer { return s.store }

// AddIndexers implements [SharedIndexInformer].
func (s *sharedInformer) AddIndexers(indexers Indexers) error {
	if refused := s.refusal(); refused != nil {
		return refused
	}
	if s.IsStopped() {
		return errors.New("indexer was not added because it has stopped already")
	}
	return s.store.AddIndexers(indexers)
}

// AddEventHandler implements [SharedInformer].
func (s *sharedInformer) AddEventHandler(handler ResourceEventHandler) (ResourceEventHandlerRegistration, error) {
	return s.AddEventHandlerWithOptions(handler, HandlerOptions{})
}

// AddEventHandlerWithResyncPeriod implements [SharedInformer].
func (s *sharedInformer) AddEventHandlerWithResyncPeriod(handler ResourceEventHandler, resyncPeriod time.Duration) (ResourceEventHandlerRegistration, error) {
	return s.AddEventHandlerWithOptions(handler, HandlerOptions{ResyncPeriod: &resyncPeriod})
}

// AddEventHandlerWithOptions implements [SharedInformer].
func (s *sharedInformer) AddEventHandlerWithOptions(handler ResourceEventHandler, options HandlerOptions) (ResourceEventHandlerRegistration, error) {
	if refused := s.refusal(); refused != nil {
		return nil, refused
	}
	period := s.options.ResyncPeriod
	if options.ResyncPeriod != nil {
		period = *options.ResyncPeriod
	}
	var r *registration
	s.applier.locked(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.IsStopped() {
			return
		}
		var known []any
		if s.started {
			known = s.store.AppendHeld(nil)
		}
		r = s.processor.add(handler, options, period, known)
	})
	if r == nil {
		return nil, fmt.Errorf("handler %T was not added to shared informer because it has stopped already", handler)
	}
	return r, nil
}

// RemoveEventHandler implements [SharedInformer].
func (s *sharedInformer) RemoveEventHandler(handle ResourceEventHandlerRegistration) error {
	_, err := s.processor.remove(handle)
	return err
}

// GetController implements [SharedInformer].
func (s *sharedInformer) GetController() Controller { return informerController{s} }
