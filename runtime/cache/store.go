package cache

// Store stores objects by key. The stores of this package are safe for concurrent use. They return
// the stored objects, not copies: do not modify them. The caller owns the slices that they return.
type Store interface {
	// Add stores an object, in place of the one that has its key if there is one.
	Add(obj any) error
	// Update does the same as Add.
	Update(obj any) error
	// Delete deletes the object that has obj's key. Deleting a missing object is not an error.
	Delete(obj any) error
	// List returns all objects as of one moment, in no order.
	List() []any
	// ListKeys returns the keys of all objects as of one moment, in no order.
	ListKeys() []string
	// LastStoreSyncResourceVersion returns the resource version of the last object, list
	// or bookmark that the store received; for the store of an informer with several
	// sources the oldest of theirs, empty until each was listed.
	LastStoreSyncResourceVersion() string
	// Bookmark sets the resource version: nothing else changed up to it.
	Bookmark(rv string)
	// Get returns the object that has obj's key.
	Get(obj any) (item any, exists bool, err error)
	// GetByKey returns the object of a key.
	GetByKey(key string) (item any, exists bool, err error)
	// Replace replaces all objects, as of a resource version. Readers see the old objects or
	// the new ones, never some of both. The store owns the slice from then on.
	Replace(objects []any, resourceVersion string) error
	// Resync does nothing in stores that only store objects.
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
	metric               GaugeMetric                        // of the resource version, or nil
	versionFromBookmarks bool                               // see [objectstore.Options]
	pack                 func(obj, stored any) (any, error) // or nil
}

// StoreOption is an option of [NewStore] and [NewIndexer].
type StoreOption func(*storeOptions)

// WithTransformer transforms objects before they are stored. Their keys are those of the
// untransformed objects.
func WithTransformer(transformer TransformFunc) StoreOption {
	return func(o *storeOptions) { o.transform = transformer }
}

// WithStoreMetrics reports the store's resource version as a metric. If provider is nil, the
// provider of [SetInformerMetricsProvider] is used. There is no metric unless identifier is
// reserved.
func WithStoreMetrics(identifier InformerNameAndResource, provider InformerMetricsProvider) StoreOption {
	return func(o *storeOptions) {
		if p := metricsFor(identifier, provider); p != nil {
			o.metric = p.NewStoreResourceVersionMetric(identifier)
		}
	}
}

// NewStore returns an empty store of objects by key.
func NewStore(key KeyFunc, options ...StoreOption) Store {
	return NewIndexer(key, nil, options...)
}

// NewIndexer returns an empty store of objects by key, with indexes.
func NewIndexer(key KeyFunc, indexers Indexers, options ...StoreOption) Indexer {
	var o storeOptions
	for _, option := range options {
		option(&o)
	}
	return newObjectStore(key, indexers, o)
}
