package cache

// UndeltaStore is a [Store] that calls PushFunc with all of its objects after each change. It is safe for concurrent
// use if PushFunc is; concurrent changes may call it twice with the same objects.
type UndeltaStore struct {
	Store
	PushFunc func([]any)
}

var _ Store = &UndeltaStore{}

// NewUndeltaStore returns an empty store.
func NewUndeltaStore(pushFunc func([]any), keyFunc KeyFunc) *UndeltaStore {
	return &UndeltaStore{Store: NewStore(keyFunc), PushFunc: pushFunc}
}

// push calls PushFunc unless the change before failed.
func (u *UndeltaStore) push(err error) error {
	if err == nil {
		u.PushFunc(u.List())
	}
	return err
}

// Add adds or replaces an object.
func (u *UndeltaStore) Add(obj any) error { return u.push(u.Store.Add(obj)) }

// Update adds or replaces an object.
func (u *UndeltaStore) Update(obj any) error { return u.push(u.Store.Update(obj)) }

// Delete removes an object.
func (u *UndeltaStore) Delete(obj any) error { return u.push(u.Store.Delete(obj)) }

// Replace replaces all objects.
func (u *UndeltaStore) Replace(list []any, resourceVersion string) error {
	return u.push(u.Store.Replace(list, resourceVersion))
}
