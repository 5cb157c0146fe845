package controllerruntime_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	theircache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"

	"github.com/listwatch/listwatch/kubernetes/shards"
)

// counting counts calls.
type counting struct{ added, deleted, released atomic.Int32 }

func (c *counting) OnAdd(any, bool)   { c.added.Add(1) }
func (c *counting) OnUpdate(_, _ any) {}
func (c *counting) OnDelete(any)      { c.deleted.Add(1) }
func (c *counting) OnReleased(any)    { c.released.Add(1) }

// Handlers that have the method are called for lost objects.
func TestShardedHandlers(t *testing.T) {
	const objects = 3
	var keys []string
	for i := range objects {
		keys = append(keys, fmt.Sprint("bay/", i))
	}
	srv, _, _ := fleet(t, keys...)
	found(t, srv, shards.ByUID)
	a := join(t, srv, "a", shards.ByUID)
	shared(t, a)
	informer, err := startSharded(t, srv, a, cache.Options{DefaultNamespaces: map[string]cache.Config{"bay": {}}}).GetInformer(t.Context(), &corev1.ConfigMap{})
	if err != nil {
		t.Fatal(err)
	}
	var c counting
	for _, handler := range []theircache.ResourceEventHandler{&c, theircache.ResourceEventHandlerFuncs{}} {
		if _, err := informer.AddEventHandler(handler); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "the handler is called for all objects", func() bool { return c.added.Load() == objects })
	leave(t, a)
	eventually(t, "the handler is called for all lost objects", func() bool { return c.released.Load() == objects })
	if c.deleted.Load() > 0 {
		t.Errorf("%d lost objects are deleted ones", c.deleted.Load())
	}
}
