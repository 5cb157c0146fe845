package metadatainformer

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/metadata/metadatainformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/cache"
)

// SharedInformerFactory creates informers of the metadata of resources, one for each. Its methods may be called concurrently.
type SharedInformerFactory interface {
	// Start starts all informers that were requested. They run until stopCh is closed.
	Start(stopCh <-chan struct{})

	// ForResource returns the informer and the lister of a resource.
	ForResource(gvr schema.GroupVersionResource) informers.GenericInformer

	// WaitForCacheSync waits until all started informers have synced, or stopCh is closed. It returns which have.
	WaitForCacheSync(stopCh <-chan struct{}) map[schema.GroupVersionResource]bool

	// Shutdown prevents further informers from being started, and waits for the end of those that run: their
	// channels must be closed before or meanwhile. It may be called several times, also concurrently.
	Shutdown()
}

// NewSharedInformerFactory returns a factory for all namespaces.
func NewSharedInformerFactory(client metadata.Interface, defaultResync time.Duration) SharedInformerFactory {
	return factory{metadatainformer.NewSharedInformerFactory(client, defaultResync)}
}

// NewFilteredSharedInformerFactory returns a factory for a namespace, or all if it is
// empty. tweakListOptions, unless it is nil, changes the options of each list and watch.
func NewFilteredSharedInformerFactory(client metadata.Interface, defaultResync time.Duration, namespace string, tweakListOptions TweakListOptionsFunc) SharedInformerFactory {
	return factory{metadatainformer.NewFilteredSharedInformerFactory(client, defaultResync, namespace, tweakListOptions)}
}

// NewSharedInformerFactoryWithOptions returns a factory for all namespaces, with options.
func NewSharedInformerFactoryWithOptions(client metadata.Interface, defaultResync time.Duration, options ...SharedInformerOption) SharedInformerFactory {
	return factory{metadatainformer.NewSharedInformerFactoryWithOptions(client, defaultResync, options...)}
}

// NewFilteredMetadataInformer returns an informer of one resource, which belongs to no factory.
func NewFilteredMetadataInformer(client metadata.Interface, gvr schema.GroupVersionResource, namespace string, resyncPeriod time.Duration, indexers cache.Indexers, tweakListOptions TweakListOptionsFunc) informers.GenericInformer {
	return metadatainformer.NewFilteredMetadataInformer(client, gvr, namespace, resyncPeriod, indexers, tweakListOptions)
}

// factory returns informers as this module's interface.
type factory struct {
	metadatainformer.SharedInformerFactory
}

func (f factory) ForResource(gvr schema.GroupVersionResource) informers.GenericInformer {
	return f.SharedInformerFactory.ForResource(gvr)
}
