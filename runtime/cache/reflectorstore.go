package cache

// ReflectorStore is what a [Reflector] keeps up to date.
type ReflectorStore interface {
	Add(obj any) error
	Update(obj any) error
	Delete(obj any) error
	Replace([]any, string) error
	Resync() error
}

// TransformingStore is a [ReflectorStore] that transforms objects: a reflector that
// buffers objects uses its transformer.
type TransformingStore interface {
	ReflectorStore
	Transformer() TransformFunc
}

// ReflectorBookmarkStore is told of bookmarks.
type ReflectorBookmarkStore interface {
	Bookmark(resourceVersion string) error
}

// ResourceVersionUpdater is told of each resource version that a watch has got to.
type ResourceVersionUpdater interface {
	UpdateResourceVersion(resourceVersion string)
}
