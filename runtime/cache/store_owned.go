package cache

import (
	"k8s.io/apimachinery/pkg/labels"

	"github.com/listwatch/listwatch/runtime/cache/internal/objectstore"
	"github.com/listwatch/listwatch/runtime/cache/internal/packing"
)

// EachOwned is [EachObject] for callers that want objects of their own, and so would copy each. It calls yield with whether the
// caller owns the object: a packed one that is not decoded is decoded for the caller alone, which takes about as long as a deep
// copy, and it does not stay decoded. Others are those in the indexer.
func EachOwned[T any](indexer Indexer, namespace string, selector labels.Selector, yield func(object T, owned bool) bool) error {
	if labels.MatchesNothing(selector) {
		return nil
	}
	s := storeOf(indexer)
	if s == nil {
		return EachObject(indexer, namespace, selector, func(object T) bool { return yield(object, false) })
	}
	if err := s.Readable(); err != nil {
		return err
	}
	return eachSelected(s, namespace, selector, packing.Read, yield)
}

// EachOwnedByIndex is [EachOwned] for the objects that have a value in an index. An error of the index is returned before yield is
// called.
func EachOwnedByIndex[T any](indexer Indexer, index, value string, yield func(object T, owned bool) bool) error {
	var stored []any
	var err error
	if s := storeOf(indexer); s != nil {
		stored, err = s.HeldByIndex(index, value)
	} else {
		stored, err = indexer.ByIndex(index, value)
	}
	if err != nil {
		return err
	}
	for _, one := range stored {
		object, owned := packing.Read(one)
		t, ok := object.(T)
		if !ok {
			return objectstore.WrongType[T](object)
		}
		if !yield(t, owned) {
			return nil
		}
	}
	return nil
}
