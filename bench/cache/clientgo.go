package main

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	v1 "github.com/listwatch/listwatch/bench/apis/fleet/v1"
	"github.com/listwatch/listwatch/bench/clients/clientgo/clientset/versioned"
	"github.com/listwatch/listwatch/bench/clients/clientgo/informers/externalversions"
	fleetlisters "github.com/listwatch/listwatch/bench/clients/clientgo/listers/fleet/v1"
)

func clientGo() *contender {
	return &contender{
		name: "client-go",
		indexer: func() indexer {
			return cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc, instanceIndex: byInstance})
		},
		lister: func(i indexer) lister {
			machines := fleetlisters.NewMachineLister(i.(cache.Indexer))
			return lister{machines.List, func(namespace string) namespaceLister { return machines.Machines(namespace) }}
		},
		inform: func(s source) informer {
			lw := &cache.ListWatch{ListFunc: s.list, WatchFunc: s.watch}
			i := cache.NewSharedIndexInformer(cache.ToListWatcherWithWatchListSemantics(lw, s), &v1.Machine{}, 0, cache.Indexers{})
			return informer{
				handle: func(h handler) (func() bool, error) {
					registration, err := i.AddEventHandler(clientGoHandler(h))
					return registration.HasSynced, err
				},
				run:  i.RunWithContext,
				held: i,
			}
		},
		factory: clientGoFactory,
		untyped: clientGoUntyped,
		// client-go has no option for it; this is what controllers do.
		withoutManaged: func(obj any) (any, error) {
			obj.(*v1.Machine).ManagedFields = nil
			return obj, nil
		},
		queue: func() queue { return workqueue.NewTypedRateLimitingQueue[string](never{}) },
	}
}

func clientGoHandler(h handler) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { h(obj.(*v1.Machine)) },
		UpdateFunc: func(_, obj any) { h(obj.(*v1.Machine)) },
	}
}

func clientGoFactory(host string, transform transform, h handler) (any, error) {
	clientset, err := versioned.NewForConfig(&rest.Config{Host: host, QPS: -1})
	if err != nil {
		return nil, err
	}
	var options []externalversions.SharedInformerOption
	if transform != nil {
		options = append(options, externalversions.WithTransform(cache.TransformFunc(transform)))
	}
	factory := externalversions.NewSharedInformerFactoryWithOptions(clientset, 0, options...)
	i := factory.Fleet().V1().Machines().Informer()
	registration, err := i.AddEventHandler(clientGoHandler(h))
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	factory.StartWithContext(ctx)
	cache.WaitFor(ctx, "", registration.HasSyncedChecker())
	return i, nil
}

func clientGoUntyped(host string, h func(*unstructured.Unstructured)) (any, error) {
	client, err := dynamic.NewForConfig(&rest.Config{Host: host, QPS: -1})
	if err != nil {
		return nil, err
	}
	factory := dynamicinformer.NewDynamicSharedInformerFactory(client, 0)
	i := factory.ForResource(v1.SchemeGroupVersion.WithResource("machines")).Informer()
	registration, err := i.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(obj any) { h(obj.(*unstructured.Unstructured)) }})
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	factory.Start(ctx.Done())
	cache.WaitFor(ctx, "", registration.HasSyncedChecker())
	return i, nil
}
