package listers

import (
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/cache"
)

// ResourceIndexer reads objects of type T from an indexer. It can be copied, and is safe for
// concurrent use. The returned objects are the stored ones and must not be modified; the caller
// owns the slices.
type ResourceIndexer[T runtime.Object] struct {
	indexer   cache.Indexer
	resource  schema.GroupResource
	namespace string // empty for all, and for cluster-scoped types
}

// New returns a ResourceIndexer of all objects. The resource is for errors.
func New[T runtime.Object](indexer cache.Indexer, resource schema.GroupResource) ResourceIndexer[T] {
	return ResourceIndexer[T]{indexer: indexer, resource: resource}
}

// NewNamespaced returns a ResourceIndexer of the objects of parent in a namespace.
func NewNamespaced[T runtime.Object](parent ResourceIndexer[T], namespace string) ResourceIndexer[T] {
	return parent.In(namespace)
}

// In returns a ResourceIndexer of the objects in a namespace.
func (l ResourceIndexer[T]) In(namespace string) ResourceIndexer[T] {
	l.namespace = namespace
	return l
}

// source returns the indexer, and the namespace whose objects are read from it.
func (l ResourceIndexer[T]) source() (cache.Indexer, string) { return l.indexer, l.namespace }

// List returns the objects whose labels match, in no order; nil if there are none.
func (l ResourceIndexer[T]) List(selector labels.Selector) ([]T, error) {
	return cache.ListObjects[T](l.indexer, l.namespace, selector)
}

// Get returns the object of a name. If there is none, errors.IsNotFound is true for the
// error.
func (l ResourceIndexer[T]) Get(name string) (T, error) {
	obj, exists, err := cache.GetObject[T](l.indexer, l.namespace, name)
	if err == nil && !exists {
		err = errors.NewNotFound(l.resource, name)
	}
	return obj, err
}
