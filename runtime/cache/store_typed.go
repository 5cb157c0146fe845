package cache

import (
	"slices"

	"github.com/listwatch/listwatch/runtime/cache/internal/objectstore"
)

// typedIndexer is a typed view of any [Indexer]. The methods that it passes on are written
// out: each one that was promoted from an embedded interface would be compiled again for every
// kind.
type typedIndexer[T any] struct {
	untyped Indexer
}

func newTypedIndexer[T any](indexer Indexer) TypedIndexer[T] {
	return &typedIndexer[T]{indexer}
}

func (x *typedIndexer[T]) unwrap() Indexer { return x.untyped }

func (x *typedIndexer[T]) TypedIndex(indexName string, obj T) ([]T, error) {
	if s := storeOf(x.untyped); s != nil {
		values, err := s.IndexValues(indexName, obj)
		if err != nil {
			return nil, err
		}
		return objectstore.Having[T](s, indexName, values)
	}
	return typed[T](x.untyped.Index(indexName, obj))
}

func (x *typedIndexer[T]) ByTypedIndex(indexName, indexedValue string) ([]T, error) {
	return byIndex[T](x.untyped, indexName, indexedValue)
}

func byIndex[T any](indexer Indexer, indexName, indexedValue string) ([]T, error) {
	if s := storeOf(indexer); s != nil {
		return objectstore.Having[T](s, indexName, []string{indexedValue})
	}
	return typed[T](indexer.ByIndex(indexName, indexedValue))
}

// ByIndex returns the objects of one namespace, or of all namespaces if it is empty, that have a
// value in an index. The caller owns the slice; the objects are shared. It returns an error if the
// index does not exist, or if an object is not a T.
func ByIndex[T any](indexer Indexer, namespace, indexName, indexedValue string) ([]T, error) {
	objects, err := byIndex[T](indexer, indexName, indexedValue)
	if namespace == "" {
		return objects, err
	}
	return slices.DeleteFunc(objects, func(object T) bool {
		return !isIn(namespace, object)
	}), err
}

func (x *typedIndexer[T]) AddTypedIndexers(newIndexers TypedIndexers[T]) error {
	return x.untyped.AddIndexers(TypedIndexersToIndexers(newIndexers))
}

func (x *typedIndexer[T]) Add(obj any) error    { return x.untyped.Add(obj) }
func (x *typedIndexer[T]) Update(obj any) error { return x.untyped.Update(obj) }
func (x *typedIndexer[T]) Delete(obj any) error { return x.untyped.Delete(obj) }
func (x *typedIndexer[T]) List() []any          { return x.untyped.List() }
func (x *typedIndexer[T]) ListKeys() []string   { return x.untyped.ListKeys() }
func (x *typedIndexer[T]) Resync() error        { return x.untyped.Resync() }
func (x *typedIndexer[T]) Bookmark(rv string)   { x.untyped.Bookmark(rv) }

func (x *typedIndexer[T]) LastStoreSyncResourceVersion() string {
	return x.untyped.LastStoreSyncResourceVersion()
}

func (x *typedIndexer[T]) Get(obj any) (item any, exists bool, err error) { return x.untyped.Get(obj) }

func (x *typedIndexer[T]) GetByKey(key string) (item any, exists bool, err error) {
	return x.untyped.GetByKey(key)
}

func (x *typedIndexer[T]) Replace(objects []any, resourceVersion string) error {
	return x.untyped.Replace(objects, resourceVersion)
}

func (x *typedIndexer[T]) Index(indexName string, obj any) ([]any, error) {
	return x.untyped.Index(indexName, obj)
}

func (x *typedIndexer[T]) IndexKeys(indexName, indexedValue string) ([]string, error) {
	return x.untyped.IndexKeys(indexName, indexedValue)
}

func (x *typedIndexer[T]) ListIndexFuncValues(indexName string) []string {
	return x.untyped.ListIndexFuncValues(indexName)
}

func (x *typedIndexer[T]) ByIndex(indexName, indexedValue string) ([]any, error) {
	return x.untyped.ByIndex(indexName, indexedValue)
}

func (x *typedIndexer[T]) GetIndexers() Indexers { return x.untyped.GetIndexers() }

func (x *typedIndexer[T]) AddIndexers(newIndexers Indexers) error {
	return x.untyped.AddIndexers(newIndexers)
}

// typed returns objects as a []T, with err. An object that is not a T is an error instead.
func typed[T any](objects []any, err error) ([]T, error) {
	if objects == nil {
		return nil, err
	}
	out := make([]T, len(objects))
	for i, object := range objects {
		t, ok := object.(T)
		if !ok {
			return nil, objectstore.WrongType[T](object)
		}
		out[i] = t
	}
	return out, err
}
