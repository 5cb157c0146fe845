package metadatalister

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/listers"
)

// Lister reads the objects of a resource.
type Lister interface {
	// List returns the objects whose labels match the selector, in no order. The slice is the caller's; the
	// objects are shared: copy one before changing it.
	List(selector labels.Selector) (ret []*metav1.PartialObjectMetadata, err error)
	// Get returns the object of a key: its name, or namespace/name. If there is none, errors.IsNotFound is true for
	// the error. The object is shared: copy it before changing it.
	Get(name string) (*metav1.PartialObjectMetadata, error)
	// Namespace returns a lister of the objects in a namespace.
	Namespace(namespace string) NamespaceLister
}

// NamespaceLister reads the objects of a resource in one namespace.
type NamespaceLister interface {
	// List is [Lister].List for the namespace.
	List(selector labels.Selector) (ret []*metav1.PartialObjectMetadata, err error)
	// Get returns the object of a name. If there is none, errors.IsNotFound is true for the error. The object is
	// shared: copy it before changing it.
	Get(name string) (*metav1.PartialObjectMetadata, error)
}

// New returns a lister of the objects in an indexer, which must be *metav1.PartialObjectMetadata. The resource is
// for errors.
func New(indexer cache.Indexer, gvr schema.GroupVersionResource) Lister {
	return lister{listers.New[*metav1.PartialObjectMetadata](indexer, gvr.GroupResource())}
}

type lister struct {
	listers.ResourceIndexer[*metav1.PartialObjectMetadata]
}

// Namespace implements [Lister].
func (l lister) Namespace(namespace string) NamespaceLister { return l.In(namespace) }

// NewRuntimeObjectShim returns a lister for code that does not know the type of the objects.
func NewRuntimeObjectShim(lister Lister) cache.GenericLister {
	return listers.Generic(lister, func(namespace string) listers.NamespaceLister[*metav1.PartialObjectMetadata] {
		return lister.Namespace(namespace)
	})
}
