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
	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/features"
	"github.com/listwatch/listwatch/runtime/internal/callsite"
)

// Reflector keeps a store up to date with what a [ListerWatcher] lists and watches.
//
// It works in rounds of two steps. First it gets all objects: by a watch that begins with
// them (WatchList) where server and client support that, else by a list; the first time as
// of now, or later ([ReflectorOptions.AllowStaleFirstList]). When they are
// complete, they replace what the store holds, at once. Then it watches changes from
// there, and passes them on in the order in which they come. When a watch ends, the next
// one starts from where it ended, so that nothing is missed. What can go wrong, and what
// is done about it:
//
//   - The server says that the resource version is expired (410): all objects are
//     listed again, at least as new as those before; if that fails for the same reason, or
//     the resource version is too large for the server, the newest are.
//   - An event or a bookmark of a watch is older than what was seen ([ErrRewound]), since the
//     server was restored from a backup, for instance: the newest objects are listed, and
//     replace those of later versions. Resource versions that are not numbers are not compared,
//     nor those of fakes: apimachinery's fake watchers, and watches with a method
//     HasMadeUpVersions that returns true.
//   - 429, or the connection to the server is refused: the same request again.
//   - An internal error of the server ends a watch: the watch again, for
//     [Reflector.MaxInternalErrorRetryDuration], then all objects again.
//   - A watch is silent for too long ([ReflectorOptions.ProgressDeadline]), or cut off:
//     the watch again.
//   - A WatchList is refused, or is not complete in time
//     ([ReflectorOptions.WatchListDeadline]): a list instead. One that was refused is
//     not tried again.
//   - A watch ends within a second without an event ([VeryShortWatchError]), has an
//     event that makes no sense, or fails in another way: all objects again.
//   - A list fails: the list again. What the store holds stays.
//   - The lister, the watcher, the store or a transform panics: the process ends, after the
//     panic handlers of apimachinery's util/runtime were called. Where its ReallyCrash is
//     off, all objects again.
//
// Before anything is tried again after a failure there is a wait
// ([ReflectorOptions.Backoff]), which is longer where the server says so (Retry-After, up to 5
// minutes).
//
// The exported fields must not be changed after the reflector was started. It can be
// run again after it was stopped, but not twice at a time; other methods are safe for
// concurrent use.
type Reflector struct {
	// WatchListPageSize is how many objects each request of a list asks for. If 0,
	// lists that the server can answer from memory are asked for as a whole, and
	// others in pages of 500.
	WatchListPageSize int64
	// ShouldResync says whether the store is to resync now; nil is always. It is
	// asked each [ReflectorOptions.ResyncPeriod].
	ShouldResync func() bool
	// MaxInternalErrorRetryDuration is for how long watches that the server ends by
	// internal errors are begun again before all objects are listed.
	MaxInternalErrorRetryDuration time.Duration

	name            string
	typeDescription string
	expectedType    reflect.Type             // nil for any
	expectedGVK     *schema.GroupVersionKind // of an Unstructured, nil for any
	logger          *klog.Logger             // nil for the context's
	clock           clock.Clock

	listerWatcher     ListerWatcherWithContext
	streamer          ListStreamer // listerWatcher, if it can
	store             ReflectorStore
	bookmark          func(string) error     // of store, nil if it wants none
	versions          ResourceVersionUpdater // store, if it wants them
	watchErrorHandler WatchErrorHandlerWithContext

	minWatchTimeout   time.Duration
	progressDeadline  time.Duration
	watchListDeadline time.Duration
	resyncPeriod      time.Duration
	undecodable       UndecodablePolicy
	staleFirstList    bool
	backoff           backoff
	internalErrors    window

	// What follows belongs to the goroutine that runs the reflector.
	useWatchList bool
	paginated    bool // lists from memory came in pages: there is no memory to ask
	unavailable  bool // the last resource version is not one that the server can list at
	listed       int  // objects in the last list
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
// which does nothing until it is run. What is watched must be of the type of
// expectedType, and if that is an Unstructured with apiVersion and kind, of these; nil
// is any.
//
// lw may also be a [ListerWatcherWithContext] and a [ListStreamer], and say by a method
// IsWatchListSemanticsUnSupported that it does not know watches that begin with all
// objects. store may also be a [ReflectorBookmarkStore], a [ResourceVersionUpdater], and
// a [TransformingStore].
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
		staleFirstList:    options.AllowStaleFirstList,
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

// describeType returns the type description for objects like expected: group, version
// and kind if it says them, else the Go type.
func describeType(expected any) string {
	if expected == nil {
		return "<unspecified>"
	}
	if obj, ok := expected.(runtime.Object); ok && !isNilPointer(expected) {
		if gvk := obj.GetObjectKind().GroupVersionKind(); !gvk.Empty() {
			return gvk.String()
		}
	}
	return reflect.TypeOf(expected).String()
}

// isNilPointer says whether v is a pointer to nothing, which says no more than its type.
func isNilPointer(v any) bool { return delta.IsPointer(v) && reflect.ValueOf(v).IsNil() }

// expectedGVK returns what an Unstructured says that it is, else nil.
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

// TypeDescription says what the objects are.
func (r *Reflector) TypeDescription() string { return r.typeDescription }

// LastSyncResourceVersion returns the resource version up to which the store was told of
// everything, empty before the first list.
func (r *Reflector) LastSyncResourceVersion() string { return r.record.version() }

// state returns what the reflector is doing.
func (r *Reflector) state() SourceState { return r.record.state() }

// Run is [Reflector.RunWithContext] with a channel that is closed to end it.
func (r *Reflector) Run(stopCh <-chan struct{}) { r.RunWithContext(wait.ContextForChannel(stopCh)) }

// RunWithContext lists and watches until the context ends. It returns then without
// waiting for requests that ignore the context.
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

// ListAndWatch is [Reflector.ListAndWatchWithContext] with a channel that is closed to
// end it.
func (r *Reflector) ListAndWatch(stopCh <-chan struct{}) error {
	return r.ListAndWatchWithContext(wait.ContextForChannel(stopCh))
}

// ListAndWatchWithContext gets all objects, and watches changes until it would have to
// get all again, or the context ends. The error says why it could not list, or not begin
// a watch; that a watch failed later is none, nor is what is just asked for again: the
// watch error handler is told of that.
func (r *Reflector) ListAndWatchWithContext(ctx context.Context) error {
	ctx, end := r.begin(ctx)
	defer end()
	if err := r.round(ctx); ctx.Err() == nil {
		return err
	}
	return nil
}

// begin prepares for running. The function that it returns ends that.
func (r *Reflector) begin(ctx context.Context) (context.Context, func()) {
	logger := klog.FromContext(ctx)
	if r.logger != nil {
		logger = *r.logger
	}
	ctx = klog.NewContext(ctx, klog.LoggerWithValues(logger, "reflector", r.name, "type", r.typeDescription))
	ctx = leaveRetryAfter(ctx)
	if r.undecodable == QuarantineUndecodable {
		ctx = codec.Tolerate(ctx)
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
		r.metrics.release(r.name)
		r.record.stop(r.clock.Now())
	}
}

// roundUntilPanic is round, but a panic, of a function of the user's for instance, is told
// to the panic handlers. Where that does not crash the process, it is a failure.
func (r *Reflector) roundUntilPanic(ctx context.Context) (err error) {
	defer utilruntime.HandleCrashWithContext(ctx, func(_ context.Context, cause any) {
		err = r.fail(fmt.Errorf("panic: %v", cause))
	})
	return r.round(ctx)
}

// round gets all objects and watches until that must be done again. The error says what
// the watch error handler is to be told.
func (r *Reflector) round(ctx context.Context) error {
	w, err := r.fill(ctx)
	if err != nil || ctx.Err() != nil {
		return err
	}
	return r.follow(ctx, w)
}

// fill gets all objects into the store. If that was done by a watch, it is returned, and
// goes on with the changes.
func (r *Reflector) fill(ctx context.Context) (*openWatch, error) {
	for r.useWatchList {
		w, err := r.watchList(ctx)
		switch {
		case err == nil:
			return w, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case isRetriable(err):
			err = r.fail(fmt.Errorf("failed to watch %v: %w", r.typeDescription, err))
			r.watchErrorHandler(ctx, r, err)
			if !r.pause(ctx, err, "list") {
				return nil, ctx.Err()
			}
			continue
		}
		klog.FromContext(ctx).V(2).Info("Listing since the watch list failed", "err", err)
		r.record.note(err, r.clock.Now())
		r.useWatchList = !isRefused(err)
		return nil, r.list(ctx, "listing, since the watch list failed: "+err.Error())
	}
	return nil, r.list(ctx, "listing")
}

// fail records a failure, and returns it.
func (r *Reflector) fail(err error) error {
	r.record.fail(err, r.clock.Now())
	return err
}

// pause waits before what is to be done next, a "list" or a "watch", as long as is right
// after a failure. It returns false if ctx ends before.
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
		case <-r.resyncDue():
			if err := r.resyncNow(ctx); err != nil {
				r.reject(ctx, err, "Store cannot resync", nil)
			}
		}
	}
}

// resyncDue returns the channel that tells when to resync, nil if never.
func (r *Reflector) resyncDue() <-chan time.Time {
	if r.resync == nil {
		return nil
	}
	return r.resync.C()
}

// resyncNow has the store resync, if that is agreed to, and sets when to do so next.
func (r *Reflector) resyncNow(ctx context.Context) error {
	defer r.resync.Reset(r.resyncPeriod)
	if r.ShouldResync != nil && !r.ShouldResync() {
		return nil
	}
	klog.FromContext(ctx).V(4).Info("Forcing resync")
	return r.store.Resync()
}
