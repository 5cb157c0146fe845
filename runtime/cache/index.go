package cache

// NamespaceIndex is the name of the index by namespace.
const NamespaceIndex string = "namespace"

// IndexFunc computes an object's values in an index.
type IndexFunc func(obj any) ([]string, error)

// Indexers are index functions by the name of their index.
type Indexers map[string]IndexFunc

// TypedIndexFunc is an [IndexFunc] for objects of type T.
type TypedIndexFunc[T any] func(obj T) ([]string, error)

// TypedIndexers are typed index functions by the name of their index.
type TypedIndexers[T any] map[string]TypedIndexFunc[T]

// Indexer is a [Store] that finds objects by index values, too.
type Indexer interface {
	Store
	Index(indexName string, obj any) ([]any, error)
	IndexKeys(indexName, indexedValue string) ([]string, error)
	ListIndexFuncValues(indexName string) []string
	ByIndex(indexName, indexedValue string) ([]any, error)
	GetIndexers() Indexers
	AddIndexers(newIndexers Indexers) error
}

// TypedIndexer is an [Indexer] of objects of type T.
type TypedIndexer[T any] interface {
	Indexer
	TypedIndex(indexName string, obj T) ([]T, error)
	ByTypedIndex(indexName, indexedValue string) ([]T, error)
	AddTypedIndexers(newIndexers TypedIndexers[T]) error
}

// IndexError is the failure of an index function for an object.
type IndexError struct {
	Index string
	Name  ObjectName
	Err   error
}
