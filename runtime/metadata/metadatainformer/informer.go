package metadatainformer

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/informers"
	"github.com/listwatch/listwatch/runtime/internal/callsite"
	"github.com/listwatch/listwatch/runtime/metadata"
	"github.com/listwatch/listwatch/runtime/metadata/metadatalister"
)

// TweakListOptionsFunc changes the options with which an informer lists and watches.
type TweakListOptionsFunc func(*metav1.ListOptions)

// NewFilteredMetadataInformer returns an informer of a resource that belongs to no factory, for a namespace, or for
// all namespaces if it is empty. A resyncPeriod of 0 disables resync; tweakListOptions may be nil.
func NewFilteredMetadataInformer(client metadata.Interface, gvr schema.GroupVersionResource, namespace string, resyncPeriod time.Duration, indexers cache.Indexers, tweakListOptions TweakListOptionsFunc) informers.GenericInformer {
	informer := informers.NewNamespaced(client, &metav1.PartialObjectMetadata{}, gvr, namespace, informers.Options{
		ResyncPeriod:      resyncPeriod,
		Indexers:          indexers,
		TweakListOptions:  tweakListOptions,
		Owner:             callsite.Innermost(""),
		ObjectDescription: gvr.String(),
	}, func(namespace string, tweak informers.Tweak) cache.ListerWatcher {
		return cache.ListWatchFor(client.Resource(gvr).Namespace(namespace), tweak)
	})
	return metadataInformer{informer, gvr}
}

type metadataInformer struct {
	informer cache.SharedIndexInformer
	gvr      schema.GroupVersionResource
}

func (i metadataInformer) Informer() cache.SharedIndexInformer { return i.informer }

func (i metadataInformer) Lister() cache.GenericLister {
	return metadatalister.NewRuntimeObjectShim(metadatalister.New(i.informer.GetIndexer(), i.gvr))
}
