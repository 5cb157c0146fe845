package controllerruntime

import (
	"context"
	"fmt"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	theircache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// NewShardedReconciler returns a reconciler that calls another one for the objects of a kind, of which object is an
// example, whose slots the replica owns in the ring of a cache of [NewShardedCache]; requests for others are dropped. c is
// what GetCache of the manager returns. If that is a cache of [NewCache], the result is reconciler.
//
// The slot of an object is not handed over before the call has returned. Its context ends when the slot is lost; writes
// by clients of [NewClient] with this context fail from then on. A call begins when the cache has what was gained: of all
// kinds that are not exempt.
//
// An object that is not in the cache was deleted: the reconciler is called for those whose deletion the replica has
// seen, and not for lost ones. By UID, requests for objects that never existed are dropped.
func NewShardedReconciler(c cache.Cache, object client.Object, reconciler reconcile.Reconciler) (reconcile.Reconciler, error) {
	e, ok := c.(*engine)
	if !ok {
		return nil, fmt.Errorf("cache is a %T; set NewCache to controllerruntime.NewShardedCache", c)
	}
	if e.shards == nil {
		return reconciler, nil
	}
	k, err := e.keyOf(object)
	if err != nil {
		return nil, err
	}
	if e.exempt[k.gvk] {
		return nil, fmt.Errorf("%s is exempt, so every replica would reconcile its objects", k)
	}
	r := &shardedReconciler{engine: e, key: k, next: reconciler}
	e.shards.observe(k, &r.deleted)
	return r, nil
}

// shardedReconciler reconciles what a replica owns.
type shardedReconciler struct {
	engine  *engine
	key     key
	next    reconcile.Reconciler
	deleted deletions
}

// pause is the pause until a gained object is tried again whose slot is still being listed.
const pause = 100 * time.Millisecond

// Reconcile implements [reconcile.Reconciler].
func (r *shardedReconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	of := r.engine.shards
	key, uid, err := r.keyOf(request)
	if err != nil || key == "" && !of.byNamespace {
		return reconcile.Result{}, err
	}
	t := of.tenureOf(key)
	if t == nil {
		if of.ring.Owns(key) { // gained just now
			return reconcile.Result{RequeueAfter: pause}, nil
		}
		r.deleted.forget(request.NamespacedName, uid)
		return reconcile.Result{}, nil
	}
	if !r.engine.complete(t) {
		return reconcile.Result{RequeueAfter: pause}, nil
	}
	var result reconcile.Result
	err = of.ring.Do(ctx, key, func(ctx context.Context) error {
		if t.ctx.Err() != nil { // lost, and gained again, which is not listed yet
			result.RequeueAfter = pause
			return nil
		}
		next, failed := r.next.Reconcile(ctx, request)
		if result = next; failed == nil && result.IsZero() {
			r.deleted.forget(request.NamespacedName, uid)
		}
		return failed
	})
	return result, err
}

// keyOf returns the value of the ring's key of a requested object, empty if the object is neither stored nor was
// deleted; and its UID if it was deleted.
func (r *shardedReconciler) keyOf(request reconcile.Request) (key string, deleted types.UID, err error) {
	if r.engine.shards.byNamespace {
		return request.Namespace, "", nil
	}
	n, _, err := r.engine.find(r.key, false)
	if err != nil {
		return "", "", err
	}
	uid := r.deleted.of(request.NamespacedName) // before the store is read: an object of the name may be created
	obj, exists, err := n.informer.GetIndexer().GetByKey(theircache.ObjectName(request.NamespacedName).String())
	if err != nil || !exists {
		return string(uid), uid, err
	}
	m, ok := obj.(metav1.Object)
	if !ok {
		return "", "", fmt.Errorf("cache contained %T, which is not an Object", obj)
	}
	return string(m.GetUID()), uid, nil
}

// deletions are objects that were deleted while the replica had them, until they have been reconciled.
type deletions struct {
	mu   sync.Mutex // guards the fields below
	uids map[types.NamespacedName]deleted
}

type deleted struct {
	uid types.UID
	at  time.Time
}

const (
	// many is how many deletions are kept for any time; forgetAfter is how long others are: some requests never come,
	// because of a predicate.
	many        = 1024
	forgetAfter = time.Hour
)

// note adds a deletion.
func (d *deletions) note(obj metav1.Object) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.uids == nil {
		d.uids = map[types.NamespacedName]deleted{}
	}
	if len(d.uids) >= many {
		for name, one := range d.uids {
			if time.Since(one.at) > forgetAfter {
				delete(d.uids, name)
			}
		}
	}
	d.uids[types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}] = deleted{obj.GetUID(), time.Now()}
}

// of returns the UID of the object of a name that was deleted last, empty if there is none.
func (d *deletions) of(name types.NamespacedName) types.UID {
	d.mu.Lock()
	defer d.mu.Unlock()
	one, ok := d.uids[name]
	if ok {
		one.at = time.Now()
		d.uids[name] = one
	}
	return one.uid
}

// forget removes a deletion, unless there is a later one.
func (d *deletions) forget(name types.NamespacedName, uid types.UID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.uids[name].uid == uid {
		delete(d.uids, name)
	}
}
