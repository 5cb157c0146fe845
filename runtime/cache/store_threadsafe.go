package cache

import (
	"fmt"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// ThreadSafeStore stores objects by keys of its callers. It is safe for concurrent use; do not
// modify stored objects. Its indexes are read like those of an [Indexer].
type ThreadSafeStore interface {
	Add(key string, obj any)
	Update(key string, obj any)
	// Delete is DeleteWithObject without an object: the store's resource version does not change.
	Delete(key string)
	// DeleteWithObject deletes the object of a key. obj is its last state; the store's
	// resource version becomes that of obj.
	DeleteWithObject(key string, obj any)
	Get(key string) (item any, exists bool)
	List() []any
	ListKeys() []string
	// Replace replaces all objects with items, by key.
	Replace(items map[string]any, resourceVersion string)
	Index(indexName string, obj any) ([]any, error)
	IndexKeys(indexName, indexedValue string) ([]string, error)
	Bookmark(rv string)
	LastStoreSyncResourceVersion() string
	ListIndexFuncValues(name string) []string
	ByIndex(indexName, indexedValue string) ([]any, error)
	GetIndexers() Indexers
	// AddIndexers adds indexes, also of the objects in the store. If one of the names exists,
	// it fails and adds no index.
	AddIndexers(newIndexers Indexers) error
	// Resync does nothing.
	//
	// Deprecated: there is nothing to do.
	Resync() error
}

// ThreadSafeStoreWithTransaction is a [ThreadSafeStore] that can make several writes atomically;
// the result of [NewThreadSafeStore] implements it.
type ThreadSafeStoreWithTransaction interface {
	ThreadSafeStore
	// Transaction makes the writes in order, and readers see all of them or none.
	Transaction(txns ...ThreadSafeStoreTransaction)
}

// ThreadSafeStoreTransaction is a [Transaction] with the key of its object.
type ThreadSafeStoreTransaction struct {
	Transaction
	Key string
}

// ThreadSafeStoreOption is an option of [NewThreadSafeStore].
type ThreadSafeStoreOption func(*storeOptions)

// WithThreadSafeStoreMetrics is [WithStoreMetrics] for [NewThreadSafeStore].
func WithThreadSafeStoreMetrics(identifier InformerNameAndResource, provider InformerMetricsProvider) ThreadSafeStoreOption {
	return ThreadSafeStoreOption(WithStoreMetrics(identifier, provider))
}

// NewThreadSafeStore returns an empty store with indexes. Indices have no effect: the contents of
// an index follow from the objects alone.
func NewThreadSafeStore(indexers Indexers, _ Indices, options ...ThreadSafeStoreOption) ThreadSafeStore {
	var o storeOptions
	for _, option := range options {
		option(&o)
	}
	return threadSafeStore{newObjectStore(noKey, indexers, o)}
}

// noKey is the key function of stores whose callers know the keys.
func noKey(obj any) (string, error) { return "", fmt.Errorf("no key for %T", obj) }

// threadSafeStore is an [objectStore] with keys of its callers.
type threadSafeStore struct {
	objectStore
}

func (s threadSafeStore) Add(key string, obj any) { s.Update(key, obj) }

func (s threadSafeStore) Update(key string, obj any) {
	s.Apply([]delta.Delta{{Kind: delta.Set, Name: delta.NameOfKey(key), Object: obj, RV: delta.VersionOf(obj)}})
}

func (s threadSafeStore) Delete(key string) { s.DeleteWithObject(key, nil) }

func (s threadSafeStore) DeleteWithObject(key string, obj any) {
	s.Apply([]delta.Delta{{Kind: delta.Delete, Name: delta.NameOfKey(key), RV: delta.VersionOf(obj)}})
}

func (s threadSafeStore) Get(key string) (any, bool) { return s.ObjectByKey(key) }

func (s threadSafeStore) Replace(items map[string]any, resourceVersion string) {
	deltas := make([]delta.Delta, 0, len(items))
	for key, obj := range items {
		deltas = append(deltas, delta.Delta{Kind: delta.Set, Name: delta.NameOfKey(key), Object: obj})
	}
	s.ReplaceAll(deltas, resourceVersion)
}

func (s threadSafeStore) Transaction(txns ...ThreadSafeStoreTransaction) {
	deltas := make([]delta.Delta, 0, len(txns))
	for _, txn := range txns {
		d := delta.Delta{Kind: delta.Set, Name: delta.NameOfKey(txn.Key), Object: txn.Object, RV: delta.VersionOf(txn.Object)}
		switch txn.Type {
		case TransactionTypeAdd, TransactionTypeUpdate:
		case TransactionTypeDelete:
			d.Kind = delta.Delete
		default:
			continue
		}
		deltas = append(deltas, d)
	}
	s.Transact(deltas)
}
