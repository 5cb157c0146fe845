package cache

import "fmt"

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
		values, err := s.indexValues(indexName, obj)
		if err != nil {
			return nil, err
		}
		return collect[T](s, indexName, values)
	}
	return typed[T](x.Index(indexName, obj))
}

func (x typedIndexer[T]) ByTypedIndex(indexName, indexedValue string) ([]T, error) {
	if s := storeOf(x.Indexer); s != nil {
		return collect[T](s, indexName, []string{indexedValue})
	}
	return typed[T](x.ByIndex(indexName, indexedValue))
}

func (x typedIndexer[T]) AddTypedIndexers(newIndexers TypedIndexers[T]) error {
	return x.AddIndexers(TypedIndexersToIndexers(newIndexers))
}

// storeOf returns the store of this package that is behind an indexer, or nil.
func storeOf(indexer any) *objectStore {
	for {
		switch x := indexer.(type) {
		case *objectStore:
			return x
		case interface{ unwrap() Indexer }:
			indexer = x.unwrap()
		default:
			return nil
		}
	}
}

// typed returns objects as the type that they are to be of, and err if they are.
func typed[T any](objects []any, err error) ([]T, error) {
	if objects == nil {
		return nil, err
	}
	out := make([]T, len(objects))
	for i, object := range objects {
		t, ok := object.(T)
		if !ok {
			return nil, errType[T](object)
		}
		out[i] = t
	}
	return out, err
}

func errType[T any](object any) error {
	var t T
	return fmt.Errorf("the store holds %T, not %T", object, t)
}

// everything returns all objects of a store, as of one moment.
func everything[T any](s *objectStore) ([]T, error) {
	out := make([]T, 0, s.len()) // not with the lock held
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, object := range s.held.objects {
		t, ok := object.(T)
		if !ok {
			return nil, errType[T](object)
		}
		out = append(out, t)
	}
	return out, nil
}

// collect returns what has one of the values in an index, each once, as of one moment.
func collect[T any](s *objectStore, indexName string, values []string) ([]T, error) {
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
	out := make([]T, len(positions))
	for i, pos := range positions {
		t, ok := s.held.objects[pos].(T)
		if !ok {
			return nil, errType[T](s.held.objects[pos])
		}
		out[i] = t
	}
	return out, x.incomplete()
}
