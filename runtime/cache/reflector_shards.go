package cache

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/deltaqueue"
	"github.com/listwatch/listwatch/runtime/cache/internal/packing"
	"github.com/listwatch/listwatch/runtime/cache/internal/shards"
	"github.com/listwatch/listwatch/runtime/codec"
)

// errResharded ends a watch because slots were gained or lost, or gained ones were listed.
var errResharded = errors.New("shards have changed")

// reflectorShards is the part of a reflector that follows [Shards].
//
// Slots that are lost leave the store by one delta, in order with the source's others. Slots that are gained are
// listed in the background, while the others are watched on; then there is one watch again, from the older of the two
// resource versions, of whose events those are skipped that one of the two has already.
type reflectorShards struct {
	selector func(slots []int) string
	source   *deltaqueue.Source
	listing  sync.WaitGroup // of gained slots

	mu       sync.Mutex // guards the fields below
	changes  []sourceChange
	gained   []*gaining         // that have ended
	due      chan struct{}      // closed if one of the two is not empty
	stopFill context.CancelFunc // ends the list of all slots, since some are lost; nil if there is none

	// The fields below are only used by the goroutine that runs the reflector.
	begun   bool     // the first change has been made
	synced  bool     // the store was filled once, if only with nothing
	owned   []int    // in ascending order, as all slots here
	stored  []int    // those of owned whose objects are in the store
	gaining *gaining // nil if none are
	floors  []floor
	newest  string // resource version of the newest objects in the store, if the watch is not there yet
	refill  bool   // all slots have to be listed
}

// sourceChange is a change that made is called after, once the store has dropped what was lost.
type sourceChange struct {
	ShardChange
	made func()
}

// gaining is a list of gained slots.
type gaining struct {
	slots  []int
	cancel context.CancelFunc
	list   *listed // when it has ended; nil if it has failed
}

// floor is the resource version that the store has the objects of some slots as of. Older events of them are skipped.
type floor struct {
	slots    []int
	selector *shards.Selector
	version  string
}

func newReflectorShards(of Shards, source *deltaqueue.Source) *reflectorShards {
	return &reflectorShards{selector: of.Selector, source: source, due: make(chan struct{})}
}

// change adds a change that is to be made. made is called from any goroutine.
func (s *reflectorShards) change(c ShardChange, made func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes = append(s.changes, sourceChange{c, made})
	if len(c.Lost) > 0 && s.stopFill != nil {
		s.stopFill()
	}
	s.setDue()
}

// end adds a list of gained slots, which has ended.
func (s *reflectorShards) end(g *gaining) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gained = append(s.gained, g)
	s.setDue()
}

// setDue is called with mu.
func (s *reflectorShards) setDue() {
	if !isClosed(s.due) {
		close(s.due)
	}
}

// take returns what is to be done.
func (s *reflectorShards) take() (changes []sourceChange, gained []*gaining) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changes, gained = s.changes, s.gained
	s.changes, s.gained = nil, nil
	if isClosed(s.due) {
		s.due = make(chan struct{})
	}
	return changes, gained
}

// resharded returns a channel that is closed when shards have to be changed, nil if there are none.
func (r *Reflector) resharded() <-chan struct{} {
	s := r.shards
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.due
}

// untilLoss returns a context that ends when slots are lost, for a list of all slots. ended must be called after it.
func (s *reflectorShards) untilLoss(ctx context.Context) (filling context.Context, ended, cancel context.CancelFunc) {
	filling, cancel = context.WithCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopFill = cancel
	if slices.ContainsFunc(s.changes, func(c sourceChange) bool { return len(c.Lost) > 0 }) {
		cancel()
	}
	return filling, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.stopFill = nil
	}, cancel
}

// shardedRound is round for a reflector that follows shards.
func (r *Reflector) shardedRound(ctx context.Context) error {
	for again := true; again && ctx.Err() == nil; {
		var err error
		if again, err = r.shardedRoundOnce(ctx); err != nil {
			return err
		}
	}
	return nil
}

// shardedRoundOnce lists all slots, and watches them. again is set if they have to be listed anew because of a change
// of slots, not of a failure.
func (r *Reflector) shardedRoundOnce(ctx context.Context) (again bool, err error) {
	s := r.shards
	s.refill = false
	r.stopGaining()
	if err = r.waitForSlots(ctx); err != nil || ctx.Err() != nil {
		return false, err
	}
	if r.selection, err = s.parse(s.owned); err != nil {
		return false, r.fail(err)
	}
	filling, ended, cancel := s.untilLoss(ctx)
	defer cancel()
	w, err := r.fill(filling)
	ended()
	if err == nil {
		s.stored, s.synced, s.floors, s.newest = s.owned, true, nil, ""
		s.source.SetBehind(false)
		r.record.slots(s.stored, nil)
	}
	if filling.Err() != nil {
		if w != nil {
			w.Stop()
		}
		if w = nil; err != nil || ctx.Err() != nil {
			return true, nil
		}
	}
	if err != nil {
		return false, err
	}
	err = r.follow(ctx, w)
	return s.refill, err
}

// waitForSlots makes the changes that are due, and waits until slots are owned, or ctx ends. The store is complete without
// any.
func (r *Reflector) waitForSlots(ctx context.Context) error {
	s := r.shards
	for {
		changes, _ := s.take()
		if err := r.make(changes); err != nil {
			return err
		}
		if len(s.owned) > 0 {
			return nil
		}
		if s.begun && !s.synced {
			s.synced = true
			if err := s.source.Replace(nil, ""); err != nil {
				return r.fail(err)
			}
		}
		r.record.idle(r.clock.Now())
		select {
		case <-r.resharded():
		case <-ctx.Done():
			return nil
		}
	}
}

// make makes changes. The error reports an invalid selector.
func (r *Reflector) make(changes []sourceChange) error {
	s := r.shards
	for _, c := range changes {
		s.begun = true
		lost := slices.DeleteFunc(slices.Clone(c.Lost), func(slot int) bool { return !has(s.stored, slot) })
		s.owned, s.stored = without(s.owned, c.Lost), without(s.stored, c.Lost)
		if g := s.gaining; g != nil && slices.ContainsFunc(c.Lost, func(slot int) bool { return has(g.slots, slot) }) {
			r.stopGaining()
		}
		if err := r.release(lost, c.made); err != nil {
			return r.fail(err)
		}
		s.owned = union(s.owned, c.Gained)
	}
	r.record.slots(s.stored, without(s.owned, s.stored))
	return nil
}

// release drops the objects of slots, and then calls done.
func (r *Reflector) release(slots []int, done func()) error {
	s := r.shards
	if len(slots) == 0 {
		done()
		return nil
	}
	selector, err := s.parse(slots)
	if err != nil {
		return err
	}
	r.record.releaseAll(func(q QuarantinedObject) bool { return selector.Selects(q.uid, q.Name.Namespace) })
	var floors []floor
	for _, f := range s.floors {
		if f.slots = without(f.slots, slots); len(f.slots) == 0 {
			continue
		}
		if f.selector, err = s.parse(f.slots); err != nil {
			return err
		}
		floors = append(floors, f)
	}
	s.floors = floors
	if s.source.Release(func(obj any) bool { return matchesStored(selector, obj) }, done) != nil {
		done() // the informer is stopping
	}
	return nil
}

// matchesStored reports whether a selector selects an object of the store.
func matchesStored(selector *shards.Selector, obj any) bool {
	if selector == nil {
		return true
	}
	if selector.ByNamespace() {
		namespace, ok := delta.NamespaceOf(obj)
		return ok && selector.Selects("", namespace)
	}
	if _, packed := obj.(*packing.Object); packed {
		obj = packing.Copy(obj) // which does not make it one of those that were read last
	}
	m := delta.MetadataOf(obj)
	return m != nil && selector.Matches(m)
}

// reshard does what is due between two watches. It returns false if all slots have to be listed.
func (r *Reflector) reshard(ctx context.Context) bool {
	s := r.shards
	changes, gained := s.take()
	err := r.make(changes)
	s.refill = err != nil || len(s.stored) == 0
	for _, g := range gained {
		if s.refill || g != s.gaining {
			continue
		}
		r.stopGaining()
		s.refill = g.list == nil || !r.join(ctx, g)
	}
	if !s.refill {
		if r.selection, err = s.parse(s.stored); err != nil {
			s.refill = true
		}
	}
	missing := without(s.owned, s.stored)
	r.record.slots(s.stored, missing)
	if len(missing) > 0 && s.gaining == nil && !s.refill {
		s.refill = r.gain(ctx, missing) != nil
	}
	return !s.refill
}

// gain begins to list slots.
func (r *Reflector) gain(ctx context.Context, slots []int) error {
	selection, err := r.shards.parse(slots)
	if err != nil {
		return err
	}
	lister := &Reflector{
		WatchListPageSize: r.WatchListPageSize,
		typeDescription:   r.typeDescription,
		clock:             r.clock,
		listerWatcher:     r.listerWatcher,
		streamer:          r.streamer,
		store:             r.store,
		progressDeadline:  r.progressDeadline,
		paginated:         r.paginated,
		backoff:           backoff{options: r.backoff.options, clock: r.clock},
		selection:         selection,
	}
	g := &gaining{slots: slots}
	ctx, g.cancel = context.WithCancel(ctx)
	r.shards.gaining = g
	version := r.reached()
	r.shards.listing.Go(func() {
		defer utilruntime.HandleCrashWithContext(ctx, func(context.Context, any) { r.shards.end(g) })
		if g.list = r.listGained(ctx, lister, version); g.list != nil {
			r.shards.end(g)
		}
	})
	return nil
}

// listGained lists with another reflector until that succeeds, or returns nil if ctx ends.
func (r *Reflector) listGained(ctx context.Context, lister *Reflector, version string) *listed {
	for ctx.Err() == nil {
		l, err := lister.listFrom(ctx, version)
		if ctx.Err() != nil {
			return nil
		}
		if err == nil {
			return l
		}
		if isExpired(err) || isTooLarge(err) {
			version = ""
		}
		err = fmt.Errorf("failed to list gained shards of %v: %w", r.typeDescription, err)
		r.record.note(err, r.clock.Now())
		klog.FromContext(ctx).V(2).Info("List of gained shards failed, retrying", "err", err)
		lister.pause(ctx, err, "list")
	}
	return nil
}

// stopGaining ends the list of gained slots, if there is one.
func (r *Reflector) stopGaining() {
	if g := r.shards.gaining; g != nil {
		g.cancel()
		r.shards.gaining = nil
	}
}

// join adds gained slots to the store. It returns false if resource versions cannot be compared.
func (r *Reflector) join(ctx context.Context, g *gaining) bool {
	s := r.shards
	s.newest = r.reached()
	from := r.record.version()
	ahead, err := delta.CompareVersions(g.list.version, from)
	if err != nil {
		return false
	}
	switch {
	case ahead > 0:
		s.floors = append(s.floors, floor{g.slots, g.list.selection, g.list.version})
		if order(g.list.version, s.newest) > 0 {
			s.newest = g.list.version
		}
	case ahead < 0:
		stored, err := s.parse(s.stored) // r.selection may have slots that are lost
		if err != nil {
			return false
		}
		s.floors = append(s.floors, floor{s.stored, stored, from})
		from = g.list.version
		r.record.rewind(from)
	}
	s.stored = union(s.stored, g.slots)
	s.source.SetBehind(len(s.floors) > 0)
	for _, q := range g.list.isolated {
		r.record.isolate(q)
	}
	objects := g.list.objects.(queuedList)
	klog.FromContext(ctx).V(2).Info("Gained shards", "slots", g.slots, "objects", objects.Len(), "resourceVersion", g.list.version)
	_ = objects.Join(from) // fails only if the informer is stopping
	return true
}

// withSelection returns the context for requests of the selected objects. Others are recognized by their UIDs and
// namespaces before they are decoded.
func withSelection(ctx context.Context, selection *shards.Selector) context.Context {
	if selection == nil {
		return ctx
	}
	return codec.WithSelection(shards.WithSelection(ctx, selection), selection.Selects)
}

// reached returns the resource version that a list must not be older than: otherwise it would lack objects of the store.
func (r *Reflector) reached() string {
	version := r.record.version()
	if s := r.shards; s != nil && s.newest != "" && order(s.newest, version) > 0 {
		return s.newest
	}
	return version
}

// skips reports whether an event does not concern the store: its object is in a slot of others, or the store has the
// object as of the event, or later.
func (r *Reflector) skips(m metav1.Object) bool {
	s := r.shards
	if s == nil {
		return false
	}
	version := m.GetResourceVersion()
	if len(s.floors) > 0 && !slices.ContainsFunc(s.floors, func(f floor) bool { return order(version, f.version) <= 0 }) {
		s.floors = nil
		s.source.SetBehind(false)
	}
	if !isSelected(r.selection, m) {
		return true
	}
	return slices.ContainsFunc(s.floors, func(f floor) bool { return order(version, f.version) <= 0 && isSelected(f.selector, m) })
}

// selects reports whether an object of a list is of the selected slots.
func (l *listed) selects(obj runtime.Object) bool {
	m := delta.MetadataOf(obj)
	return m == nil || isSelected(l.selection, m)
}

// parse returns the selector of slots, nil if these are all.
func (s *reflectorShards) parse(slots []int) (*shards.Selector, error) {
	return shards.Parse(s.selector(slots))
}

// has reports whether slots contain one.
func has(slots []int, slot int) bool {
	_, found := slices.BinarySearch(slots, slot)
	return found
}

// without returns slots without some others.
func without(slots, others []int) []int {
	return slices.DeleteFunc(slices.Clone(slots), func(slot int) bool { return has(others, slot) })
}

// union returns the slots of both.
func union(slots, others []int) []int {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(slots, others))))
}

// followShards passes changes of shards on to reflectors until ctx is done, or there are no more. It asks for the next
// change when the store has dropped the objects that were lost.
func (s *sharedInformer) followShards(ctx context.Context, reflectors []*Reflector) {
	for change := range s.shards.Follow(ctx) {
		s.owned.change(change)
		made := make(chan struct{}, len(reflectors))
		for _, r := range reflectors {
			r.shards.change(change, func() { made <- struct{}{} })
		}
		for range reflectors {
			if len(change.Lost) == 0 {
				break // nothing waits for what is gained
			}
			select {
			case <-made:
			case <-ctx.Done():
			}
		}
		s.applier.progress.notify() // of waits for objects that are lost
	}
}
