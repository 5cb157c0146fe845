package main

import (
	"context"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	theircache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "github.com/listwatch/listwatch/bench/apis/fleet/v1"
	"github.com/listwatch/listwatch/bench/internal/contest"
	"github.com/listwatch/listwatch/bench/internal/input"
)

// many is the number of objects of a kind in a large cluster, cached the number in reads. Tests make the latter
// smaller.
const many = 50_000

var cached = many

var (
	syncing = []contest.Row{contest.Wall, contest.CPU, contest.Bytes, contest.PeakHeap, contest.LiveEach.With("2x"), contest.PeakRSS}
	syncCRD = []contest.Row{contest.Wall, contest.CPU.With("5x"), contest.Bytes, contest.PeakHeap, contest.LiveEach.With("2x"), contest.PeakRSS}
	event   = []contest.Row{contest.Rate.With("1x"), contest.CPUEach.With("1x"), contest.AllocsEach}
	call    = []contest.Row{contest.CPUEach.With("1x"), contest.AllocsEach}
)

var works = []contest.Work{
	{Name: "sync of 50,000 custom resources", Objects: many, Rows: syncCRD, Start: overHTTP("/sync", &v1.Machine{}, 1)},
	{Name: "sync of 50,000 pods by protobuf", Objects: many, Rows: syncing, Start: overHTTP("/sync", &corev1.Pod{}, 1)},
	{Name: "50,000 updates to 1 controller", Objects: many, Rows: event, Start: overHTTP("/events", &v1.Machine{}, 1)},
	{Name: "50,000 updates to 4 controllers", Objects: many, Rows: event, Start: overHTTP("/events", &v1.Machine{}, 4)},
	{Name: "50,000 updates to 16 controllers", Objects: many, Rows: event, Start: overHTTP("/events", &v1.Machine{}, 16)},
	{Name: "cached get", Objects: 200_000, WarmUp: 1_000, SeesOthers: true, Rows: call, Start: onCache(get)},
	{Name: "cached list of 50,000", Objects: 5, WarmUp: 1, SeesOthers: true, Rows: call, Start: onCache(list())},
	{Name: "cached list by labels that none has", Objects: 20, WarmUp: 2, SeesOthers: true, Rows: call, Start: onCache(list(client.MatchingLabels{"no": "such"}))},
}

// newCache returns a running cache of a contender.
func newCache(contender int, host string) (cache.Cache, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{v1.AddToScheme, corev1.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(v1.SchemeGroupVersion.WithKind("Machine"), meta.RESTScopeNamespace)
	mapper.Add(corev1.SchemeGroupVersion.WithKind("Pod"), meta.RESTScopeNamespace)
	c, err := constructors[contender](&rest.Config{Host: host, QPS: -1}, cache.Options{Scheme: scheme, Mapper: mapper})
	if err != nil {
		return nil, err
	}
	go func() { _ = c.Start(context.Background()) }() // until the process ends
	return c, nil
}

// overHTTP returns a start that runs an informer on the server until its handlers have been called for every
// object.
func overHTTP(path string, example client.Object, handlers int) func(int, contest.Env) (contest.Run, error) {
	return func(contender int, env contest.Env) (contest.Run, error) {
		return func(n int, o *contest.Observer) (any, error) {
			c, err := newCache(contender, fmt.Sprint(env.URL, path, "/", n))
			if err != nil {
				return nil, err
			}
			ctx := context.Background()
			informer, err := c.GetInformer(ctx, example, cache.BlockUntilSynced(false))
			if err != nil {
				return nil, err
			}
			var all sync.WaitGroup
			for i := range handlers {
				all.Add(1)
				told := 0
				if _, err := informer.AddEventHandler(theircache.ResourceEventHandlerFuncs{AddFunc: func(obj any) {
					if i == 0 {
						o.See(obj.(client.Object))
					}
					if told++; told == n {
						all.Done()
					}
				}}); err != nil {
					return nil, err
				}
			}
			all.Wait()
			return c, nil
		}, nil
	}
}

// onCache returns a start that syncs a cache of machines, which do reads.
func onCache(do func(c cache.Cache, n int, o *contest.Observer) error) func(int, contest.Env) (contest.Run, error) {
	return func(contender int, env contest.Env) (contest.Run, error) {
		c, err := newCache(contender, fmt.Sprint(env.URL, "/sync/", cached))
		if err != nil {
			return nil, err
		}
		for !c.WaitForCacheSync(context.Background()) {
		}
		if _, err := c.GetInformer(context.Background(), &v1.Machine{}); err != nil {
			return nil, err
		}
		return func(n int, o *contest.Observer) (any, error) { return c, do(c, n, o) }, nil
	}
}

// get gets n machines.
func get(c cache.Cache, n int, o *contest.Observer) error {
	for i := range n {
		machine := &v1.Machine{}
		if err := c.Get(context.Background(), client.ObjectKey{Namespace: input.Namespace, Name: input.Name(i % cached)}, machine); err != nil {
			return err
		}
		o.See(machine)
	}
	return nil
}

// list lists machines n times.
func list(opts ...client.ListOption) func(c cache.Cache, n int, o *contest.Observer) error {
	return func(c cache.Cache, n int, o *contest.Observer) error {
		for range n {
			machines := &v1.MachineList{}
			if err := c.List(context.Background(), machines, opts...); err != nil {
				return err
			}
			for i := range machines.Items {
				o.See(&machines.Items[i])
			}
		}
		return nil
	}
}
