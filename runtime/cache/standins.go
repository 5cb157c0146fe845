package cache

// Stand-ins for the store: who brings one in takes its stand-in out.

type (
	storeOptions     struct{}
	objectStore      struct{ Indexer }
)

func newObjectStore(KeyFunc, Indexers, storeOptions) *objectStore                { return &objectStore{} }
func (s *objectStore) get(ObjectName) (any, bool)                                { return nil, false }
func (s *objectStore) apply([]change)                                            {}
func (s *objectStore) replace(string, []record, string) []change                 { return nil }
func (s *objectStore) len() int                                                  { return 0 }
func (s *objectStore) snapshot() []any                                           { return nil }
func (s *objectStore) indexErrors() []IndexError                                 { return nil }
func (s *objectStore) Bookmark(string)                                           {}
func TypedIndexersToIndexers[T any](indexers TypedIndexers[T]) Indexers          { return nil }
func newTypedIndexer[T any](indexer Indexer) TypedIndexer[T]                     { return nil }

// DeletionHandlingMetaNamespaceKeyFunc computes keys.
func DeletionHandlingMetaNamespaceKeyFunc(any) (string, error) { return "", nil }
