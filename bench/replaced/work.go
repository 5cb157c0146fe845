package main

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	v1 "github.com/listwatch/listwatch/bench/apis/fleet/v1"
	"github.com/listwatch/listwatch/bench/clients/clientgo/clientset/versioned"
	"github.com/listwatch/listwatch/bench/clients/clientgo/informers/externalversions"
	"github.com/listwatch/listwatch/bench/internal/contest"
	"github.com/listwatch/listwatch/bench/replaced/operator"
)

// many is the number of objects in a large cluster.
const many = 50_000

var works = []contest.Work{
	{Name: "sync of 50,000 over HTTP", Objects: many, Rows: []contest.Row{contest.Wall.With("8x"), contest.CPU.With("10x"), contest.Bytes, contest.PeakHeap, contest.LiveEach.With("1.5x"), contest.PeakRSS}, Start: overHTTP("/sync", informer)},
	{Name: "50,000 watch events over HTTP, to a handler", Objects: many, Rows: []contest.Row{contest.Rate.With("10x"), contest.CPUEach, contest.BytesEach, contest.AllocsEach}, Start: overHTTP("/events", informer)},
	{Name: "list of 50,000 over HTTP", Objects: many, Rows: []contest.Row{contest.Wall, contest.CPU, contest.Bytes, contest.PeakHeap, contest.PeakRSS}, Start: overHTTP("/sync", list)},
	{Name: "list of 50,000 over HTTP by the REST client", Objects: many, Rows: []contest.Row{contest.Wall, contest.CPU, contest.Bytes, contest.PeakHeap, contest.PeakRSS}, Start: overHTTP("/sync", listByREST)},
	{Name: "untyped sync of 50,000 over HTTP", Objects: many, Rows: []contest.Row{contest.Wall, contest.CPU.With("5x"), contest.Bytes, contest.LiveEach}, Start: overHTTP("/sync", untypedInformer)},
	{Name: "operator of controller-runtime, first reconcile of 50,000", Objects: many, Rows: []contest.Row{contest.Wall, contest.CPU, contest.Bytes, contest.LiveEach, contest.PeakRSS}, Start: overHTTP("/sync", reconciled)},
}

// overHTTP returns a start that reads objects from the server until see was called for n of them.
func overHTTP(path string, read func(config *rest.Config, n int, see func(metav1.Object)) (any, error)) func(int, contest.Env) (contest.Run, error) {
	return func(_ int, env contest.Env) (contest.Run, error) {
		return func(n int, o *contest.Observer) (any, error) {
			// No limit on either side.
			config := &rest.Config{Host: fmt.Sprint(env.URL, path, "/", n), QPS: -1}
			return read(config, n, func(object metav1.Object) { o.See(object) })
		}, nil
	}
}

// counted returns a function that calls see, and a channel that is closed once it was called n times.
func counted(n int, see func(metav1.Object)) (each func(metav1.Object), all chan struct{}) {
	all = make(chan struct{})
	seen := 0
	return func(object metav1.Object) {
		see(object)
		if seen++; seen == n {
			close(all)
		}
	}, all
}

// informer runs an informer of a generated factory. It runs until the process ends.
func informer(config *rest.Config, n int, see func(metav1.Object)) (any, error) {
	clientset, err := versioned.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	each, all := counted(n, see)
	factory := externalversions.NewSharedInformerFactory(clientset, 0)
	machines := factory.Fleet().V1().Machines().Informer()
	_, err = machines.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { each(obj.(*v1.Machine)) },
		UpdateFunc: func(_, obj any) { each(obj.(*v1.Machine)) },
	})
	if err != nil {
		return nil, err
	}
	factory.Start(context.Background().Done())
	<-all
	return machines, nil
}

// untypedInformer runs a dynamic informer.
func untypedInformer(config *rest.Config, n int, see func(metav1.Object)) (any, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	each, all := counted(n, see)
	factory := dynamicinformer.NewDynamicSharedInformerFactory(client, 0)
	machines := factory.ForResource(v1.SchemeGroupVersion.WithResource("machines")).Informer()
	_, err = machines.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(obj any) { each(obj.(*unstructured.Unstructured)) }})
	if err != nil {
		return nil, err
	}
	factory.Start(context.Background().Done())
	<-all
	return machines, nil
}

// reconciled runs an operator of controller-runtime's.
func reconciled(config *rest.Config, n int, see func(metav1.Object)) (any, error) {
	each, all := counted(n, see)
	manager, ended, err := operator.Run(context.Background(), config, each)
	if err != nil {
		return nil, err
	}
	select {
	case <-all:
		return manager, nil
	case err := <-ended:
		return nil, err
	}
}

// list lists with a generated clientset.
func list(config *rest.Config, _ int, see func(metav1.Object)) (any, error) {
	clientset, err := versioned.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	machines, err := clientset.FleetV1().Machines(metav1.NamespaceAll).List(context.Background(), metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	return seeAll(machines, see), nil
}

// listByREST lists with a request, as clients without generated code do.
func listByREST(config *rest.Config, _ int, see func(metav1.Object)) (any, error) {
	clientset, err := versioned.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	machines := &v1.MachineList{}
	if err := clientset.FleetV1().RESTClient().Get().Resource("machines").Do(context.Background()).Into(machines); err != nil {
		return nil, err
	}
	return seeAll(machines, see), nil
}

func seeAll(machines *v1.MachineList, see func(metav1.Object)) *v1.MachineList {
	for i := range machines.Items {
		see(&machines.Items[i])
	}
	return machines
}
