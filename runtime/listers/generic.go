package listers

import (
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/cache"
)

// Generic returns a lister for code that does not know the type of the objects, given a lister of all objects and
// a function that returns one of a namespace.
func Generic[T runtime.Object](lister NamespaceLister[T], in func(namespace string) NamespaceLister[T]) cache.GenericLister {
	return genericLister[T]{lister, in}
}

type genericLister[T runtime.Object] struct {
	lister NamespaceLister[T]
	in     func(namespace string) NamespaceLister[T] // nil in a lister of one namespace
}

func (l genericLister[T]) List(selector labels.Selector) ([]runtime.Object, error) {
	objects, err := l.lister.List(selector)
	if err != nil {
		return nil, err
	}
	untyped := make([]runtime.Object, len(objects))
	for i, obj := range objects {
		untyped[i] = obj
	}
	return untyped, nil
}

func (l genericLister[T]) Get(name string) (runtime.Object, error) {
	obj, err := l.lister.Get(name)
	if err != nil {
		return nil, err // not a typed nil beside it
	}
	return obj, nil
}

func (l genericLister[T]) ByNamespace(namespace string) cache.GenericNamespaceLister {
	return genericLister[T]{lister: l.in(namespace)}
}
