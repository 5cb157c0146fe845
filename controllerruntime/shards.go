package controllerruntime

import (
	"context"
	"maps"
	"slices"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/listwatch/listwatch/kubernetes/shards"
	ourcache "github.com/listwatch/listwatch/runtime/cache"
)

// NewShardedCache returns [NewCache] for one of several replicas that share the objects of their kinds: the cache has
// only the objects whose slots the replica owns in the ring. It is for NewCache of ctrl.Options, without leader election:
//
//	ring, err := shards.Join(ctx, clientset.CoordinationV1(), shards.Options{Name: "books", Namespace: namespace, Identity: name})
//	...
//	manager, err := ctrl.NewManager(config, ctrl.Options{
//		NewCache:  controllerruntime.NewShardedCache(ring),
//		NewClient: controllerruntime.NewClient,
//	})
//	...
//	sharded, err := controllerruntime.NewShardedReconciler(manager.GetCache(), &v1.Book{}, reconciler)
//	...
//	err = ctrl.NewControllerManagedBy(manager).For(&v1.Book{}).Complete(sharded)
//
// Kinds that each replica needs whole are exempt, each named by an example, in all of its forms.
func NewShardedCache(ring *shards.Ring, exempt ...client.Object) cache.NewCacheFunc {
	return NewCacheWith(Options{Ring: ring, Exempt: exempt})
}

// sharding follows a ring for a cache.
type sharding struct {
	ring        *shards.Ring
	byNamespace bool

	mu        sync.Mutex // guards the fields below, and those of tenures that say so
	held      map[int]*tenure
	observers map[key][]*deletions
}

// tenure is the time for which a replica has a slot.
type tenure struct {
	slot int
	ctx  context.Context // ends with it
	end  context.CancelFunc

	listed map[*entry]bool // informers that have the slot's objects; guarded by sharding.mu
}

func newSharding(ring *shards.Ring) *sharding {
	return &sharding{ring: ring, byNamespace: ring.State().Key == shards.ByNamespace, held: map[int]*tenure{}, observers: map[key][]*deletions{}}
}

// follow follows the ring until ctx is done.
func (s *sharding) follow(ctx context.Context) {
	for change := range s.ring.Follow(ctx) {
		s.change(change)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.held {
		t.end()
	}
	clear(s.held)
}

func (s *sharding) change(change shards.Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, slot := range change.Lost {
		if t := s.held[slot]; t != nil {
			t.end()
			delete(s.held, slot)
		}
	}
	for _, slot := range change.Gained {
		t := &tenure{slot: slot, listed: map[*entry]bool{}}
		t.ctx, t.end = context.WithCancel(context.Background())
		s.held[slot] = t
	}
}

// keyOf returns the value of the ring's key of an object, empty if it is not known.
func (s *sharding) keyOf(obj metav1.Object) string {
	return s.ring.KeyOf(shards.ItemOf(obj))
}

// tenureOf returns the tenure of a value of the key, nil if its slot is another replica's.
func (s *sharding) tenureOf(key string) *tenure {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held[s.ring.Slot(key)]
}

// observe adds deletions to which those of objects like k are added.
func (s *sharding) observe(k key, d *deletions) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.observers[k] = append(s.observers[k], d)
}

// deleted adds the deletion of an object like k.
func (s *sharding) deleted(k key, obj metav1.Object) {
	s.mu.Lock()
	observers := s.observers[k]
	s.mu.Unlock()
	for _, d := range observers {
		d.note(obj)
	}
}

// has reports whether an informer has the objects of a slot. It may return false for a moment after it got them.
func (s *sharding) has(t *tenure, n *entry) bool {
	s.mu.Lock()
	listed := t.listed[n]
	s.mu.Unlock()
	if listed {
		return true
	}
	for _, source := range ourcache.StateOf(n.informer).Sources {
		if !slices.Contains(source.Slots, t.slot) {
			return false
		}
	}
	if ourcache.StateOf(n.informer).QueueDepth > 0 { // they may be there
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t.listed[n] = true
	return true
}

// complete reports whether all informers that have synced have the objects of a slot. What has not synced is waited for by
// its reads.
func (e *engine) complete(t *tenure) bool {
	e.mu.RLock()
	all := slices.Collect(maps.Values(e.informers))
	e.mu.RUnlock()
	for _, n := range all {
		if n.isSharded() && n.informer.HasSynced() && !e.shards.has(t, n) {
			return false
		}
	}
	return true
}

// isSharded reports whether an informer has only the objects of a replica.
func (n *entry) isSharded() bool { return n.writes.shards != nil }
