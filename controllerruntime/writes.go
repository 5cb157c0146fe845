package controllerruntime

import (
	"context"
	"errors"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache"
)

// writes are the writes of clients of [NewClient] to the objects of an informer. Of a replica that shares objects with
// others, they are those of objects whose slots it has: the others do not get into its cache.
type writes struct {
	informer cache.SharedInformer
	all      *cache.Writes // nil if objects are shared with other replicas
	shards   *sharding     // nil if not
	entry    *entry

	mu   sync.Mutex // guards held
	held map[*tenure]*cache.Writes
}

func newWrites(n *entry, of *sharding) *writes {
	if of == nil {
		return &writes{all: cache.NewWrites(n.informer)}
	}
	return &writes{informer: n.informer, shards: of, entry: n, held: map[*tenure]*cache.Writes{}}
}

// Written adds a write that succeeded; obj is its result.
func (w *writes) Written(obj metav1.Object) {
	if to := w.to(obj); to != nil {
		to.Written(obj)
	}
}

// Deleted adds a deletion that succeeded; obj is what is known of the object.
func (w *writes) Deleted(obj metav1.Object) {
	if to := w.to(obj); to != nil {
		to.Deleted(obj)
	}
}

// to returns the writes to which one of an object belongs, nil if it does not get into the cache.
func (w *writes) to(obj metav1.Object) *cache.Writes {
	if w.shards == nil {
		return w.all
	}
	t := w.shards.tenureOf(w.shards.keyOf(obj))
	if t == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	to := w.held[t]
	if to == nil {
		to = cache.NewWrites(w.informer)
		w.held[t] = to
	}
	for old := range w.held {
		if old.ctx.Err() != nil {
			delete(w.held, old)
		}
	}
	return to
}

// Wait waits as Writes of package runtime/cache do, until the object's slot is lost at the latest.
func (w *writes) Wait(ctx context.Context, namespace, name string) error {
	if w.shards == nil {
		return w.all.Wait(ctx, namespace, name)
	}
	w.mu.Lock()
	held := make(map[*tenure]*cache.Writes, len(w.held))
	for t, to := range w.held {
		held[t] = to
	}
	w.mu.Unlock()
	for t, to := range held {
		if err := w.waitIn(ctx, t, to, namespace, name); err != nil && t.ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// waitIn waits for the writes in a slot, which may have to be listed first.
func (w *writes) waitIn(ctx context.Context, t *tenure, to *cache.Writes, namespace, name string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(t.ctx, func() { cancel(errLost) })()
	for !w.shards.has(t, w.entry) {
		select {
		case <-time.After(shortPause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return to.Wait(ctx, namespace, name)
}

// shortPause is the pause between two looks at whether an informer has listed a slot.
const shortPause = 20 * time.Millisecond

var errLost = errors.New("the slot of the object was lost")
