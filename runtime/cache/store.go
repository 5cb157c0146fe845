package cache

// Store holds objects by their keys. The stores of this package can be used by many
// goroutines at once. The objects they return are the ones they hold, not copies, and must
// not be changed. The slices they return are the caller's.
type Store interface {
	// Add puts an object in, or in the place of what has its key.
	Add(obj any) error
	// Update is Add.
	Update(obj any) error
	// Delete takes out the object that has obj's key. It is no error if there is none.
	Delete(obj any) error
	// List returns all objects as of one moment, in no order.
	List() []any
	// ListKeys returns the keys of all objects as of one moment, in no order.
	ListKeys() []string
	// LastStoreSyncResourceVersion returns the resource version of the last object, list
	// or bookmark that the store was given; for the store of an informer with several
	// sources the oldest of theirs, empty until each was listed.
	LastStoreSyncResourceVersion() string
	// Bookmark says that up to a resource version nothing has changed.
	Bookmark(rv string)
	// Get returns what has obj's key.
	Get(obj any) (item any, exists bool, err error)
	// GetByKey returns what has a key.
	GetByKey(key string) (item any, exists bool, err error)
	// Replace makes the store hold these objects and no others, as of a resource version.
	// Readers see the old objects or the new ones, never some of both. The slice belongs
	// to the store from then on.
	Replace(objects []any, resourceVersion string) error
	// Resync does nothing in stores that only hold objects.
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

// storeOptions are what options of stores set.
type storeOptions struct {
	transform            TransformFunc
	metric               GaugeMetric // of the resource version, or nil
	versionFromBookmarks bool        // see [objectstore.Options]
}

// StoreOption is an option of [NewStore] and [NewIndexer].
type StoreOption func(*storeOptions)

// WithTransformer has objects transformed before they are stored. Their keys are those
// they had before.
func WithTransformer(transformer TransformFunc) StoreOption {
	return func(o *storeOptions) { o.transform = transformer }
}

// WithStoreMetrics has the store measure its resource version. Without a provider the one
// of [SetInformerMetricsProvider] is used. Nothing is measured unless identifier is reserved.
func WithStoreMetrics(identifier InformerNameAndResource, provider InformerMetricsProvider) StoreOption {
	return func(o *storeOptions) {
		if p := metricsFor(identifier, provider); p != nil {
			o.metric = p.NewStoreResourceVersionMetric(identifier)
		}
	}
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
