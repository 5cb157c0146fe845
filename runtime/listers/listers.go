package listers

import (
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/cache"
)

// ResourceIndexer reads objects of type T from an indexer. It can be copied, and used by
// many goroutines at once. The objects that it returns are the very ones that the indexer
// holds and must not be changed; the slices are the caller's.
type ResourceIndexer[T runtime.Object] struct {
	indexer   cache.Indexer
	resource  schema.GroupResource
	namespace string // empty for all, and for types of the cluster scope
}

// New returns a ResourceIndexer of all objects. The resource is for errors.
func New[T runtime.Object](indexer cache.Indexer, resource schema.GroupResource) ResourceIndexer[T] {
	return ResourceIndexer[T]{indexer: indexer, resource: resource}
}

// NewNamespaced returns a ResourceIndexer of those objects of parent that are in a namespace.
func NewNamespaced[T runtime.Object](parent ResourceIndexer[T], namespace string) ResourceIndexer[T] {
	parent.namespace = namespace
	return parent
}

// List returns the objects whose labels match, in no order; nil if there are none.
func (l ResourceIndexer[T]) List(selector labels.Selector) ([]T, error) {
	return cache.ListObjects[T](l.indexer, l.namespace, selector)
}

// Get returns the object of a name. If there is none, the error is one for which
// apimachinery's errors.IsNotFound is true.
func (l ResourceIndexer[T]) Get(name string) (T, error) {
	obj, exists, err := cache.GetObject[T](l.indexer, l.namespace, name)
	if err == nil && !exists {
		err = errors.NewNotFound(l.resource, name)
	}
	return obj, err
}
