package dynamicinformer

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/dynamic"
	"github.com/listwatch/listwatch/runtime/dynamic/dynamiclister"
	"github.com/listwatch/listwatch/runtime/informers"
	"github.com/listwatch/listwatch/runtime/internal/callsite"
)

// TweakListOptionsFunc changes the options with which an informer lists and watches.
type TweakListOptionsFunc func(*metav1.ListOptions)

// NewFilteredDynamicInformer returns an informer of a resource that belongs to no factory, for a namespace, or for
// all namespaces if it is empty. A resyncPeriod of 0 disables resync; tweakListOptions may be nil.
func NewFilteredDynamicInformer(client dynamic.Interface, gvr schema.GroupVersionResource, namespace string, resyncPeriod time.Duration, indexers cache.Indexers, tweakListOptions TweakListOptionsFunc) informers.GenericInformer {
	informer := informers.NewNamespaced(client, &unstructured.Unstructured{}, gvr, namespace, informers.Options{
		ResyncPeriod:      resyncPeriod,
		Indexers:          indexers,
		TweakListOptions:  tweakListOptions,
		Owner:             callsite.Innermost(""),
		ObjectDescription: gvr.String(),
	}, func(namespace string, tweak informers.Tweak) cache.ListerWatcher {
		return cache.ListWatchFor(client.Resource(gvr).Namespace(namespace), tweak)
	})
	return dynamicInformer{informer, gvr}
}

type dynamicInformer struct {
	informer cache.SharedIndexInformer
	gvr      schema.GroupVersionResource
}

func (i dynamicInformer) Informer() cache.SharedIndexInformer { return i.informer }

func (i dynamicInformer) Lister() cache.GenericLister {
	return dynamiclister.NewRuntimeObjectShim(dynamiclister.New(i.informer.GetIndexer(), i.gvr))
}
