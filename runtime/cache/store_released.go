package cache

import "errors"

// ErrReleased is the error of reads from the store of an informer that has stopped because nobody
// needs it any more: its objects are as of that moment and do not change. Listers, GetObject,
// ListObjects, and all methods of stores and indexers that read and can return an error return it.
// List, ListKeys and other methods without an error return the stored objects.
//
// An informer is released when its context ends with this error as the cause. Factories (package
// informers) do that for informers that were acquired. An informer that was stopped otherwise can
// be read without an error, as in client-go.
var ErrReleased = errors.New("informer was released: get a new one from its factory, and its lister from that")

// readable returns the error of reads from any store, if there is one.
func readable(store Store) error {
	if s := storeOf(store); s != nil {
		return s.Readable()
	}
	return nil
}
