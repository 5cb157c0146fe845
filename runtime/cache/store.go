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
