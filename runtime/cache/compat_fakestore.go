package cache

// FakeCustomStore is a [Store] made of functions, for tests. A method without a function does
// nothing and returns zero values.
type FakeCustomStore struct {
	AddFunc                          func(obj any) error
	UpdateFunc                       func(obj any) error
	DeleteFunc                       func(obj any) error
	ListFunc                         func() []any
	ListKeysFunc                     func() []string
	GetFunc                          func(obj any) (item any, exists bool, err error)
	GetByKeyFunc                     func(key string) (item any, exists bool, err error)
	ReplaceFunc                      func(list []any, resourceVersion string) error
	ResyncFunc                       func() error
	BookmarkFunc                     func(rv string)
	LastStoreSyncResourceVersionFunc func() string
}

var _ Store = &FakeCustomStore{}

// Add calls AddFunc.
func (f *FakeCustomStore) Add(obj any) error { return callOn(f.AddFunc, obj) }

// Update calls UpdateFunc.
func (f *FakeCustomStore) Update(obj any) error { return callOn(f.UpdateFunc, obj) }

// Delete calls DeleteFunc.
func (f *FakeCustomStore) Delete(obj any) error { return callOn(f.DeleteFunc, obj) }

// List calls ListFunc.
func (f *FakeCustomStore) List() []any { return callFor(f.ListFunc) }

// ListKeys calls ListKeysFunc.
func (f *FakeCustomStore) ListKeys() []string { return callFor(f.ListKeysFunc) }

// Get calls GetFunc.
func (f *FakeCustomStore) Get(obj any) (item any, exists bool, err error) {
	if f.GetFunc == nil {
		return nil, false, nil
	}
	return f.GetFunc(obj)
}

// GetByKey calls GetByKeyFunc.
func (f *FakeCustomStore) GetByKey(key string) (item any, exists bool, err error) {
	if f.GetByKeyFunc == nil {
		return nil, false, nil
	}
	return f.GetByKeyFunc(key)
}

// Replace calls ReplaceFunc.
func (f *FakeCustomStore) Replace(list []any, resourceVersion string) error {
	if f.ReplaceFunc == nil {
		return nil
	}
	return f.ReplaceFunc(list, resourceVersion)
}

// Resync calls ResyncFunc.
func (f *FakeCustomStore) Resync() error { return callFor(f.ResyncFunc) }

// Bookmark calls BookmarkFunc.
func (f *FakeCustomStore) Bookmark(rv string) {
	if f.BookmarkFunc != nil {
		f.BookmarkFunc(rv)
	}
}

// LastStoreSyncResourceVersion calls LastStoreSyncResourceVersionFunc.
func (f *FakeCustomStore) LastStoreSyncResourceVersion() string {
	return callFor(f.LastStoreSyncResourceVersionFunc)
}

// callOn calls f unless it is nil.
func callOn(f func(any) error, obj any) error {
	if f == nil {
		return nil
	}
	return f(obj)
}

// callFor returns the result of f, or the zero value if it is nil.
func callFor[T any](f func() T) (result T) {
	if f == nil {
		return result
	}
	return f()
}
