package cache

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// objectStore is the store behind all constructors of this package: an [Indexer] and a
// [TransactionStore] that can be used by many goroutines at once.
//
// Writers take writing first, for as long as they are at it; with it they may read all,
// and call key, transform and index functions while nobody else has to wait. They take
// mu only for the moment of a change. Readers of many objects take mu. Readers of a
// single one take no lock: they only wait while several changes are made at once.
type objectStore struct {
	namer
	storeOptions

	writing sync.Mutex // guards against other writers
	round   uint32     // counts replacements; guarded by writing
	scratch scratch    // guarded by writing

	mu     sync.RWMutex // guards held and what it holds, and rv
	held   *contents
	rv     string
	table  atomic.Pointer[table] // held.table, for those who find single objects
	atOnce atomic.Bool           // with mu held, several changes are made at once

	released atomic.Bool // the informer was: readers get [ErrReleased]
}

var (
	_ Indexer          = (*objectStore)(nil)
	_ TransactionStore = (*objectStore)(nil)
)

func newObjectStore(key KeyFunc, indexers Indexers, o storeOptions) *objectStore {
	s := &objectStore{namer: newNamer(key), storeOptions: o, held: newContents(nil, 0)}
	for name, f := range indexers {
		s.held.indexes = append(s.held.indexes, newObjectIndex(name, f))
	}
	s.table.Store(s.held.table)
	return s
}

// get returns the object of a name.
func (s *objectStore) get(name ObjectName) (any, bool) {
	var buffer keyBuffer
	key := name.appendKey(buffer[:0])
	return lookUp(s, maphash.Bytes(hashSeed, key), key)
}

// lookUp finds an object beside writers. Of changes that are made at once it sees all
// if it, or anyone who told about it, has seen one: they were under way then, or done.
func lookUp[K string | []byte](s *objectStore, hash uint64, key K) (object any, exists bool) {
	wait := s.atOnce.Load()
	if wait {
		s.mu.RLock()
	}
	c := find(s.table.Load(), hash, key)
	if c != nil {
		object = c.object()
	}
	if wait {
		s.mu.RUnlock()
	}
	return object, c != nil
}

// len is how many objects there are.
func (s *objectStore) len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.held.objects)
}

// snapshot returns all objects, as of one moment. The slice is the caller's.
func (s *objectStore) snapshot() []any {
	out := make([]any, 0, s.len()) // not with the lock held
	s.mu.RLock()
	defer s.mu.RUnlock()
	return append(out, s.held.objects...)
}

// indexErrors returns what is left out of indexes, and why, sorted by index and name.
func (s *objectStore) indexErrors() []IndexError {
	var out []IndexError
	s.mu.RLock()
	for _, x := range s.held.indexes {
		for c, err := range x.failed {
			out = append(out, IndexError{Index: x.name, Name: nameOfKey(c.key), Err: err})
		}
	}
	s.mu.RUnlock()
	slices.SortFunc(out, func(a, b IndexError) int {
		if c := strings.Compare(a.Index, b.Index); c != 0 {
			return c
		}
		return strings.Compare(a.Name.String(), b.Name.String())
	})
	return out
}

func (s *objectStore) Get(obj any) (any, bool, error) {
	if err := s.readable(); err != nil {
		return nil, false, err
	}
	name, err := s.name(obj)
	if err != nil {
		return nil, false, err
	}
	object, exists := s.get(name)
	return object, exists, nil
}

func (s *objectStore) GetByKey(key string) (any, bool, error) {
	if err := s.readable(); err != nil {
		return nil, false, err
	}
	object, exists := s.getByKey(key)
	return object, exists, nil
}

func (s *objectStore) getByKey(key string) (any, bool) {
	return lookUp(s, maphash.String(hashSeed, key), key)
}

func (s *objectStore) List() []any { return s.snapshot() }

func (s *objectStore) ListKeys() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := make([]string, len(s.held.cells))
	for i, c := range s.held.cells {
		out[i] = c.key
	}
	return out
}

func (s *objectStore) LastStoreSyncResourceVersion() string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.rv
}

func (s *objectStore) Bookmark(rv string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setVersion(rv)
}

func (s *objectStore) Resync() error { return nil }

func (s *objectStore) GetIndexers() Indexers {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := make(Indexers, len(s.held.indexes))
	for _, x := range s.held.indexes {
		out[x.name] = x.f
	}
	return out
}

func (s *objectStore) ByIndex(indexName, indexedValue string) ([]any, error) {
	return s.byIndex(indexName, []string{indexedValue})
}

func (s *objectStore) Index(indexName string, obj any) ([]any, error) {
	values, err := s.indexValues(indexName, obj)
	if err != nil {
		return nil, err
	}
	return s.byIndex(indexName, values)
}

// byIndex returns what has one of the values in an index, each once.
func (s *objectStore) byIndex(indexName string, values []string) ([]any, error) {
	if err := s.readable(); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	x, err := s.held.existing(indexName)
	if err != nil {
		return nil, err
	}
	positions := x.having(values)
	out := make([]any, len(positions))
	for i, pos := range positions {
		out[i] = s.held.objects[pos]
	}
	return out, x.incomplete()
}

func (s *objectStore) IndexKeys(indexName, indexedValue string) ([]string, error) {
	if err := s.readable(); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	x, err := s.held.existing(indexName)
	if err != nil {
		return nil, err
	}
	positions := x.having([]string{indexedValue})
	out := make([]string, len(positions))
	for i, pos := range positions {
		out[i] = s.held.cells[pos].key
	}
	slices.Sort(out)
	return out, x.incomplete()
}

// indexValues returns the values that obj has in an index. The index function is called
// without locks.
func (s *objectStore) indexValues(indexName string, obj any) ([]string, error) {
	s.mu.RLock()
	x, err := s.held.existing(indexName)
	s.mu.RUnlock()
	if err != nil {
		return nil, err
	}
	computed := callIndexFunc(x.f, obj)
	return computed.values, computed.err
}

func (s *objectStore) ListIndexFuncValues(indexName string) []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	x := s.held.index(indexName)
	if x == nil {
		return []string{}
	}
	out := make([]string, 0, len(x.buckets))
	for value := range x.buckets {
		out = append(out, value)
	}
	return out
}

// versionOf returns an object's resource version, empty if it has none.
func versionOf(obj any) string {
	if m := metadataOf(obj); m != nil {
		return m.GetResourceVersion()
	}
	return ""
}
