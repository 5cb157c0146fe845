package cache

import (
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GenericLister reads objects of any kind from an [Indexer]. Do not modify the objects that it
// returns.
type GenericLister interface {
	// List returns the objects of all namespaces whose labels match.
	List(selector labels.Selector) (ret []runtime.Object, err error)
	// Get returns the object whose key is name. If there is none, apimachinery's
	// errors.IsNotFound reports true for the error.
	Get(name string) (runtime.Object, error)
	// ByNamespace returns a lister of the objects of a namespace.
	ByNamespace(namespace string) GenericNamespaceLister
}

// GenericNamespaceLister is a [GenericLister] for a namespace.
type GenericNamespaceLister interface {
	// List returns the namespace's objects whose labels match.
	List(selector labels.Selector) (ret []runtime.Object, err error)
	// Get returns the namespace's object of a name. If there is none, apimachinery's
	// errors.IsNotFound reports true for the error.
	Get(name string) (runtime.Object, error)
}

// NewGenericLister returns a lister of indexer's objects. The resource is for errors.
func NewGenericLister(indexer Indexer, resource schema.GroupResource) GenericLister {
	return genericLister{indexer: indexer, resource: resource}
}

// genericLister lists a namespace, or all if that is empty.
type genericLister struct {
	indexer   Indexer
	resource  schema.GroupResource
	namespace string
}

func (l genericLister) List(selector labels.Selector) ([]runtime.Object, error) {
	return ListObjects[runtime.Object](l.indexer, l.namespace, selector)
}

func (l genericLister) Get(name string) (runtime.Object, error) {
	obj, exists, err := GetObject[runtime.Object](l.indexer, l.namespace, name)
	if err != nil {
		return nil, err
	}
	if !exists {
		return nil, errors.NewNotFound(l.resource, name)
	}
	return obj, nil
}

func (l genericLister) ByNamespace(namespace string) GenericNamespaceLister {
	l.namespace = namespace
	return l
}
