package cache_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/cache/internal/shards"
)

// The model of informers that follow shards: slots are gained and lost at any moment beside writes, failures and old
// lists. At the end each informer has exactly the objects of its slots, handlers have got each of them once, and
// whenever a loss was acknowledged, the store had none of its objects.

// modelSlots is the number of slots: few, so that many changes concern each.
const modelSlots = 8

// ring is a [cache.Shards] whose slots a test changes.
type ring struct {
	key string // of selectors

	mu      sync.Mutex // guards the fields below
	since   [modelSlots]int
	moves   int
	changed chan struct{}
	left    func(lost []int) // is called when followers have acknowledged a loss
}

// set makes the ring own slots. Those in anew were another's for a moment.
func (r *ring) set(slots, anew []int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for slot := range modelSlots {
		switch {
		case !slices.Contains(slots, slot):
			r.since[slot] = 0
		case r.since[slot] == 0 || slices.Contains(anew, slot):
			r.moves++
			r.since[slot] = r.moves
		}
	}
	close(r.changed)
	r.changed = make(chan struct{})
}

func (r *ring) Follow(ctx context.Context) iter.Seq[cache.ShardChange] {
	return func(yield func(cache.ShardChange) bool) {
		var told [modelSlots]int
		for first := true; ctx.Err() == nil; {
			var change cache.ShardChange
			r.mu.Lock()
			for slot, since := range r.since {
				if told[slot] != 0 && told[slot] != since {
					change.Lost = append(change.Lost, slot)
				}
				if since != 0 && told[slot] != since {
					change.Gained = append(change.Gained, slot)
				}
			}
			told = r.since
			changed := r.changed
			r.mu.Unlock()
			if first || len(change.Lost)+len(change.Gained) > 0 {
				first = false
				if !yield(change) {
					return
				}
				if lost := without(change.Lost, change.Gained); len(lost) > 0 && ctx.Err() == nil {
					r.left(lost)
				}
				continue
			}
			select {
			case <-changed:
			case <-ctx.Done():
			}
		}
	}
}

func (r *ring) Selector(slots []int) string {
	if len(slots) == modelSlots {
		return ""
	}
	var ranges []string
	for _, slot := range slots {
		end := fmt.Sprintf("0x%016x", uint64(slot+1)<<61)
		if slot+1 == modelSlots {
			end = "0x10000000000000000"
		}
		ranges = append(ranges, fmt.Sprintf("shardRange(%s, '0x%016x', '%s')", r.key, uint64(slot)<<61, end))
	}
	return strings.Join(ranges, " || ")
}

func (r *ring) owns(m metav1.Object) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.since[r.slot(m)] != 0
}

func (r *ring) slot(m metav1.Object) int {
	hash := fnv.New64a()
	value := string(m.GetUID())
	if strings.HasSuffix(r.key, "namespace") {
		value = m.GetNamespace()
	}
	_, _ = hash.Write([]byte(value)) // never fails
	return int(hash.Sum64() >> 61)
}

func without(slots, others []int) []int {
	return slices.DeleteFunc(slices.Clone(slots), func(slot int) bool { return slices.Contains(others, slot) })
}

// shardServer is a server of objects. Its caches may be behind, and its answers late.
type shardServer struct {
	random  *rand.Rand // guarded by mu
	sharded bool       // it applies selectors

	mu      sync.Mutex // guards the fields below
	history []watch.Event
	oldest  int           // resource version before the first event that it has
	changed chan struct{} // closed when history grows
	calm    bool          // nothing fails
	cut     chan struct{} // closed to end all watches
}

func (s *shardServer) version() int { return len(s.history) }

// write appends an event. s.mu is held.
func (s *shardServer) write(typ watch.EventType, o *metav1.PartialObjectMetadata) {
	o = o.DeepCopy()
	o.ResourceVersion = strconv.Itoa(s.version() + 1)
	s.history = append(s.history, watch.Event{Type: typ, Object: o})
	close(s.changed)
	s.changed = make(chan struct{})
}

// at returns the objects as of a version. s.mu is held.
func (s *shardServer) at(version int) map[cache.ObjectName]*metav1.PartialObjectMetadata {
	all := map[cache.ObjectName]*metav1.PartialObjectMetadata{}
	for _, e := range s.history[:version] {
		o := e.Object.(*metav1.PartialObjectMetadata)
		if name := cache.MetaObjectToName(o); e.Type == watch.Deleted {
			delete(all, name)
		} else {
			all[name] = o
		}
	}
	return all
}

// has reports whether an object exists.
func (s *shardServer) has(uid types.UID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.at(s.version()) {
		if o.UID == uid {
			return true
		}
	}
	return false
}

// delay waits for a while, and returns an error from time to time.
func (s *shardServer) delay(ctx context.Context) error {
	s.mu.Lock()
	wait, n := time.Duration(s.random.IntN(3000))*time.Millisecond, s.random.IntN(20)
	if s.random.IntN(4) == 0 {
		wait *= 10
	}
	if s.calm {
		wait, n = time.Millisecond, 20
	}
	s.mu.Unlock()
	select {
	case <-time.After(wait):
	case <-ctx.Done():
		return ctx.Err()
	}
	switch n {
	case 0:
		return apierrors.NewTooManyRequests("busy", 1)
	case 1:
		return apierrors.NewInternalError(fmt.Errorf("broken"))
	case 2:
		return apierrors.NewResourceExpired("expired")
	}
	return nil
}

// client lists and watches a namespace.
type shardClient struct {
	*shardServer
	namespace string
	watchList bool
}

func (c shardClient) List(options metav1.ListOptions) (runtime.Object, error) {
	return c.ListWithContext(context.Background(), options)
}

func (c shardClient) Watch(options metav1.ListOptions) (watch.Interface, error) {
	return c.WatchWithContext(context.Background(), options)
}

func (c shardClient) IsWatchListSemanticsUnSupported() bool { return !c.watchList }

func (c shardClient) ListWithContext(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	if err := c.delay(ctx); err != nil {
		return nil, err
	}
	c.mu.Lock()
	at := c.read(options.ResourceVersion)
	list := &metav1.PartialObjectMetadataList{ListMeta: metav1.ListMeta{ResourceVersion: strconv.Itoa(at)}}
	for _, o := range c.at(at) {
		if c.sends(shards.SelectionOf(ctx), o) {
			list.Items = append(list.Items, *o.DeepCopy())
		}
	}
	c.mu.Unlock()
	slices.SortFunc(list.Items, func(a, b metav1.PartialObjectMetadata) int { return strings.Compare(a.Name, b.Name) })
	return list, c.delay(ctx)
}

// read returns the version of a list that must not be older than one. c.mu is held.
func (c shardClient) read(version string) int {
	at := c.version()
	if oldest, err := strconv.Atoi(version); err == nil && oldest <= at && !c.calm {
		at -= c.random.IntN(at - oldest + 1)
	}
	return at
}

// sends reports whether the server sends an object.
func (c shardClient) sends(selection *shards.Selector, o *metav1.PartialObjectMetadata) bool {
	return (c.namespace == "" || c.namespace == o.Namespace) && (!c.sharded || selection.Matches(o))
}

func (c shardClient) WatchWithContext(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	if err := c.delay(ctx); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	from, err := strconv.Atoi(options.ResourceVersion)
	initial := options.SendInitialEvents != nil
	if initial {
		from = c.read(options.ResourceVersion)
	} else if err != nil {
		return nil, apierrors.NewBadRequest("invalid resource version")
	}
	if from < c.oldest {
		return nil, apierrors.NewResourceExpired("too old")
	}
	ctx, cancel := context.WithCancel(ctx)
	w := &shardWatch{events: make(chan watch.Event), cancel: cancel}
	go w.run(ctx, c, from, initial, c.cut)
	return w, nil
}

type shardWatch struct {
	events chan watch.Event
	cancel context.CancelFunc
}

func (w *shardWatch) Stop()                          { w.cancel() }
func (w *shardWatch) ResultChan() <-chan watch.Event { return w.events }

func (w *shardWatch) send(ctx context.Context, e watch.Event) {
	select {
	case w.events <- watch.Event{Type: e.Type, Object: e.Object.DeepCopyObject()}:
	case <-ctx.Done():
	}
}

func (w *shardWatch) run(ctx context.Context, c shardClient, from int, initial bool, cut <-chan struct{}) {
	defer close(w.events)
	bookmark := func() *metav1.PartialObjectMetadata {
		return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{ResourceVersion: strconv.Itoa(from)}}
	}
	if initial {
		c.mu.Lock()
		objects := c.at(from)
		c.mu.Unlock()
		for _, o := range objects {
			if c.sends(shards.SelectionOf(ctx), o) {
				w.send(ctx, watch.Event{Type: watch.Added, Object: o})
			}
		}
		end := bookmark()
		end.Annotations = map[string]string{metav1.InitialEventsAnnotationKey: "true"}
		w.send(ctx, watch.Event{Type: watch.Bookmark, Object: end})
	}
	ticker := time.NewTicker(time.Minute)
	defer ticker.Stop()
	for ctx.Err() == nil {
		c.mu.Lock()
		events, changed := slices.Clone(c.history[from:]), c.changed
		c.mu.Unlock()
		for _, e := range events {
			from++
			if c.sends(shards.SelectionOf(ctx), e.Object.(*metav1.PartialObjectMetadata)) {
				w.send(ctx, e)
			}
		}
		select {
		case <-changed:
		case <-ticker.C:
			w.send(ctx, watch.Event{Type: watch.Bookmark, Object: bookmark()})
		case <-cut:
			return
		case <-ctx.Done():
		}
	}
}

// shardHandler checks that its calls fit together.
type shardHandler struct {
	name string
	slow time.Duration // how long a call takes
	on   *shardServer

	mu     sync.Mutex // guards the fields below
	known  map[cache.ObjectName]*metav1.PartialObjectMetadata
	faults []string
	calls  map[string]int
}

func (h *shardHandler) call(what string, obj any, exists bool) {
	time.Sleep(h.slow)
	h.mu.Lock()
	defer h.mu.Unlock()
	if tombstone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = tombstone.Obj
	}
	o := obj.(*metav1.PartialObjectMetadata)
	name := cache.MetaObjectToName(o)
	h.calls[what]++
	if h.known[name] != nil != exists {
		h.faults = append(h.faults, fmt.Sprintf("%s: %s of %s (%s): known is %v", h.name, what, name, o.UID, !exists))
	}
	if what == "delete" && h.on.has(o.UID) {
		h.faults = append(h.faults, fmt.Sprintf("%s: delete of %s (%s), which exists", h.name, name, o.UID))
	}
	if h.known[name] = o; what == "delete" || what == "release" {
		delete(h.known, name)
	}
}

func (h *shardHandler) OnAdd(obj any, _ bool) { h.call("add", obj, false) }
func (h *shardHandler) OnUpdate(_, obj any)   { h.call("update", obj, true) }
func (h *shardHandler) OnDelete(obj any)      { h.call("delete", obj, true) }
func (h *shardHandler) OnReleased(obj any)    { h.call("release", obj, true) }

// TestModelShards runs the model: a sequence for each hundred operations of [TestModel].
func TestModelShards(t *testing.T) {
	seeds := *modelOps / 100
	if testing.Short() {
		seeds /= 10
	}
	if *modelSeed != 0 {
		synctest.Test(t, func(t *testing.T) { runShards(t, *modelSeed) })
		return
	}
	for seed := range seeds {
		synctest.Test(t, func(t *testing.T) { runShards(t, uint64(seed)) })
		if t.Failed() {
			return
		}
	}
}

func runShards(t *testing.T, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 32))
	s := &shardServer{
		random: rand.New(rand.NewPCG(seed, 33)), sharded: random.IntN(2) == 0, changed: make(chan struct{}), cut: make(chan struct{}),
	}
	// A server has a resource version other than 0 from the start.
	s.write(watch.Added, &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "first", UID: "first"}})
	r := &ring{key: "object.metadata.uid", changed: make(chan struct{})}
	if random.IntN(3) == 0 {
		r.key = "object.metadata.namespace"
	}
	watchList := random.IntN(2) == 0
	options := cache.SharedIndexInformerOptions{Shards: r}
	for _, namespace := range []string{"a", "b"} {
		options.Sources = append(options.Sources, cache.Source{Namespace: namespace, ListerWatcher: shardClient{s, namespace, watchList}})
	}
	if random.IntN(2) == 0 {
		options.Sources = []cache.Source{{ListerWatcher: shardClient{s, "", watchList}}}
	}
	informer := cache.NewSharedIndexInformerWithOptions(nil, &metav1.PartialObjectMetadata{}, options)
	r.left = func(lost []int) {
		for _, obj := range informer.GetStore().List() {
			if o := obj.(*metav1.PartialObjectMetadata); slices.Contains(lost, r.slot(o)) {
				t.Errorf("seed %d: %s is in the store after its slot %d was acknowledged to be lost", seed, o.Name, r.slot(o))
			}
		}
	}
	handlers := []*shardHandler{{name: "plain"}, {name: "bounded", slow: time.Second}}
	for i, h := range handlers {
		h.on, h.known, h.calls = s, map[cache.ObjectName]*metav1.PartialObjectMetadata{}, map[string]int{}
		if _, err := informer.AddEventHandlerWithOptions(h, cache.HandlerOptions{Bound: i * 2}); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		informer.RunWithContext(ctx)
	}()
	for op := range 120 {
		s.step(random, r, op)
		time.Sleep(time.Duration(random.IntN(2500)) * time.Millisecond)
	}
	s.mu.Lock()
	s.calm = true
	s.mu.Unlock()
	time.Sleep(10 * time.Minute)
	synctest.Wait()

	s.mu.Lock()
	want := s.at(s.version())
	s.mu.Unlock()
	for name, o := range want {
		if !r.owns(o) {
			delete(want, name)
		}
	}
	stored := map[cache.ObjectName]*metav1.PartialObjectMetadata{}
	for _, obj := range informer.GetStore().List() {
		o := obj.(*metav1.PartialObjectMetadata)
		stored[cache.MetaObjectToName(o)] = o
	}
	compareShards(t, seed, "store", stored, want)
	for _, h := range handlers {
		compareShards(t, seed, h.name, h.known, want)
		for _, fault := range h.faults {
			t.Errorf("seed %d: %s", seed, fault)
		}
	}
	if !informer.HasSynced() {
		t.Errorf("seed %d: the informer has not synced", seed)
	}
	cancel()
	<-stopped
}

// step does something at random.
func (s *shardServer) step(random *rand.Rand, r *ring, op int) {
	switch n := random.IntN(20); {
	case n < 3:
		var slots, anew []int
		for slot := range modelSlots {
			if random.IntN(5) < 2 {
				slots = append(slots, slot)
			}
			if random.IntN(6) == 0 {
				anew = append(anew, slot)
			}
		}
		if random.IntN(6) == 0 {
			slots = []int{0, 1, 2, 3, 4, 5, 6, 7}
		}
		r.set(slots, anew)
	case n == 3:
		s.mu.Lock()
		defer s.mu.Unlock()
		close(s.cut)
		s.cut = make(chan struct{})
	case n == 4:
		s.mu.Lock()
		defer s.mu.Unlock()
		s.oldest = s.version() - random.IntN(5)
	default:
		s.mu.Lock()
		defer s.mu.Unlock()
		name := cache.ObjectName{Namespace: string(rune('a' + random.IntN(2))), Name: strconv.Itoa(random.IntN(12))}
		o := s.at(s.version())[name]
		if o == nil {
			s.write(watch.Added, &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
				Namespace: name.Namespace, Name: name.Name, UID: types.UID(fmt.Sprintf("%s-%d", name.Name, op)),
			}})
			return
		}
		if n < 12 {
			s.write(watch.Modified, o)
			return
		}
		s.write(watch.Deleted, o)
		if n > 15 { // an object with the name is created at once, which may be another slot's
			o = o.DeepCopy()
			o.UID = types.UID(fmt.Sprintf("%s-%d", name.Name, op))
			s.write(watch.Added, o)
		}
	}
}

func compareShards(t *testing.T, seed uint64, what string, got, want map[cache.ObjectName]*metav1.PartialObjectMetadata) {
	t.Helper()
	for name, o := range want {
		switch have := got[name]; {
		case have == nil:
			t.Errorf("seed %d: %s has no %s (%s)", seed, what, name, o.UID)
		case have.UID != o.UID || have.ResourceVersion != o.ResourceVersion:
			t.Errorf("seed %d: %s has %s (%s) at %s, want %s at %s", seed, what, name, have.UID, have.ResourceVersion, o.UID, o.ResourceVersion)
		}
	}
	for name, o := range got {
		if want[name] == nil {
			t.Errorf("seed %d: %s has %s (%s at %s), which it should not", seed, what, name, o.UID, o.ResourceVersion)
		}
	}
}
