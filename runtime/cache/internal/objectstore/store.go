// Package objectstore provides the store behind all stores and indexers of package cache, which
// adds the public types to it.
//
// Objects are stored densely, by package dense, one word each while all are pointers of one type, so
// that typed lists copy memory; indexes refer to them by position. Loops over a lister and lists with
// a selector read a view and copy nothing. A single object is found without a lock, in an
// open-addressing table of atomic slots: a hash of 32 bits and the number of an entry are one word.
// Readers see all of a list or of a transaction, or nothing.
//
// Objects may be packed: see package packing. The store is where they are decoded, for readers and for index functions, without locks
// and only those that a reader gets.
//
// An object for which an index function fails or panics is missing from that index: reads of the
// index return the objects found and an error.
package objectstore

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/packing"
)

// Options configure a [Store]. Name and PublicTypes are required.
type Options struct {
	// Name returns the names of objects.
	Name delta.Namer
	// PublicTypes creates the values that the store returns in public types.
	PublicTypes PublicTypes
	// Transform is applied to the objects of Add, Update, Replace and transactions; nil changes
	// nothing.
	Transform func(obj any) (any, error)
	// Packed reports that objects may be packed: readers get them decoded. Pack, if it is not nil, packs those of Add,
	// Update, Replace and transactions.
	Packed bool
	Pack   func(obj any) (any, error)
	// Metric is set to the store's resource version, unless it is nil.
	Metric interface{ Set(float64) }
	// VersionFromBookmarks sets the store's resource version from Bookmark alone: those of objects
	// and lists belong to one source of several.
	VersionFromBookmarks bool
	// EachListed makes all objects of a list part of its difference, also those that are stored in the same state.
	EachListed bool
}

// PublicTypes creates values of the types of package cache.
type PublicTypes struct {
	// Tombstone returns the tombstone of an object that is missing in a list.
	Tombstone func(key string, last any) any
	// Incomplete returns the error of reading an index that lacks objects: their number, and the
	// name and error of one.
	Incomplete func(index string, missing int, name delta.Name, err error) error
}

// Store stores objects by name, and by their values in indexes. It is safe for concurrent use.
//
// Writers hold writing from start to end; with it they may read everything, and call key, transform
// and index functions without blocking readers. They hold mu only while they make a change. Readers
// of many objects hold mu. Readers of a single object take no lock: they wait only while several
// changes are made atomically.
type Store struct {
	options Options

	writing    sync.Mutex // held by the only writer
	generation uint32     // counts lists; guarded by writing
	scratch    scratch    // guarded by writing

	mu       sync.RWMutex // guards contents, everything it refers to, and rv
	contents *contents
	rv       string
	table    atomic.Pointer[table] // contents.table, for readers of single objects
	atOnce   atomic.Bool           // several changes are being made atomically, with mu held

	closed atomic.Pointer[error] // why reads fail, nil while they do not
	meter  meter
}

// New returns an empty store.
func New(options Options, indexes ...Index) *Store {
	s := &Store{options: options, contents: newContents(nil, 0)}
	for _, index := range indexes {
		s.contents.indexes = append(s.contents.indexes, newObjectIndex(index))
	}
	s.table.Store(s.contents.table)
	return s
}

// Close makes all reads that can return an error return err. The store can still be written,
// and read otherwise.
func (s *Store) Close(err error) { s.closed.Store(&err) }

// Readable returns the error of [Store.Close], if it was closed.
func (s *Store) Readable() error {
	if err := s.closed.Load(); err != nil {
		return *err
	}
	return nil
}

// Object returns the object of a name, also of a closed store.
func (s *Store) Object(name delta.Name) (any, bool) {
	object, exists := s.Held(name)
	return packing.Open(object), exists
}

// Held is Object without decoding a packed object.
func (s *Store) Held(name delta.Name) (any, bool) {
	var buffer delta.KeyBuffer
	key := name.AppendKey(buffer[:0])
	return lookUp(s, hashOfBytes(key), key)
}

// ObjectByKey returns the object of a key, also of a closed store.
func (s *Store) ObjectByKey(key string) (any, bool) {
	object, exists := lookUp(s, hashOf(key), key)
	return packing.Open(object), exists
}

// lookUp finds an object while others write. If the caller has seen one of several atomic changes,
// directly or through another goroutine, it sees all of them: they were in progress then, or
// complete.
func lookUp[K string | []byte](s *Store, hash uint32, key K) (object any, exists bool) {
	wait := s.atOnce.Load()
	if wait {
		s.mu.RLock()
	}
	for !exists {
		e, _ := find(s.table.Load().directory.Load(), hash, key)
		if e == nil {
			break
		}
		object, exists = e.latest.Load() // unless it was removed meanwhile
	}
	if wait {
		s.mu.RUnlock()
	}
	return object, exists
}

// Len returns the number of objects.
func (s *Store) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.contents.cells)
}

// Get returns the object that has obj's name.
func (s *Store) Get(obj any) (any, bool, error) {
	if err := s.Readable(); err != nil {
		return nil, false, err
	}
	name, err := s.options.Name(obj)
	if err != nil {
		return nil, false, err
	}
	object, exists := s.Object(name)
	return object, exists, nil
}

// GetByKey returns the object of a key.
func (s *Store) GetByKey(key string) (any, bool, error) {
	if err := s.Readable(); err != nil {
		return nil, false, err
	}
	object, exists := s.ObjectByKey(key)
	return object, exists, nil
}

// ListKeys returns the keys of all objects as of one moment, in no order.
func (s *Store) ListKeys() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return keys(len(s.contents.cells), func(i int) *cell { return s.contents.cells[i] })
}

// LastStoreSyncResourceVersion returns the store's resource version.
func (s *Store) LastStoreSyncResourceVersion() string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.rv
}

// Bookmark sets the store's resource version.
func (s *Store) Bookmark(rv string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setVersion(rv)
}

// Resync does nothing.
func (s *Store) Resync() error { return nil }

// IndexError is the failure of an index function for an object.
type IndexError struct {
	Index string
	Name  delta.Name
	Err   error
}

// IndexErrors returns the objects that are missing from indexes, sorted by index and name.
func (s *Store) IndexErrors() []IndexError {
	var out []IndexError
	s.mu.RLock()
	for _, x := range s.contents.indexes {
		for c, err := range x.failed {
			out = append(out, IndexError{Index: x.Name, Name: delta.NameOfKey(c.key()), Err: err})
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

// Indexes returns the indexes.
func (s *Store) Indexes() []Index {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := make([]Index, len(s.contents.indexes))
	for i, x := range s.contents.indexes {
		out[i] = x.Index
	}
	return out
}
