package cache

import "errors"

// ErrReleased is the error of reading from the store of an informer that has stopped since nobody
// needed it any more: its objects are those of that moment, and will not change. Listers, GetObject,
// ListObjects, and all methods of stores and indexers that read and can return an error do so.
// List, ListKeys and other methods that cannot go on to return what is held.
//
// An informer is released by the end of its context with this error as the cause, as factories
// (package informers) end it for those who acquire informers. One that was stopped otherwise can
// be read from without an error, as in client-go.
var ErrReleased = errors.New("informer was released: ask its factory for a new one, and that for its lister")

// readable returns the error of reading from any store, if there is one.
func readable(store Store) error {
	if s := storeOf(store); s != nil {
		return s.Readable()
	}
	return nil
}
