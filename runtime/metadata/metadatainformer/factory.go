package metadatainformer

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/informers"
	"github.com/listwatch/listwatch/runtime/metadata"
)

// SharedInformerFactory keeps shared informers, one per resource. Its methods are safe for concurrent use.
type SharedInformerFactory interface {
	// Start starts the informers that were requested and were not started yet, and returns at once. They run
	// until the channel is closed.
	Start(stopCh <-chan struct{})

	// ForResource returns the informer of a resource, which it creates at the first request. It does not start
	// it.
	ForResource(gvr schema.GroupVersionResource) informers.GenericInformer

	// WaitForCacheSync waits until the started informers have synced or the channel is closed. It returns for
	// each resource whether its informer has synced.
	WaitForCacheSync(stopCh <-chan struct{}) map[schema.GroupVersionResource]bool

	// Shutdown prevents further informers from starting and waits until the running ones have stopped. It does
	// not stop them: closing their channels does. It may be called more than once.
	Shutdown()
}

// SharedInformerOption changes a factory that is being created.
type SharedInformerOption func(*metadataSharedInformerFactory) *metadataSharedInformerFactory

// WithTransform changes objects before any informer stores them.
func WithTransform(transform cache.TransformFunc) SharedInformerOption {
	return func(f *metadataSharedInformerFactory) *metadataSharedInformerFactory {
		f.transform = transform
		return f
	}
}

// NewSharedInformerFactory returns a factory of informers for all namespaces. A defaultResync of 0 disables resync.
func NewSharedInformerFactory(client metadata.Interface, defaultResync time.Duration) SharedInformerFactory {
	return NewFilteredSharedInformerFactory(client, defaultResync, metav1.NamespaceAll, nil)
}

// NewFilteredSharedInformerFactory returns a factory of informers for a namespace, or for all namespaces if it is
// empty. tweakListOptions, if not nil, changes the options of all lists and watches.
func NewFilteredSharedInformerFactory(client metadata.Interface, defaultResync time.Duration, namespace string, tweakListOptions TweakListOptionsFunc) SharedInformerFactory {
	return &metadataSharedInformerFactory{client: client, resync: defaultResync, namespace: namespace, tweak: tweakListOptions}
}

// NewSharedInformerFactoryWithOptions is [NewSharedInformerFactory] with options.
func NewSharedInformerFactoryWithOptions(client metadata.Interface, defaultResync time.Duration, options ...SharedInformerOption) SharedInformerFactory {
	f := &metadataSharedInformerFactory{client: client, resync: defaultResync}
	for _, option := range options {
		f = option(f)
	}
	return f
}

// metadataSharedInformerFactory has the name of client-go's, which the type of options shows.
type metadataSharedInformerFactory struct {
	client    metadata.Interface
	resync    time.Duration
	namespace string
	tweak     TweakListOptionsFunc // may be nil
	transform cache.TransformFunc  // may be nil
	informers informers.Set[schema.GroupVersionResource]
}

func (f *metadataSharedInformerFactory) ForResource(gvr schema.GroupVersionResource) informers.GenericInformer {
	return metadataInformer{f.informers.InformerFor(gvr, func() cache.SharedIndexInformer {
		indexers := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
		informer := NewFilteredMetadataInformer(f.client, gvr, f.namespace, f.resync, indexers, f.tweak).Informer()
		if f.transform != nil {
			_ = informer.SetTransform(f.transform) // fails for informers that were started; another error is in the state
		}
		return informer
	}), gvr}
}

func (f *metadataSharedInformerFactory) Start(stopCh <-chan struct{}) {
	f.StartWithContext(wait.ContextForChannel(stopCh))
}

// StartWithContext is Start with a context. Client-go's factory has it too, beside the interface.
func (f *metadataSharedInformerFactory) StartWithContext(ctx context.Context) {
	f.informers.StartWithContext(ctx)
}

func (f *metadataSharedInformerFactory) WaitForCacheSync(stopCh <-chan struct{}) map[schema.GroupVersionResource]bool {
	synced, _, _ := f.informers.WaitForCacheSync(wait.ContextForChannel(stopCh))
	return synced
}

func (f *metadataSharedInformerFactory) Shutdown() { f.informers.Shutdown() }
