package cache

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/shards"
	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/compat"
	"github.com/listwatch/listwatch/runtime/features"
	"github.com/listwatch/listwatch/runtime/internal/callsite"
)

// Reflector keeps a store up to date with what a [ListerWatcher] lists and watches.
//
// It works in list-and-watch cycles. First it gets all objects: by WatchList, a watch that
// starts with them, if server and client support that, otherwise by a list; the first time as
// of now or later ([ReflectorOptions.AllowStaleFirstList]). When they are complete, they
// replace the store's objects at once. Then it watches changes from there, and passes them on
// in order of arrival. When a watch ends, the next one starts where it ended, so that nothing
// is missed. Failures are handled as follows:
//
//   - The server reports that the resource version is expired (410): relist, at least as new
//     as before; if that fails for the same reason, or the resource version is too large for
//     the server, relist the newest state.
//   - An event or a bookmark of a watch is older than what was received before ([ErrRewound]),
//     for instance because the server was restored from a backup: relist the newest state,
//     which replaces objects of later versions. Resource versions that are not numbers are not
//     compared, nor those of fakes: apimachinery's fake watchers, and watches with a method
//     HasMadeUpVersions that returns true.
//   - 429, or the connection is refused: repeat the request.
//   - An internal error of the server ends a watch: restart the watch, for
//     [Reflector.MaxInternalErrorRetryDuration], then relist.
//   - A watch is silent for too long ([ReflectorOptions.ProgressDeadline]), or cut off:
//     restart the watch.
//   - A WatchList is refused, or not complete in time ([ReflectorOptions.WatchListDeadline]):
//     list instead. One that was refused is not tried again.
//   - A watch ends within a second without an event ([VeryShortWatchError]), has an invalid
//     event, or fails in another way: relist.
//   - A list fails: repeat the list. The store does not change.
//   - The lister, the watcher, the store or a transform panics: the process ends, after the
//     panic handlers of apimachinery's util/runtime were called. If its ReallyCrash is off,
//     relist.
//
// If [compat.IsClientGo], the first list may be stale, events with older versions are passed on, and invalid events
// are skipped.
//
// Before each retry after a failure the reflector waits ([ReflectorOptions.Backoff]), longer if
// the server requests that (Retry-After, up to 5 minutes).
//
// Do not change the exported fields after the reflector was started. It can be run again after
// it was stopped, but not twice at the same time; other methods are safe for concurrent use.
type Reflector struct {
	// WatchListPageSize is the number of objects requested in one list request. If 0, lists
	// that the server can return from memory are requested as a whole, others in pages of
	// 500.
	WatchListPageSize int64
	// ShouldResync reports whether to resync the store now; nil means always. It is called
	// every [ReflectorOptions.ResyncPeriod].
	ShouldResync func() bool
	// MaxInternalErrorRetryDuration is how long watches that the server ends with internal
	// errors are restarted before a relist.
	MaxInternalErrorRetryDuration time.Duration

	name            string
	typeDescription string
	expectedType    reflect.Type             // nil for any
	expectedGVK     *schema.GroupVersionKind // of an Unstructured, nil for any
	logger          *klog.Logger             // if nil, the context's is used
	clock           clock.Clock

	listerWatcher     ListerWatcherWithContext
	streamer          ListStreamer // listerWatcher, if it can
	store             ReflectorStore
	bookmark          func(string) error     // of store, nil if it does not accept bookmarks
	versions          ResourceVersionUpdater // store, if it accepts them
	watchErrorHandler WatchErrorHandlerWithContext

	minWatchTimeout   time.Duration
	progressDeadline  time.Duration
	watchListDeadline time.Duration
	resyncPeriod      time.Duration
	undecodable       UndecodablePolicy
	sharing           bool          // equal parts of objects are one in memory, since nobody changes objects
	sharingTexts      bool          // equal strings, and texts of FieldsV1, are
	withoutManaged    bool          // managedFields are not needed
	fields            *codec.Fields // those that are needed; nil are all
	texts             bool          // the store takes texts in place of objects: see [codec.WithTexts]
	staleFirstList    bool
	backoff           backoff
	internalErrors    window
	shards            *reflectorShards // nil if it has all objects

	// The fields below are only used by the goroutine that runs the reflector.
	useWatchList bool
	paginated    bool             // lists from memory came in pages: the server has none
	unavailable  bool             // the last resource version is not one that the server can list at
	listed       int              // objects in the last list
	selection    *shards.Selector // what is listed or watched; nil is all
	resync       clock.Timer
	metrics      *reflectorMetrics

	record sourceRecord
}

// NewReflector returns a reflector that is named after the line that called it; see
// [NewReflectorWithOptions].
func NewReflector(lw ListerWatcher, expectedType any, store ReflectorStore, resyncPeriod time.Duration) *Reflector {
	return NewReflectorWithOptions(lw, expectedType, store, ReflectorOptions{ResyncPeriod: resyncPeriod})
}

// NewNamedReflector returns a reflector with a name; see [NewReflectorWithOptions].
func NewNamedReflector(name string, lw ListerWatcher, expectedType any, store ReflectorStore, resyncPeriod time.Duration) *Reflector {
	return NewReflectorWithOptions(lw, expectedType, store, ReflectorOptions{Name: name, ResyncPeriod: resyncPeriod})
}

// NewNamespaceKeyedIndexerAndReflector returns an indexer with an index by namespace,
// and a reflector into it.
func NewNamespaceKeyedIndexerAndReflector(lw ListerWatcher, expectedType any, resyncPeriod time.Duration) (Indexer, *Reflector) {
	indexer := NewIndexer(MetaNamespaceKeyFunc, Indexers{NamespaceIndex: MetaNamespaceIndexFunc})
	return indexer, NewReflector(lw, expectedType, indexer, resyncPeriod)
}

// NewReflectorWithOptions returns a reflector of what lw lists and watches into store,
// which does nothing until it is run. Watched objects must be of the type of expectedType, and
// if that is an Unstructured with apiVersion and kind, of these; nil allows any type.
//
// lw may also be a [ListerWatcherWithContext] and a [ListStreamer], and report by a method
// IsWatchListSemanticsUnSupported that it does not support WatchList. store may also be a
// [ReflectorBookmarkStore], a [ResourceVersionUpdater], and a [TransformingStore].
func NewReflectorWithOptions(lw ListerWatcher, expectedType any, store ReflectorStore, options ReflectorOptions) *Reflector {
	r := &Reflector{
		name:              options.Name,
		typeDescription:   options.TypeDescription,
		expectedType:      reflect.TypeOf(expectedType),
		expectedGVK:       expectedGVK(expectedType),
		clock:             options.Clock,
		listerWatcher:     ToListerWatcherWithContext(lw),
		store:             store,
		watchErrorHandler: DefaultWatchErrorHandler,
		minWatchTimeout:   max(options.MinWatchTimeout, minWatchTimeout),
		progressDeadline:  options.ProgressDeadline,
		watchListDeadline: cmp.Or(options.WatchListDeadline, defaultWatchListDeadline),
		resyncPeriod:      options.ResyncPeriod,
		undecodable:       options.Undecodable,
		staleFirstList:    options.AllowStaleFirstList || compat.IsClientGo(),
		useWatchList:      features.FeatureGates().Enabled(features.WatchListClient) && !refusesWatchList(lw),
		record:            newSourceRecord(options.Namespace),
	}
	r.streamer, _ = lw.(ListStreamer)
	switch store := store.(type) {
	case ReflectorBookmarkStore:
		r.bookmark = store.Bookmark
	case interface{ Bookmark(string) }: // a Store
		r.bookmark = func(rv string) error { store.Bookmark(rv); return nil }
	}
	r.versions, _ = store.(ResourceVersionUpdater)
	if r.clock == nil {
		r.clock = clock.RealClock{}
	}
	r.backoff = newBackoff(options.Backoff, r.clock)
	if r.typeDescription == "" {
		r.typeDescription = describeType(expectedType)
	}
	if r.name == "" {
		r.name = callsite.Innermost(r.typeDescription)
	}
	if options.Logger != nil {
		logger := klog.LoggerWithName(*options.Logger, r.name)
		r.logger = &logger
	}
	return r
}

// describeType returns the type description for objects like expected: group, version and kind
// if they are set, otherwise the Go type.
func describeType(expected any) string {
	if expected == nil {
		return "<unspecified>"
	}
	if obj, ok := expected.(runtime.Object); ok && !isNilPointer(expected) {
		_, untyped := expected.(*unstructured.Unstructured)
		if gvk := obj.GetObjectKind().GroupVersionKind(); !gvk.Empty() && (untyped || !compat.IsClientGo()) {
			return gvk.String()
		}
	}
	return reflect.TypeOf(expected).String()
}

// isNilPointer reports whether v is a nil pointer, which describes no more than its type.
func isNilPointer(v any) bool { return delta.IsPointer(v) && reflect.ValueOf(v).IsNil() }

// expectedGVK returns the kind that an Unstructured has set, nil for other objects.
func expectedGVK(expected any) *schema.GroupVersionKind {
	u, ok := expected.(*unstructured.Unstructured)
	if !ok || u == nil {
		return nil
	}
	gvk := u.GroupVersionKind()
	if gvk.Empty() {
		return nil
	}
	return &gvk
}

// Name returns the reflector's name.
func (r *Reflector) Name() string { return r.name }

// TypeDescription describes the objects.
func (r *Reflector) TypeDescription() string { return r.typeDescription }

// LastSyncResourceVersion returns the resource version up to which the store received
// everything, empty before the first list.
func (r *Reflector) LastSyncResourceVersion() string { return r.record.version() }

// state returns what the reflector is doing.
func (r *Reflector) state() SourceState { return r.record.state() }

// Run is [Reflector.RunWithContext] until a channel is closed.
func (r *Reflector) Run(stopCh <-chan struct{}) { r.RunWithContext(wait.ContextForChannel(stopCh)) }

// RunWithContext lists and watches until the context ends. It does not wait for requests that
// ignore the context.
func (r *Reflector) RunWithContext(ctx context.Context) {
	ctx, end := r.begin(ctx)
	defer end()
	logger := klog.FromContext(ctx)
	logger.V(3).Info("Starting reflector", "resyncPeriod", r.resyncPeriod)
	defer logger.V(3).Info("Stopping reflector")
	for ctx.Err() == nil {
		err := r.roundUntilPanic(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			r.watchErrorHandler(ctx, r, err)
		}
		if !r.pause(ctx, r.record.cause(), "list") {
			return
		}
	}
}

// ListAndWatch is [Reflector.ListAndWatchWithContext] until a channel is closed.
func (r *Reflector) ListAndWatch(stopCh <-chan struct{}) error {
	return r.ListAndWatchWithContext(wait.ContextForChannel(stopCh))
}

// ListAndWatchWithContext gets all objects, and watches changes until a relist is due or the
// context ends. The error is why it could not list or could not start a watch. A watch that
// failed later is not an error, nor is a request that is simply repeated: these are passed to
// the watch error handler.
func (r *Reflector) ListAndWatchWithContext(ctx context.Context) error {
	ctx, end := r.begin(ctx)
	defer end()
	if err := r.round(ctx); ctx.Err() == nil {
		return err
	}
	return nil
}

// begin prepares for running. The function that it returns ends the run.
func (r *Reflector) begin(ctx context.Context) (context.Context, func()) {
	logger := klog.FromContext(ctx)
	if r.logger != nil {
		logger = *r.logger
	}
	ctx = klog.NewContext(ctx, klog.LoggerWithValues(logger, "reflector", r.name, "type", r.typeDescription))
	ctx = withoutRetryAfter(ctx)
	if r.undecodable == QuarantineUndecodable {
		ctx = codec.WithUndecodable(ctx)
	}
	switch {
	case r.sharing:
		ctx = codec.WithSharing(ctx)
	case r.sharingTexts:
		ctx = codec.WithSharedTexts(ctx)
	}
	if r.withoutManaged {
		ctx = codec.WithoutManagedFields(ctx)
	}
	if r.fields != nil {
		ctx = codec.WithFields(ctx, r.fields)
	}
	if r.texts && passesTexts(r.listerWatcher) {
		ctx = codec.WithTexts(ctx)
	}
	r.metrics = acquireReflectorMetrics(r.name)
	if r.resyncPeriod > 0 {
		r.resync = r.clock.NewTimer(r.resyncPeriod)
	}
	r.record.start(r.clock.Now())
	return ctx, func() {
		if r.resync != nil {
			r.resync.Stop()
		}
		if r.shards != nil {
			r.stopGaining()
			r.shards.listing.Wait()
		}
		r.metrics.release(r.name)
		r.record.stop(r.clock.Now())
	}
}

// roundUntilPanic is round, except that a panic, for instance of a user's function, is passed
// to the panic handlers. If that does not crash the process, it counts as a failure.
func (r *Reflector) roundUntilPanic(ctx context.Context) (err error) {
	defer utilruntime.HandleCrashWithContext(ctx, func(_ context.Context, cause any) {
		err = r.fail(fmt.Errorf("panic: %v", cause))
	})
	return r.round(ctx)
}

// round does one list-and-watch cycle. The error is for the watch error handler.
func (r *Reflector) round(ctx context.Context) error {
	if r.shards != nil {
		return r.shardedRound(ctx)
	}
	w, err := r.fill(ctx)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		if w != nil {
			w.Stop()
		}
		return nil
	}
	return r.follow(ctx, w)
}

// fill gets all objects into the store. If a watch brought them, it is returned, and continues
// with the changes.
func (r *Reflector) fill(ctx context.Context) (*openWatch, error) {
	for r.useWatchList {
		w, err := r.watchList(ctx)
		switch {
		case err == nil:
			return w, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case isRetriable(err):
			r.failToWatch(err)
			if !compat.IsClientGo() {
				r.watchErrorHandler(ctx, r, err)
			}
			if !r.pause(ctx, err, "list") {
				return nil, ctx.Err()
			}
			continue
		}
		klog.FromContext(ctx).V(2).Info("WatchList failed, listing instead", "err", err)
		r.record.note(err, r.clock.Now())
		r.useWatchList = !isRefused(err)
		return nil, r.list(ctx, "listing after WatchList failed: "+err.Error())
	}
	return nil, r.list(ctx, "listing")
}

// fail records a failure, and returns it.
func (r *Reflector) fail(err error) error {
	r.record.fail(err, r.clock.Now())
	return err
}

// pause waits after a failure, before the next step, a "list" or a "watch". It returns false if
// ctx ends before. It waits no longer if shards have changed.
func (r *Reflector) pause(ctx context.Context, cause error, next string) bool {
	delay := r.backoff.delay(cause)
	r.record.doing(fmt.Sprintf("waiting %v to %s again", roundDuration(delay), next))
	timer := r.clock.NewTimer(delay)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-timer.C():
			return true
		case <-r.resharded():
			return true
		case <-r.resyncDue():
			if err := r.resyncNow(ctx); err != nil {
				r.reject(ctx, err, "Store cannot resync", nil)
			}
		}
	}
}

// resyncDue returns a channel that receives when to resync, nil if never.
func (r *Reflector) resyncDue() <-chan time.Time {
	if r.resync == nil {
		return nil
	}
	return r.resync.C()
}

// resyncNow resyncs the store, unless ShouldResync objects, and sets the time of the next one.
func (r *Reflector) resyncNow(ctx context.Context) error {
	defer r.resync.Reset(r.resyncPeriod)
	if r.ShouldResync != nil && !r.ShouldResync() {
		return nil
	}
	klog.FromContext(ctx).V(4).Info("Forcing resync")
	return r.store.Resync()
}
