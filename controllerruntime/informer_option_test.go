package controllerruntime_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	theircache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/listwatch/listwatch/clientgo"
	"github.com/listwatch/listwatch/controllerruntime"
)

// With an option that creates informers, the cache is controller-runtime's own, also on listwatch's informers.
func TestNewInformer(t *testing.T) {
	_, config, _ := fleet(t, "bay/a", "sea/a")
	for name, create := range map[string]func(theircache.ListerWatcher, runtime.Object, time.Duration, theircache.Indexers) theircache.SharedIndexInformer{
		"client-go": theircache.NewSharedIndexInformer,
		"listwatch": clientgo.NewInformer,
	} {
		t.Run(name, func(t *testing.T) {
			var created atomic.Int32
			c := start(t, config, cache.Options{
				DefaultNamespaces: map[string]cache.Config{"bay": {}, "sea": {}},
				NewInformer: func(source theircache.ListerWatcher, obj runtime.Object, resync time.Duration, indexers theircache.Indexers) theircache.SharedIndexInformer {
					created.Add(1)
					return create(source, obj, resync, indexers)
				},
			})
			var list corev1.ConfigMapList
			if err := c.List(t.Context(), &list); err != nil {
				t.Fatal(err)
			}
			equal(t, "list", keys(&list), []string{"bay/a", "sea/a"})
			equal(t, "informers that it created", created.Load(), 2) // one for each namespace
			if err := controllerruntime.WaitForSync(t.Context(), c); err != nil {
				t.Error(err)
			}
			_, err := controllerruntime.NewClient(config, client.Options{Cache: &client.CacheOptions{Reader: c}})
			if err == nil || !strings.Contains(err.Error(), "without NewInformer") {
				t.Errorf("NewClient returns %v", err)
			}
		})
	}
}
