package cache

import "github.com/listwatch/listwatch/runtime/cache/internal/objectstore"

// typedIndexer adapts any [Indexer].
type typedIndexer[T any] struct {
	Indexer
}

func newTypedIndexer[T any](indexer Indexer) TypedIndexer[T] {
	return typedIndexer[T]{indexer}
}

// unwrap returns what is adapted.
func (x typedIndexer[T]) unwrap() Indexer { return x.Indexer }

func (x typedIndexer[T]) TypedIndex(indexName string, obj T) ([]T, error) {
	if s := storeOf(x.Indexer); s != nil {
		values, err := s.IndexValues(indexName, obj)
		if err != nil {
			return nil, err
		}
		return objectstore.Having[T](s, indexName, values)
	}
	return typed[T](x.Index(indexName, obj))
}

func (x typedIndexer[T]) ByTypedIndex(indexName, indexedValue string) ([]T, error) {
	if s := storeOf(x.Indexer); s != nil {
		return objectstore.Having[T](s, indexName, []string{indexedValue})
	}
	return typed[T](x.ByIndex(indexName, indexedValue))
}

func (x typedIndexer[T]) AddTypedIndexers(newIndexers TypedIndexers[T]) error {
	return x.AddIndexers(TypedIndexersToIndexers(newIndexers))
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
