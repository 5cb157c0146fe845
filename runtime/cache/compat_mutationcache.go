package cache

import (
	"errors"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	lru "k8s.io/apimachinery/pkg/util/cache"
	"k8s.io/klog/v2"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/objectstore"
)

// MutationCache returns your own writes before they arrive in a store: it remembers written objects
// for a while, and returns the later of these and the store's. It is safe for concurrent use. Do
// not modify the objects.
type MutationCache interface {
	// GetByKey returns the latest known state of the object with a key.
	GetByKey(key string) (any, bool, error)
	// ByIndex returns the latest known states of the objects that have a value in the store's
	// index. It fails if there is no indexer. With an [IncompleteIndexError] it also returns
	// objects, as [Indexer] does.
	ByIndex(indexName, indexKey string) ([]any, error)
	// Mutation remembers the result of a write.
	Mutation(obj any)
	// OnAddOrUpdate may be called from the informer's handler: writes that have arrived in the
	// store need not be remembered.
	OnAddOrUpdate(obj runtime.Object)
	// OnDelete may be called from the informer's handler: an object that is known to be
	// deleted is no longer returned, even if a Mutation of it comes late.
	OnDelete(obj runtime.Object)

	// internal prevents other implementations, so that the interface may grow.
	internal()
}

// MutationCacheOptions are the options of [NewIntegerResourceVersionMutationCacheWithOptions].
type MutationCacheOptions struct {
	// Indexer is used by ByIndex, which fails if it is nil.
	Indexer Indexer
	// TTL is how long a write is remembered; 0 means 5 minutes.
	TTL time.Duration
	// IncludeAdds also returns objects that are not in the store. Then an object that is
	// deleted soon after it was written is returned until its write is forgotten.
	IncludeAdds bool
	// MaxCacheSize is how many writes are remembered; 0 means 100. The least recently used
	// are forgotten first.
	MaxCacheSize int
}

// NewIntegerResourceVersionMutationCache returns a [MutationCache] over a store, which
// remembers 100 writes; see [NewIntegerResourceVersionMutationCacheWithOptions].
func NewIntegerResourceVersionMutationCache(logger klog.Logger, backingCache Store, indexer Indexer, ttl time.Duration, includeAdds bool) MutationCache {
	return NewIntegerResourceVersionMutationCacheWithOptions(logger, backingCache, MutationCacheOptions{
		Indexer:     indexer,
		TTL:         ttl,
		IncludeAdds: includeAdds,
	})
}

// NewIntegerResourceVersionMutationCacheWithOptions returns a [MutationCache] over a store
// with the keys of [MetaNamespaceKeyFunc], for objects whose resource versions are numbers
// that grow with every write, as those of API servers are. An object without a resource version,
// or with "0", as tests hold them, is earlier than one that has another. If two cannot be compared,
// the store's object counts as the later.
func NewIntegerResourceVersionMutationCacheWithOptions(logger klog.Logger, backingCache Store, options MutationCacheOptions) MutationCache {
	if options.TTL == 0 {
		options.TTL = 5 * time.Minute
	}
	if options.MaxCacheSize == 0 {
		options.MaxCacheSize = 100
	}
	return &mutationCache{
		MutationCacheOptions: options,
		logger:               logger,
		store:                backingCache,
		mutations:            lru.NewLRUExpireCache(options.MaxCacheSize),
	}
}

type mutationCache struct {
	MutationCacheOptions
	logger klog.Logger
	store  Store

	mu        sync.Mutex          // guards mutations, so that reads and writes of it do not interleave
	mutations *lru.LRUExpireCache // *mutation by key
}

// mutation is the last known state of an object apart from the store.
type mutation struct {
	object any // nil if it is known to be deleted
	uid    types.UID
	rv     string
	exact  bool // uid and rv are known
}

func newMutation(obj any) *mutation {
	m := &mutation{object: obj}
	if meta := delta.MetadataOf(obj); meta != nil {
		m.uid, m.rv, m.exact = meta.GetUID(), meta.GetResourceVersion(), true
	}
	return m
}

// after reports whether m is certainly of a later state than other.
func (m *mutation) after(other *mutation) bool {
	if !m.exact || !other.exact {
		return false
	}
	if other.rv == "" || other.rv == "0" { // before every write
		return delta.IsVersion(m.rv)
	}
	order, err := delta.CompareVersions(m.rv, other.rv)
	return err == nil && order > 0
}

func (c *mutationCache) internal() {}

func (c *mutationCache) GetByKey(key string) (any, bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	obj, exists, err := c.store.GetByKey(key)
	if err != nil {
		return nil, false, err
	}
	if exists {
		return c.later(key, obj), true, nil
	}
	// It has not arrived yet, or is deleted already; that cannot be distinguished.
	if m := c.mutation(key); c.IncludeAdds && m != nil && m.object != nil {
		return m.object, true, nil
	}
	return nil, false, nil
}

func (c *mutationCache) ByIndex(indexName, indexKey string) ([]any, error) {
	if c.Indexer == nil {
		return nil, errors.New("no indexer has been provided to the mutation cache")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	keys, incomplete := c.Indexer.IndexKeys(indexName, indexKey)
	if incomplete != nil && !errors.As(incomplete, new(*IncompleteIndexError)) {
		return nil, incomplete
	}
	var out []any
	for _, key := range keys {
		obj, exists, err := c.Indexer.GetByKey(key)
		if err != nil {
			return nil, err
		}
		if exists {
			out = append(out, c.later(key, obj))
		}
	}
	if c.IncludeAdds {
		adds, err := c.adds(keys, indexName, indexKey)
		out = append(out, adds...)
		if incomplete == nil {
			incomplete = err
		}
	}
	return out, incomplete
}

// adds returns written objects that have the index value and none of the keys.
func (c *mutationCache) adds(keys []string, indexName, value string) (out []any, incomplete error) {
	f := c.Indexer.GetIndexers()[indexName]
	missing := 0
	for _, k := range c.mutations.Keys() {
		key := k.(string)
		m := c.mutation(key)
		if m == nil || m.object == nil || f == nil || slices.Contains(keys, key) {
			continue
		}
		values, err := objectstore.Index{Func: f}.Values(m.object)
		if err != nil {
			missing++
			incomplete = &IncompleteIndexError{Index: indexName, Missing: missing, Name: ObjectName(delta.NameOfKey(key)), Err: err}
		}
		if slices.Contains(values, value) {
			out = append(out, m.object)
		}
	}
	return out, incomplete
}

// mutation returns what is remembered for a key, or nil.
func (c *mutationCache) mutation(key string) *mutation {
	if m, ok := c.mutations.Get(key); ok {
		return m.(*mutation)
	}
	return nil
}

// later returns the later of the store's object and the remembered one, which is forgotten if the
// store has caught up with it.
func (c *mutationCache) later(key string, held any) any {
	m := c.mutation(key)
	if m == nil {
		return held
	}
	if m.after(newMutation(held)) {
		if m.object == nil {
			return held // as the store has it; the deletion will arrive there
		}
		return m.object
	}
	c.mutations.Remove(key)
	return held
}

func (c *mutationCache) Mutation(obj any) {
	key, ok := c.key(obj)
	if !ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	written := newMutation(obj)
	if m := c.mutation(key); m != nil {
		deleted := m.object == nil && (m.rv == written.rv || m.uid == written.uid)
		if deleted || m.after(written) {
			return
		}
	}
	c.mutations.Add(key, written, c.TTL)
}

func (c *mutationCache) OnAddOrUpdate(obj runtime.Object) {
	key, ok := c.key(obj)
	if !ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if m := c.mutation(key); m != nil && !m.after(newMutation(obj)) {
		c.mutations.Remove(key)
	}
}

func (c *mutationCache) OnDelete(obj runtime.Object) {
	key, ok := c.key(obj)
	if !ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	deleted := newMutation(obj)
	// Resource versions belong to the resource, not to the object, so they also order the deletion
	// and a write of another object with the same name: a later one with another UID is a new
	// object, which is kept.
	if m := c.mutation(key); m != nil && m.after(deleted) && m.uid != deleted.uid {
		return
	}
	deleted.object = nil
	c.mutations.Add(key, deleted, c.TTL)
}

func (c *mutationCache) key(obj any) (string, bool) {
	key, err := DeletionHandlingMetaNamespaceKeyFunc(obj)
	if err != nil {
		c.logger.Error(err, "Failed to get key, not remembering the object")
	}
	return key, err == nil
}
