package controllerruntime_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	theircache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/clientgo"
	"github.com/listwatch/listwatch/controllerruntime"
	"github.com/listwatch/listwatch/kubernetes"
	"github.com/listwatch/listwatch/kubernetes/shards"
)

// found begins a ring, which takes the duration of a Lease: the members that follow have longer Leases, so that slow
// machines do not matter, and need not wait.
func found(t *testing.T, srv *embedded.Server, key shards.Key) {
	t.Helper()
	founder := member(t, srv, shards.Options{Identity: "founder", Key: key, LeaseDuration: 2 * time.Second})
	shared(t, founder)
	leave(t, founder)
}

// join makes the test a member of a ring until its end. Slots are handed over as soon as they can be.
func join(t *testing.T, srv *embedded.Server, identity string, key shards.Key) *shards.Ring {
	t.Helper()
	return member(t, srv, shards.Options{Identity: identity, Key: key, RenewPeriod: time.Second})
}

func member(t *testing.T, srv *embedded.Server, options shards.Options) *shards.Ring {
	t.Helper()
	config := srv.Config()
	config.QPS = -1 // with so short leases, a limit of five requests a second would delay renewals beyond their deadlines
	clientset, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	options.Name, options.Namespace, options.Settle, options.HandOver = "ring", "default", -1, -1
	ring, err := shards.Join(t.Context(), clientset.CoordinationV1(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { leave(t, ring) })
	return ring
}

func leave(t *testing.T, ring *shards.Ring) {
	t.Helper()
	if err := ring.Leave(context.WithoutCancel(t.Context())); err != nil {
		t.Error(err)
	}
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within two minutes: %s", what)
		}
	}
}

// shared waits until members share all slots, with no move left.
func shared(t *testing.T, rings ...*shards.Ring) {
	t.Helper()
	eventually(t, "all slots are shared", func() bool {
		total := 0
		for _, ring := range rings {
			state := ring.State()
			total += len(state.Owned)
			if len(state.Owned) < state.Slots/len(rings) || len(state.Moves) > 0 {
				return false
			}
		}
		return total == rings[0].State().Slots
	})
}

// clientConfig returns a config for clients of controller-runtime.
func clientConfig(srv *embedded.Server) *rest.Config { return clientgo.ToConfig(srv.Config()) }

// startSharded runs a cache of a member until the end of the test.
func startSharded(t *testing.T, srv *embedded.Server, ring *shards.Ring, opts cache.Options, exempt ...client.Object) cache.Cache {
	t.Helper()
	c, err := controllerruntime.NewShardedCache(ring, exempt...)(clientConfig(srv), opts)
	if err != nil {
		t.Fatal(err)
	}
	run(t, c)
	return c
}

// versionsOf returns the resource versions of config maps by key.
func versionsOf(t *testing.T, c client.Reader) map[string]string {
	t.Helper()
	var list corev1.ConfigMapList
	if err := c.List(t.Context(), &list); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, item := range list.Items {
		out[item.Namespace+"/"+item.Name] = item.ResourceVersion
	}
	return out
}

// A read of an object waits for the client's write if the object is the replica's, until it is lost, and not at all if
// it is another one's.
func TestShardedReadYourWrites(t *testing.T) {
	for _, key := range []shards.Key{shards.ByUID, shards.ByNamespace} {
		t.Run(string(key), func(t *testing.T) {
			t.Parallel()
			srv, config, direct := fleet(t)
			found(t, srv, key)
			a, b := join(t, srv, "a", key), join(t, srv, "b", key)
			shared(t, a, b)
			open := make(chan struct{})
			unblock := sync.OnceFunc(func() { close(open) })
			defer unblock()
			c := startSharded(t, srv, a, cache.Options{DefaultTransform: func(obj any) (any, error) {
				if m, ok := obj.(*corev1.ConfigMap); ok && m.Labels["name"] == "x" {
					<-open
				}
				return obj, nil
			}}, &corev1.Namespace{})
			w := writer(t, config, c)
			if _, err := c.GetInformer(t.Context(), &corev1.ConfigMap{}); err != nil {
				t.Fatal(err)
			}
			// The first own object keeps the cache from getting any further.
			var own, others []*corev1.ConfigMap
			for i := 0; len(own) == 0 || len(others) < 3; i++ {
				namespace := fmt.Sprint(i, "-bay")
				create(t, direct, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}})
				obj := configMap(namespace + "/x")
				if err := w.Create(t.Context(), obj); err != nil {
					t.Fatal(err)
				}
				owns := a.Owns(string(obj.UID))
				if key == shards.ByNamespace {
					owns = a.Owns(namespace)
				}
				switch {
				case owns:
					own = append(own, obj)
				case len(own) > 0:
					others = append(others, obj)
				}
			}
			for _, obj := range others {
				obj.Labels["again"] = "yes"
				if err := w.Update(t.Context(), obj); err != nil {
					t.Fatal(err)
				}
				if err := w.Get(t.Context(), client.ObjectKeyFromObject(obj), &corev1.ConfigMap{}); !apierrors.IsNotFound(err) {
					t.Errorf("read of an object of another replica: %v", err)
				}
				if err := w.Delete(t.Context(), obj); err != nil {
					t.Fatal(err)
				}
				if err := w.Get(t.Context(), client.ObjectKeyFromObject(obj), &corev1.ConfigMap{}); !apierrors.IsNotFound(err) {
					t.Errorf("read of a deleted object of another replica: %v", err)
				}
			}
			ended, cancel := context.WithTimeout(t.Context(), lag)
			defer cancel()
			if err := w.Get(ended, client.ObjectKeyFromObject(own[0]), &corev1.ConfigMap{}); !apierrors.IsTimeout(err) {
				t.Errorf("read of an own object that the cache lacks: %v", err)
			}
			read := make(chan error)
			go func() { read <- w.Get(t.Context(), client.ObjectKeyFromObject(own[0]), &corev1.ConfigMap{}) }()
			left := make(chan struct{})
			go func() {
				defer close(left)
				leave(t, a)
			}()
			if err := <-read; !apierrors.IsNotFound(err) {
				t.Errorf("read of an object that was lost meanwhile: %v", err)
			}
			unblock()
			<-left
		})
	}
}

// Own writes are read, also those of objects that were gained just before.
func TestShardedReadsSeeOwnWrites(t *testing.T) {
	srv, config, _ := fleet(t)
	found(t, srv, shards.ByUID)
	a := join(t, srv, "a", shards.ByUID)
	shared(t, a)
	c := startSharded(t, srv, a, lagging())
	w := writer(t, config, c)
	if _, err := c.GetInformer(t.Context(), &corev1.ConfigMap{}); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		obj := configMap(fmt.Sprint("bay/x", i))
		create(t, w, obj)
		if err := w.Get(t.Context(), client.ObjectKeyFromObject(obj), obj); err != nil {
			t.Error(err)
		}
		if err := w.Delete(t.Context(), obj); err != nil {
			t.Fatal(err)
		}
		if err := w.Get(t.Context(), client.ObjectKeyFromObject(obj), obj); !apierrors.IsNotFound(err) {
			t.Errorf("after the deletion: %v", err)
		}
	}
}

// The caches of the members of a ring together are one cache of all objects, after any script; kinds that are exempt are
// whole in each. Handlers are notified of no deletion but the real ones.
func TestShardedCaches(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 0))
			srv, config, direct := fleet(t, "bay/0", "sea/1")
			create(t, direct, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "bay", Name: "s"}})
			key := []shards.Key{shards.ByUID, shards.ByNamespace}[random.IntN(2)]
			found(t, srv, key)
			whole := start(t, config, cache.Options{})
			var mu sync.Mutex // guards deleted, and wrong
			deleted := map[types.UID]bool{}
			var wrong []string
			rings, caches := []*shards.Ring{}, []cache.Cache{}
			enter := func() {
				ring := join(t, srv, fmt.Sprint("m", random.Uint32()), key)
				c := startSharded(t, srv, ring, cache.Options{}, &corev1.Secret{})
				informer, err := c.GetInformer(t.Context(), &corev1.ConfigMap{})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := informer.AddEventHandler(theircache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
					if unknown, ok := obj.(theircache.DeletedFinalStateUnknown); ok {
						obj = unknown.Obj
					}
					mu.Lock()
					defer mu.Unlock()
					if m := obj.(*corev1.ConfigMap); !deleted[m.UID] {
						wrong = append(wrong, m.Namespace+"/"+m.Name)
					}
				}}); err != nil {
					t.Fatal(err)
				}
				rings, caches = append(rings, ring), append(caches, c)
			}
			for range 3 {
				enter()
			}
			namespaces := []string{"bay", "sea", "1-lake", "2-lake", "3-lake", "4-lake"}
			for range 60 {
				obj := configMap(fmt.Sprintf("%s/%d", namespaces[random.IntN(len(namespaces))], random.IntN(20)))
				switch n := random.IntN(20); {
				case n < 8:
					if direct.Get(t.Context(), client.ObjectKeyFromObject(obj), obj) != nil {
						create(t, direct, obj)
					}
				case n < 12:
					obj.Data["n"] = fmt.Sprint(n)
					if err := direct.Update(t.Context(), obj); client.IgnoreNotFound(err) != nil {
						t.Fatal(err)
					}
				case n < 16:
					if direct.Get(t.Context(), client.ObjectKeyFromObject(obj), obj) == nil {
						mu.Lock()
						deleted[obj.UID] = true
						mu.Unlock()
						if err := direct.Delete(t.Context(), obj); err != nil {
							t.Fatal(err)
						}
					}
				case n < 18 && len(rings) < 5:
					enter()
				case len(rings) > 1:
					leave(t, rings[0])
					if left := versionsOf(t, caches[0]); len(left) > 0 {
						t.Errorf("a member that has left has %v", left)
					}
					rings, caches = rings[1:], caches[1:]
				}
			}
			shared(t, rings...)
			want := versionsOf(t, direct)
			eventually(t, "the whole cache has all objects", func() bool { return fmt.Sprint(versionsOf(t, whole)) == fmt.Sprint(want) })
			eventually(t, "the caches together have each object once", func() bool {
				total, union := 0, map[string]string{}
				for _, c := range caches {
					for name, version := range versionsOf(t, c) {
						union[name] = version
						total++
					}
				}
				return total == len(want) && fmt.Sprint(union) == fmt.Sprint(want)
			})
			for i, c := range caches {
				var list corev1.ConfigMapList
				if err := c.List(t.Context(), &list); err != nil {
					t.Fatal(err)
				}
				for _, item := range list.Items {
					if value := map[shards.Key]string{shards.ByUID: string(item.UID), shards.ByNamespace: item.Namespace}[key]; !rings[i].Owns(value) {
						t.Errorf("member %d has %s/%s, which it does not own", i, item.Namespace, item.Name)
					}
				}
				var secrets corev1.SecretList
				if err := c.List(t.Context(), &secrets); err != nil || len(secrets.Items) != 1 {
					t.Errorf("member %d has %d of 1 exempt objects, error %v", i, len(secrets.Items), err)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			if len(wrong) > 0 {
				t.Errorf("handlers were notified of deletions of %v", wrong)
			}
		})
	}
}

func TestShardedOptions(t *testing.T) {
	srv, config, _ := fleet(t)
	ring := join(t, srv, "a", shards.ByUID)
	informer := cache.Options{NewInformer: func(theircache.ListerWatcher, runtime.Object, time.Duration, theircache.Indexers) theircache.SharedIndexInformer {
		return nil
	}}
	type unknown struct{ corev1.ConfigMap }
	for _, test := range []struct {
		name, want string
		opts       cache.Options
		exempt     []client.Object
	}{
		{"informers of the program", "unset one of NewInformer and Ring", informer, nil},
		{"unknown kind", "exempt kind:", cache.Options{}, []client.Object{&unknown{}}},
	} {
		if _, err := controllerruntime.NewShardedCache(ring, test.exempt...)(config, test.opts); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
	sharded := startSharded(t, srv, ring, cache.Options{}, &corev1.Secret{})
	theirs, err := cache.New(config, cache.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, want string
		cache      cache.Cache
		object     client.Object
	}{
		{"other cache", "set NewCache", theirs, &corev1.ConfigMap{}},
		{"unknown kind", "no kind is registered", sharded, &unknown{}},
		{"exempt", "is exempt", sharded, &corev1.Secret{}},
	} {
		if _, failed := controllerruntime.NewShardedReconciler(test.cache, test.object, make(reconciled).reader(nil, nil)); failed == nil || !strings.Contains(failed.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.name, failed, test.want)
		}
	}
	whole := start(t, config, cache.Options{})
	own := make(reconciled).reader(nil, nil)
	got, err := controllerruntime.NewShardedReconciler(whole, &corev1.ConfigMap{}, own)
	if err != nil || reflect.ValueOf(got).Pointer() != reflect.ValueOf(own).Pointer() {
		t.Errorf("reconciler of a cache of all objects: %T, error %v", got, err)
	}
}
