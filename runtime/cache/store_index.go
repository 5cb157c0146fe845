package cache

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/listwatch/listwatch/runtime/cache/internal/objectstore"
)

// NamespaceIndex is the name of the index by namespace, whose function is usually
// [MetaNamespaceIndexFunc].
const NamespaceIndex string = "namespace"

// IndexFunc computes an object's values in an index: none, one or several. It must return the same
// values for the same state of an object, must not modify the object, and may be called
// concurrently. It may read the store, and call methods of its informer that read; it must not
// write to the store or add handlers or indexes. If it fails or panics, the object is missing from
// the index: [State] lists it, and reads of the index return an [IncompleteIndexError] until the
// object is deleted or has values.
type IndexFunc func(obj any) ([]string, error)

// Indexers are index functions by the name of their index.
type Indexers map[string]IndexFunc

// Indices are indexes by their names: keys by indexed values.
type Indices map[string]map[string]sets.Set[string]

// TypedIndexFunc is an [IndexFunc] for objects of type T.
type TypedIndexFunc[T any] func(obj T) ([]string, error)

// TypedIndexers are typed index functions by the name of their index.
type TypedIndexers[T any] map[string]TypedIndexFunc[T]

// Indexer is a [Store] that also finds objects by index values. While objects are missing from an
// index, Index, IndexKeys and ByIndex return what they find together with an
// [IncompleteIndexError].
type Indexer interface {
	Store
	// Index returns the objects that have an index value in common with obj, which need not
	// be in the store. It fails if the index does not exist, or its function fails for obj.
	Index(indexName string, obj any) ([]any, error)
	// IndexKeys returns the keys of the objects that have a value in an index, sorted. It
	// fails if the index does not exist.
	IndexKeys(indexName, indexedValue string) ([]string, error)
	// ListIndexFuncValues returns all values that objects have in an index, in no order;
	// none if the index does not exist. It cannot return an error: values may be missing if
	// IndexKeys returns one for any value in the index.
	ListIndexFuncValues(indexName string) []string
	// ByIndex returns the objects that have a value in an index. It fails if the index does
	// not exist.
	ByIndex(indexName, indexedValue string) ([]any, error)
	// GetIndexers returns the index functions.
	GetIndexers() Indexers
	// AddIndexers adds indexes, also of the objects in the store. If one of the names exists,
	// it fails and adds no index. Writers and readers do not wait for the index functions,
	// unless objects change faster than these are called. An index can be read when it is
	// complete.
	AddIndexers(newIndexers Indexers) error
}

// TypedIndexer is an [Indexer] of objects of type T.
type TypedIndexer[T any] interface {
	Indexer
	// TypedIndex is Index for objects of type T.
	TypedIndex(indexName string, obj T) ([]T, error)
	// ByTypedIndex is ByIndex for objects of type T.
	ByTypedIndex(indexName, indexedValue string) ([]T, error)
	// AddTypedIndexers is AddIndexers for typed index functions.
	AddTypedIndexers(newIndexers TypedIndexers[T]) error
}

// IndexError is the failure of an index function for an object.
type IndexError struct {
	Index string
	Name  ObjectName
	Err   error
}

// IncompleteIndexError reports that objects are missing from an index because its function
// failed for them. Reads of the index return it together with the objects that they found, which
// may not be all.
type IncompleteIndexError struct {
	// Index is the index's name.
	Index string
	// Missing is the number of missing objects; [State] lists those of an informer.
	Missing int
	// Name is one of them, and Err why it is missing.
	Name ObjectName
	Err  error
}

func (e *IncompleteIndexError) Error() string {
	if e.Missing == 1 {
		return fmt.Sprintf("index %q is missing %s: %v", e.Index, e.Name, e.Err)
	}
	return fmt.Sprintf("index %q is missing %d objects, one of them %s: %v", e.Index, e.Missing, e.Name, e.Err)
}

// Unwrap returns why one of the objects is missing.
func (e *IncompleteIndexError) Unwrap() error { return e.Err }

// MetaNamespaceIndexFunc is the [IndexFunc] for API objects' namespaces. The one value
// is empty for objects without a namespace.
func MetaNamespaceIndexFunc(obj any) ([]string, error) {
	accessor, err := meta.Accessor(obj)
	if err != nil {
		return []string{""}, fmt.Errorf("object has no meta: %w", err)
	}
	return []string{accessor.GetNamespace()}, nil
}

// indexes returns the definitions of the indexes.
func (x Indexers) indexes() []objectstore.Index {
	out := make([]objectstore.Index, 0, len(x))
	for name, f := range x {
		out = append(out, objectstore.Index{Name: name, Func: f, ByNamespace: isNamespaceIndexFunc(f)})
	}
	return out
}

// isNamespaceIndexFunc reports whether f is [MetaNamespaceIndexFunc].
func isNamespaceIndexFunc(f IndexFunc) bool {
	return reflect.ValueOf(f).Pointer() == reflect.ValueOf(MetaNamespaceIndexFunc).Pointer()
}

func (s objectStore) GetIndexers() Indexers {
	indexes := s.Indexes()
	out := make(Indexers, len(indexes))
	for _, x := range indexes {
		out[x.Name] = x.Func
	}
	return out
}

func (s objectStore) AddIndexers(newIndexers Indexers) error {
	return s.AddIndexes(newIndexers.indexes())
}

// IndexFuncToKeyFuncAdapter returns a [KeyFunc] that uses an object's index value as its key. It
// fails for an object that does not have exactly one.
func IndexFuncToKeyFuncAdapter(indexFunc IndexFunc) KeyFunc {
	return func(obj any) (string, error) {
		values, err := indexFunc(obj)
		switch {
		case err != nil:
			return "", err
		case len(values) > 1:
			return "", fmt.Errorf("too many keys: %v", values)
		case len(values) == 0:
			return "", fmt.Errorf("unexpected empty indexKeys")
		}
		return values[0], nil
	}
}

// TypedIndexersToIndexers returns the index functions as untyped ones, for untyped APIs.
func TypedIndexersToIndexers[T any](indexers TypedIndexers[T]) Indexers {
	untyped := make(Indexers, len(indexers))
	for name, f := range indexers {
		untyped[name] = TypedIndexerFuncToIndexerFunc(f)
	}
	return untyped
}

// TypedIndexerFuncToIndexerFunc returns an index function as an untyped one. It fails for
// an object that is not a T.
func TypedIndexerFuncToIndexerFunc[T any](indexer TypedIndexFunc[T]) IndexFunc {
	return func(obj any) ([]string, error) {
		typed, ok := obj.(T)
		if !ok {
			return nil, fmt.Errorf("index function for %s called with %T", reflect.TypeFor[T](), obj)
		}
		return indexer(typed)
	}
}
