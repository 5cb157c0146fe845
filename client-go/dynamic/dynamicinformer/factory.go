package dynamicinformer

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/dynamic/dynamicinformer"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

// DynamicSharedInformerFactory creates informers of resources, one for each. Its methods may be called concurrently.
type DynamicSharedInformerFactory interface {
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

// NewDynamicSharedInformerFactory returns a factory for all namespaces.
func NewDynamicSharedInformerFactory(client dynamic.Interface, defaultResync time.Duration) DynamicSharedInformerFactory {
	return factory{dynamicinformer.NewDynamicSharedInformerFactory(client, defaultResync)}
}

// NewFilteredDynamicSharedInformerFactory returns a factory for a namespace, or all if it is
// empty. tweakListOptions, unless it is nil, changes the options of each list and watch.
func NewFilteredDynamicSharedInformerFactory(client dynamic.Interface, defaultResync time.Duration, namespace string, tweakListOptions TweakListOptionsFunc) DynamicSharedInformerFactory {
	return factory{dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, defaultResync, namespace, tweakListOptions)}
}

// NewFilteredDynamicInformer returns an informer of one resource, which belongs to no factory.
func NewFilteredDynamicInformer(client dynamic.Interface, gvr schema.GroupVersionResource, namespace string, resyncPeriod time.Duration, indexers cache.Indexers, tweakListOptions TweakListOptionsFunc) informers.GenericInformer {
	return dynamicinformer.NewFilteredDynamicInformer(client, gvr, namespace, resyncPeriod, indexers, tweakListOptions)
}

// factory returns informers as this module's interface.
type factory struct {
	dynamicinformer.DynamicSharedInformerFactory
}

func (f factory) ForResource(gvr schema.GroupVersionResource) informers.GenericInformer {
	return f.DynamicSharedInformerFactory.ForResource(gvr)
}
