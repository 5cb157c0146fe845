package cache

// Store holds objects by their keys.
type Store interface {
	Add(obj any) error
	Update(obj any) error
	Delete(obj any) error
	List() []any
	ListKeys() []string
	LastStoreSyncResourceVersion() string
	Bookmark(rv string)
	Get(obj any) (item any, exists bool, err error)
	GetByKey(key string) (item any, exists bool, err error)
	Replace([]any, string) error
	Resync() error
}

// KeyLister is anything that lists its keys.
type KeyLister interface {
	ListKeys() []string
}

// KeyGetter is anything that finds a value by its key.
type KeyGetter interface {
	GetByKey(key string) (value any, exists bool, err error)
}

// KeyListerGetter is anything that lists its keys and finds values by them.
type KeyListerGetter interface {
	KeyLister
	KeyGetter
}

// storeOptions is what a [StoreOption] sets.
type storeOptions struct {
	transform TransformFunc
}

// StoreOption is an option of [NewStore] and [NewIndexer].
type StoreOption func(*storeOptions)

// WithTransformer has objects transformed before they are stored. Their keys are those
// they had before.
func WithTransformer(transformer TransformFunc) StoreOption {
	return func(o *storeOptions) { o.transform = transformer }
}

// NewStore returns an empty store that knows objects by key.
func NewStore(key KeyFunc, options ...StoreOption) Store {
	return NewIndexer(key, nil, options...)
}

// NewIndexer returns an empty store with indexes that knows objects by key.
func NewIndexer(key KeyFunc, indexers Indexers, options ...StoreOption) Indexer {
	var o storeOptions
	for _, option := range options {
		option(&o)
	}
	return newObjectStore(key, indexers, o)
}
