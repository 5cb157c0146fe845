package listers

import (
	"fmt"
	"iter"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/listwatch/listwatch/runtime/cache"
)

// Lister is the method that the listers of all kinds have.
type Lister[T any] interface {
	// List returns the objects whose labels match the selector, in no order. The caller owns the
	// slice; the objects are shared: copy one before modifying it.
	List(selector labels.Selector) (ret []T, err error)
}

// NamespaceLister has the methods that the listers of one namespace have, and those of
// cluster-scoped kinds.
type NamespaceLister[T any] interface {
	// List returns the objects whose labels match the selector, in no order. The caller owns the
	// slice; the objects are shared: copy one before modifying it.
	List(selector labels.Selector) (ret []T, err error)
	// Get returns the object of a name. If there is none, errors.IsNotFound is true for the
	// error. The object is shared: copy it before changing it.
	Get(name string) (T, error)
}

// All iterates over the objects of a lister whose labels match the selector, as of the beginning of
// the loop. The objects are shared. It panics if List fails: if the indexer contains objects of
// another type, or its informer was released.
//
// The objects of a lister that embeds a [ResourceIndexer] are read from its indexer without copying
// them, also while the indexer changes; List is not called.
//
//	for book := range listers.All(books.Lister(), labels.Everything()) { ... }
func All[T any](lister Lister[T], selector labels.Selector) iter.Seq[T] {
	return func(yield func(T) bool) {
		if l, ok := lister.(sourced); ok {
			indexer, namespace := l.source()
			if err := cache.EachObject(indexer, namespace, selector, yield); err != nil {
				panic(err)
			}
			return
		}
		objects, err := lister.List(selector)
		if err != nil {
			panic(err)
		}
		for _, object := range objects {
			if !yield(object) {
				return
			}
		}
	}
}

// sourced is a lister that embeds a [ResourceIndexer].
type sourced interface {
	source() (cache.Indexer, string)
}

// ByIndex returns the objects of a lister that have a value in an index, of the lister's namespace
// if it has one. It returns an error if the index does not exist, or if the lister does not embed a
// [ResourceIndexer].
func ByIndex[T any](lister Lister[T], indexName, indexedValue string) ([]T, error) {
	l, ok := lister.(sourced)
	if !ok {
		return nil, fmt.Errorf("lister %T has no indexer", lister)
	}
	indexer, namespace := l.source()
	return cache.ByIndex[T](indexer, namespace, indexName, indexedValue)
}
