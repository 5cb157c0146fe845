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

const (
	// many is the number of objects of a kind in a large cluster.
	many = 50_000
	// cached is the number of objects that are got; of packed ones, more than stay decoded.
	cached, cachedPacked = 1_000, 20_000
)

var (
	syncing = []contest.Row{contest.Wall, contest.CPU.With("1x"), contest.Bytes, contest.PeakHeap.With("1x"), contest.LiveEach.With("2x"), contest.PeakRSS}
	syncCRD = []contest.Row{contest.Wall, contest.CPU.With("5x"), contest.Bytes, contest.PeakHeap.With("1x"), contest.LiveEach.With("2x"), contest.PeakRSS}
	event   = []contest.Row{contest.Rate.With("1x"), contest.CPUEach.With("1x"), contest.AllocsEach}
	call    = []contest.Row{contest.CPUEach.With("1x"), contest.AllocsEach}
)

var works = []contest.Work{
	{Name: "sync of 50,000 custom resources", Objects: many, Rows: syncCRD, Start: overHTTP("/sync", &v1.Machine{}, 1, whole)},
	{Name: "sync of 50,000 Pods by protobuf", Objects: many, Rows: syncing, Start: overHTTP("/sync", &corev1.Pod{}, 1, whole)},
	{Name: "50,000 updates to 1 controller", Objects: many, Rows: event, Start: overHTTP("/events", &v1.Machine{}, 1, whole)},
	{Name: "50,000 updates to 4 controllers", Objects: many, Rows: event, Start: overHTTP("/events", &v1.Machine{}, 4, whole)},
	{Name: "50,000 updates to 16 controllers", Objects: many, Rows: event, Start: overHTTP("/events", &v1.Machine{}, 16, whole)},
	{Name: "cached get of a Pod", Objects: 100_000, WarmUp: 1_000, SeesOthers: true, Rows: call, Start: onCache(get, whole)},
	{Name: "cached list, one namespace of 50", Objects: 200, WarmUp: 5, SeesOthers: true, Rows: call, Start: onCache(list(client.InNamespace(input.ReplicaNamespace(0))), whole)},
	{Name: "cached list, all of 50,000", Objects: 5, WarmUp: 1, SeesOthers: true, Rows: call, Start: onCache(list(), whole)},
	{Name: "cached list by index, a node of 500", Objects: 2_000, WarmUp: 20, SeesOthers: true, Rows: call, Start: onCache(list(client.MatchingFields{byNode: input.ReplicaNode(0)}), whole)},
	{Name: "sync of 50,000 Pods by protobuf, packed", Objects: many, Rows: syncing, Start: overHTTP("/sync", &corev1.Pod{}, 1, inPacks)},
	{Name: "sync of 50,000 Pods by protobuf, three fields", Objects: many, Rows: syncing, Start: overHTTP("/sync", &corev1.Pod{}, 1, cut)},
	{Name: "50,000 updates to 1 controller, packed", Objects: many, Rows: event, Start: overHTTP("/events", &v1.Machine{}, 1, inPacks)},
	{Name: "cached get of a Pod, packed", Objects: 100_000, WarmUp: 1_000, SeesOthers: true, Rows: call, Start: onCache(get, inPacks)},
	{Name: "cached get of a Pod, three fields", Objects: 100_000, WarmUp: 1_000, SeesOthers: true, Rows: call, Start: onCache(get, cut)},
	{Name: "cached list by index, a node of 500, packed", Objects: 2_000, WarmUp: 20, SeesOthers: true, Rows: call, Start: onCache(list(client.MatchingFields{byNode: input.ReplicaNode(0)}), inPacks)},
	{Name: "cached list by index, a node of 500, three fields", Objects: 2_000, WarmUp: 20, SeesOthers: true, Rows: call, Start: onCache(list(client.MatchingFields{byNode: input.ReplicaNode(0)}), cut)},
	{Name: "cached list by labels that none has", Objects: 20, WarmUp: 2, SeesOthers: true, Rows: call, Start: onCache(list(client.MatchingLabels{"no": "such"}), whole)},
}

// byNode is the index of pods by their nodes.
const byNode = "spec.nodeName"

// newCache returns a running cache of a contender.
func newCache(contender int, host string, as form) (cache.Cache, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{v1.AddToScheme, corev1.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(v1.SchemeGroupVersion.WithKind("Machine"), meta.RESTScopeNamespace)
	mapper.Add(corev1.SchemeGroupVersion.WithKind("Pod"), meta.RESTScopeNamespace)
	c, err := as.newCache(contender, &rest.Config{Host: host, QPS: -1}, cache.Options{Scheme: scheme, Mapper: mapper})
	if err != nil {
		return nil, err
	}
	go func() { _ = c.Start(context.Background()) }() // until the process ends
	return c, nil
}

// overHTTP returns a start that runs an informer on the server until its handlers have been called for every
// object.
func overHTTP(path string, example client.Object, handlers int, as form) func(int, contest.Env) (contest.Run, error) {
	return func(contender int, env contest.Env) (contest.Run, error) {
		return func(n int, o *contest.Observer) (any, error) {
			c, err := newCache(contender, fmt.Sprint(env.URL, path, "/", n), as)
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

// reads are what is read: a cache, and keys of some pods in it.
type reads struct {
	cache cache.Cache
	keys  []client.ObjectKey
}

// onCache returns a start that syncs a cache of pods with an index, which do reads.
func onCache(do func(r reads, n int, o *contest.Observer) error, as form) func(int, contest.Env) (contest.Run, error) {
	return func(contender int, env contest.Env) (contest.Run, error) {
		c, err := newCache(contender, env.URL+"/sync/0", as)
		if err != nil {
			return nil, err
		}
		ctx := context.Background()
		if err := c.IndexField(ctx, &corev1.Pod{}, byNode, func(o client.Object) []string { return []string{o.(*corev1.Pod).Spec.NodeName} }); err != nil {
			return nil, err
		}
		for !c.WaitForCacheSync(ctx) {
		}
		pods := &corev1.PodList{}
		if err := c.List(ctx, pods); err != nil {
			return nil, err
		}
		r, keys := reads{cache: c}, cached
		if as == inPacks {
			keys = cachedPacked
		}
		for i := range min(len(pods.Items), keys) {
			r.keys = append(r.keys, client.ObjectKeyFromObject(input.Replica(i)))
		}
		return func(n int, o *contest.Observer) (any, error) { return c, do(r, n, o) }, nil
	}
}

// get gets n pods, as many different ones as there are keys.
func get(r reads, n int, o *contest.Observer) error {
	for i := range n {
		pod := &corev1.Pod{}
		if err := r.cache.Get(context.Background(), r.keys[i%len(r.keys)], pod); err != nil {
			return err
		}
		o.See(pod)
	}
	return nil
}

// list lists pods n times.
func list(opts ...client.ListOption) func(r reads, n int, o *contest.Observer) error {
	return func(r reads, n int, o *contest.Observer) error {
		for range n {
			pods := &corev1.PodList{}
			if err := r.cache.List(context.Background(), pods, opts...); err != nil {
				return err
			}
			for i := range pods.Items {
				o.See(&pods.Items[i])
			}
		}
		return nil
	}
}
