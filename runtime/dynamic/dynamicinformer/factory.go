package dynamicinformer

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/dynamic"
	"github.com/listwatch/listwatch/runtime/informers"
)

// DynamicSharedInformerFactory keeps shared informers, one per resource. Its methods are safe for concurrent use.
type DynamicSharedInformerFactory interface {
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

// NewDynamicSharedInformerFactory returns a factory of informers for all namespaces. A defaultResync of 0
// disables resync.
func NewDynamicSharedInformerFactory(client dynamic.Interface, defaultResync time.Duration) DynamicSharedInformerFactory {
	return NewFilteredDynamicSharedInformerFactory(client, defaultResync, metav1.NamespaceAll, nil)
}

// NewFilteredDynamicSharedInformerFactory returns a factory of informers for a namespace, or for all namespaces if
// it is empty. tweakListOptions, if not nil, changes the options of all lists and watches.
func NewFilteredDynamicSharedInformerFactory(client dynamic.Interface, defaultResync time.Duration, namespace string, tweakListOptions TweakListOptionsFunc) DynamicSharedInformerFactory {
	return &factory{client: client, resync: defaultResync, namespace: namespace, tweak: tweakListOptions}
}

type factory struct {
	client    dynamic.Interface
	resync    time.Duration
	namespace string
	tweak     TweakListOptionsFunc // may be nil
	informers informers.Set[schema.GroupVersionResource]
}

func (f *factory) ForResource(gvr schema.GroupVersionResource) informers.GenericInformer {
	return dynamicInformer{f.informers.InformerFor(gvr, func() cache.SharedIndexInformer {
		indexers := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
		return NewFilteredDynamicInformer(f.client, gvr, f.namespace, f.resync, indexers, f.tweak).Informer()
	}), gvr}
}

func (f *factory) Start(stopCh <-chan struct{}) {
	f.informers.StartWithContext(wait.ContextForChannel(stopCh))
}

func (f *factory) WaitForCacheSync(stopCh <-chan struct{}) map[schema.GroupVersionResource]bool {
	synced, _, _ := f.informers.WaitForCacheSync(wait.ContextForChannel(stopCh))
	return synced
}

func (f *factory) Shutdown() { f.informers.Shutdown() }
