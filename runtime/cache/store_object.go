package cache

import (
	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/objectstore"
	"github.com/listwatch/listwatch/runtime/compat"
)

// objectStore is the store that all constructors of this package return: package objectstore
// does the work, and this adds the public types.
type objectStore struct {
	*objectstore.Store
}

var (
	_ Indexer          = objectStore{}
	_ TransactionStore = objectStore{}
)

func newObjectStore(key KeyFunc, indexers Indexers, o storeOptions) objectStore {
	name := newNamer(key)
	options := objectstore.Options{
		Name:                 name,
		PublicTypes:          objectstore.PublicTypes{Tombstone: newTombstone, Incomplete: newIncompleteIndexError},
		Transform:            o.transform.naming(name),
		VersionFromBookmarks: o.versionFromBookmarks,
		EachListed:           compat.IsClientGo(),
	}
	if o.pack != nil {
		options.Packed = true
		options.Pack = func(obj any) (any, error) { return o.pack(obj, nil) }
	}
	if o.metric != nil {
		options.Metric = o.metric
	}
	return objectStore{objectstore.New(options, indexers.indexes()...)}
}

func newTombstone(key string, last any) any {
	return DeletedFinalStateUnknown{Key: key, Obj: last}
}

func newIncompleteIndexError(index string, missing int, name delta.Name, err error) error {
	return &IncompleteIndexError{Index: index, Missing: missing, Name: ObjectName(name), Err: err}
}

// storeOf returns the store of this package that is behind an indexer, nil if there is none.
func storeOf(indexer any) *objectstore.Store {
	for {
		switch x := indexer.(type) {
		case objectStore:
			return x.Store
		case interface{ unwrap() Indexer }:
			indexer = x.unwrap()
		default:
			return nil
		}
	}
}
