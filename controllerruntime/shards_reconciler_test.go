package controllerruntime_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/controllerruntime"
	"github.com/listwatch/listwatch/kubernetes/shards"
)

// journal has what the members of a ring reconcile.
type journal struct {
	mu     sync.Mutex // guards the fields below
	busy   map[string]string
	twice  []string       // what two members reconciled at the same time
	gone   map[string]int // calls for objects that are not in the cache
	failed []error
}

func newJournal() *journal { return &journal{busy: map[string]string{}, gone: map[string]int{}} }

// reconciler returns the reconciler of a member, which writes the member's name into the object.
func (j *journal) reconciler(member string, c client.Client) reconcile.Reconciler {
	return reconcile.Func(func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
		name := request.String()
		j.mu.Lock()
		if other := j.busy[name]; other != "" {
			j.twice = append(j.twice, name+" by "+member+" and "+other)
		}
		j.busy[name] = member
		j.mu.Unlock()
		err := j.reconcile(ctx, request, member, c)
		j.mu.Lock()
		defer j.mu.Unlock()
		delete(j.busy, name)
		if err != nil && !apierrors.IsConflict(err) && ctx.Err() == nil {
			j.failed = append(j.failed, err)
		}
		return reconcile.Result{}, err
	})
}

func (j *journal) reconcile(ctx context.Context, request reconcile.Request, member string, c client.Client) error {
	obj := &corev1.ConfigMap{}
	err := c.Get(ctx, request.NamespacedName, obj)
	if apierrors.IsNotFound(err) {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.gone[request.String()]++
		return nil
	}
	if err != nil || obj.Data["by"] == member {
		return err
	}
	obj.Data["by"] = member
	return c.Update(ctx, obj)
}

// owners returns how many objects each member has written last.
func owners(t *testing.T, c client.Client) map[string]int {
	t.Helper()
	var list corev1.ConfigMapList
	if err := c.List(t.Context(), &list, client.MatchingLabels{"test": "yes"}); err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for _, item := range list.Items {
		out[item.Data["by"]]++
	}
	return out
}

// replica is a replica of a controller.
type replica struct {
	ring    *shards.Ring
	manager manager.Manager
	stop    func()
}

// startReplica runs a replica until the end of the test.
func startReplica(t *testing.T, srv *embedded.Server, name string, of func(member string, c client.Client) reconcile.Reconciler, key shards.Key, change ...func(*ctrl.Options)) *replica {
	t.Helper()
	ring := join(t, srv, name, key)
	m := manage(t, clientConfig(srv), append(change, func(o *ctrl.Options) { o.NewCache = controllerruntime.NewShardedCache(ring) })...)
	r, err := controllerruntime.NewShardedReconciler(m.GetCache(), &corev1.ConfigMap{}, of(name, m.GetClient()))
	if err != nil {
		t.Fatal(err)
	}
	if err := ctrl.NewControllerManagedBy(m).For(&corev1.ConfigMap{}).Complete(r); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- m.Start(ctx) }()
	stop := sync.OnceFunc(func() {
		cancel()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
		leave(t, ring)
	})
	t.Cleanup(stop)
	return &replica{ring: ring, manager: m, stop: stop}
}

// labeled returns a config map that owners counts.
func labeled(key string) *corev1.ConfigMap {
	obj := configMap(key)
	obj.Labels["test"] = "yes"
	return obj
}

// Managers of one ring reconcile each object, one at a time; when one stops, others take its objects over. They are
// called for those missing in the cache that were deleted, not for those that another one has.
func TestShardedManagers(t *testing.T) {
	for _, key := range []shards.Key{shards.ByUID, shards.ByNamespace} {
		t.Run(string(key), func(t *testing.T) {
			t.Parallel()
			srv, _, direct := fleet(t)
			found(t, srv, key)
			const objects = 60
			for i := range objects {
				create(t, direct, labeled(fmt.Sprintf("%d-bay/%d", i%20, i)))
			}
			j := newJournal()
			members := map[string]*replica{}
			var rings []*shards.Ring
			for _, name := range []string{"a", "b", "c"} {
				members[name] = startReplica(t, srv, name, j.reconciler, key)
				rings = append(rings, members[name].ring)
			}
			shared(t, rings...)
			all := func(names ...string) {
				t.Helper()
				var got map[string]int
				eventually(t, fmt.Sprintf("%v have all %d objects", names, objects), func() bool {
					got = owners(t, direct)
					total := 0
					for _, name := range names {
						total += got[name]
						if got[name] == 0 {
							return false
						}
					}
					return total == objects
				})
				t.Log("objects by member:", got)
			}
			all("a", "b", "c")
			members["b"].stop()
			all("a", "c")
			deleted := map[string]bool{}
			for i := range 10 {
				obj := labeled(fmt.Sprintf("%d-bay/%d", i, i))
				deleted[obj.Namespace+"/"+obj.Name] = true
				if err := direct.Delete(t.Context(), obj); err != nil {
					t.Fatal(err)
				}
			}
			eventually(t, "deleted objects are reconciled", func() bool {
				j.mu.Lock()
				defer j.mu.Unlock()
				return len(j.gone) >= len(deleted)
			})
			for _, m := range members {
				m.stop()
			}
			if got, want := fmt.Sprint(slices.Sorted(maps.Keys(j.gone))), fmt.Sprint(slices.Sorted(maps.Keys(deleted))); got != want {
				t.Errorf("called for missing objects %s, want %s", got, want)
			}
			for name, calls := range j.gone {
				if calls != 1 {
					t.Errorf("called %d times for the missing object %s", calls, name)
				}
			}
			if len(j.twice) > 0 || len(j.failed) > 0 {
				t.Errorf("at the same time: %v; errors: %v", j.twice, j.failed)
			}
		})
	}
}

// The slot of an object is not handed over while it is reconciled. When its context has ended, the reconciler cannot write.
func TestShardedReconcilerStopsWriting(t *testing.T) {
	srv, _, direct := fleet(t)
	found(t, srv, shards.ByUID)
	written := make(chan error, 1)
	began := make(chan struct{})
	m := startReplica(t, srv, "a", func(_ string, c client.Client) reconcile.Reconciler {
		return reconcile.Func(func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
			obj := &corev1.ConfigMap{}
			if err := c.Get(ctx, request.NamespacedName, obj); err != nil || obj.Labels["test"] == "" {
				return reconcile.Result{}, err
			}
			close(began)
			<-ctx.Done()
			if !errors.Is(context.Cause(ctx), shards.ErrNotOwned) {
				t.Errorf("the context ended by %v", context.Cause(ctx))
			}
			obj.Labels["late"] = "yes"
			written <- c.Update(context.WithoutCancel(ctx), obj)
			return reconcile.Result{}, ctx.Err()
		})
	}, shards.ByUID)
	shared(t, m.ring)
	obj := labeled("bay/a")
	create(t, direct, obj)
	<-began
	if err := m.ring.Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-written:
		if !errors.Is(err, shards.ErrNotOwned) {
			t.Errorf("write after the slot was lost: %v", err)
		}
	default:
		t.Error("the slot was handed over before the reconciler had returned")
	}
	if err := direct.Get(t.Context(), client.ObjectKeyFromObject(obj), obj); err != nil || obj.Labels["late"] != "" {
		t.Errorf("labels %v, error %v", obj.Labels, err)
	}
}

// Objects of gained slots are reconciled when the caches of other kinds have these slots, too.
func TestShardedReconcilerWaitsForOtherKinds(t *testing.T) {
	srv, _, direct := fleet(t)
	const objects = 40
	for i := range objects {
		create(t, direct, labeled(fmt.Sprint("bay/", i)), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "bay", Name: fmt.Sprint(i)}})
	}
	found(t, srv, shards.ByUID)
	other := join(t, srv, "other", shards.ByUID)
	shared(t, other)
	var closed atomic.Bool
	open := make(chan struct{})
	unblock := sync.OnceFunc(func() { close(open) })
	j := newJournal()
	m := startReplica(t, srv, "a", j.reconciler, shards.ByUID, func(o *ctrl.Options) {
		o.Cache.ByObject = map[client.Object]cache.ByObject{&corev1.Secret{}: {Transform: func(obj any) (any, error) {
			if closed.Load() {
				<-open
			}
			return obj, nil
		}}}
	})
	t.Cleanup(unblock)
	shared(t, m.ring, other)
	if _, err := m.manager.GetCache().GetInformer(t.Context(), &corev1.Secret{}); err != nil {
		t.Fatal(err)
	}
	var before map[string]string
	reconciledAll := func() bool {
		before = versionsOf(t, m.manager.GetCache())
		return len(before) > 0 && owners(t, direct)["a"] == countLabeled(before)
	}
	eventually(t, "own objects are reconciled", reconciledAll)
	closed.Store(true)
	leave(t, other)
	eventually(t, "the cache has the gained objects", func() bool { return countLabeled(versionsOf(t, m.manager.GetCache())) == objects })
	for name := range before { // the workers go on with others
		obj := &corev1.ConfigMap{}
		namespace, base, _ := strings.Cut(name, "/")
		if err := direct.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: base}, obj); err != nil {
			t.Fatal(err)
		}
		if obj.Labels["test"] == "" {
			continue
		}
		obj.Data["by"] = ""
		if err := direct.Update(t.Context(), obj); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "own objects are reconciled again", func() bool { return owners(t, direct)["a"] >= countLabeled(before) })
	if n := owners(t, direct)["a"]; n != countLabeled(before) {
		t.Errorf("%d objects are reconciled, want %d: Secrets of the other slots are missing", n, countLabeled(before))
	}
	unblock()
	eventually(t, "gained objects are reconciled", func() bool { return owners(t, direct)["a"] == objects })
}

// countLabeled returns how many keys are of objects of labeled, whose namespace is bay.
func countLabeled(versions map[string]string) (n int) {
	for name := range versions {
		if strings.HasPrefix(name, "bay/") {
			n++
		}
	}
	return n
}

// The deletion of an object is reconciled, and again after another one of its name was deleted.
func TestShardedReconcilerOfDeletedObject(t *testing.T) {
	srv, _, direct := fleet(t)
	found(t, srv, shards.ByUID)
	j := newJournal()
	m := startReplica(t, srv, "a", j.reconciler, shards.ByUID)
	shared(t, m.ring)
	for i := range 5 {
		obj := labeled("bay/a")
		create(t, direct, obj)
		eventually(t, "the object is reconciled", func() bool { return owners(t, direct)["a"] == 1 })
		if err := direct.Delete(t.Context(), obj, &client.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &obj.UID}}); err != nil {
			t.Fatal(err)
		}
		eventually(t, "its deletion is reconciled", func() bool {
			j.mu.Lock()
			defer j.mu.Unlock()
			return j.gone["bay/a"] == i+1
		})
	}
}
