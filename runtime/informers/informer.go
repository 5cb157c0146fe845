package informers

import (
	"cmp"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/internal/callsite"
)

// New returns an informer of a cluster-scoped resource, whose objects are of example's type.
//
// When the informer first needs it, listWatch is called once, with a function that changes the
// options of each list and watch. client is the clientset that it uses: if its method
// IsWatchListSemanticsUnSupported returns true, the informer does not request WatchList.
func New(client any, example runtime.Object, resource schema.GroupVersionResource, options Options, listWatch func(tweak Tweak) cache.ListerWatcher) cache.SharedIndexInformer {
	selected := &selection{}
	tweak := selected.record(options.tweak())
	lw := &lazy{client: client, listWatch: func() cache.ListerWatcher { return listWatch(tweak) }}
	return newInformer(lw, nil, selected, example, resource, options)
}

// NewNamespaced returns an informer of a namespaced resource. It contains the objects of the
// namespaces in options, otherwise of the given namespace, otherwise of all. In other respects it
// is like [New]; listWatch is called for each namespace.
func NewNamespaced(client any, example runtime.Object, resource schema.GroupVersionResource, namespace string, options Options, listWatch func(namespace string, tweak Tweak) cache.ListerWatcher) cache.SharedIndexInformer {
	selected := &selection{}
	tweak := selected.record(options.tweak())
	from := func(namespace string) cache.ListerWatcher {
		return &lazy{client: client, listWatch: func() cache.ListerWatcher { return listWatch(namespace, tweak) }}
	}
	namespaces := slices.Compact(slices.Sorted(slices.Values(options.Namespaces)))
	switch {
	case slices.Contains(namespaces, metav1.NamespaceAll):
		namespaces = []string{metav1.NamespaceAll}
	case len(namespaces) == 0:
		namespaces = []string{namespace}
	}
	var sources []cache.Source
	for _, namespace := range namespaces {
		sources = append(sources, cache.Source{Namespace: namespace, ListerWatcher: from(namespace)})
	}
	return newInformer(nil, sources, selected, example, resource, options)
}

func newInformer(listWatch cache.ListerWatcher, sources []cache.Source, selected *selection, example runtime.Object, resource schema.GroupVersionResource, options Options) cache.SharedIndexInformer {
	informer := cache.NewSharedIndexInformerWithOptions(listWatch, example, cache.SharedIndexInformerOptions{
		ResyncPeriod:     options.ResyncPeriod,
		Indexers:         options.Indexers,
		Identifier:       options.InformerName.WithResource(resource),
		Owner:            cmp.Or(options.Owner, callsite.BeyondPackage("")),
		Selectors:        selected.selectors,
		Sources:          sources,
		Backoff:          options.Backoff,
		Undecodable:      options.Undecodable,
		ProgressDeadline: options.ProgressDeadline,
		Share:            options.Share,
		Packed:           options.Packed,
		Shards:           options.Shards,

		ObjectDescription:   options.ObjectDescription,
		AllowStaleFirstList: options.AllowStaleFirstList,
	})
	if options.Transform != nil {
		_ = informer.SetTransform(options.Transform) // the state of the informer has the error
	}
	return informer
}
