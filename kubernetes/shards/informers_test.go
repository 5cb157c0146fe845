package shards_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/kubernetes/fake"
	"github.com/listwatch/listwatch/kubernetes/informers"
	"github.com/listwatch/listwatch/kubernetes/shards"
	"github.com/listwatch/listwatch/runtime/cache"
	runtimeinformers "github.com/listwatch/listwatch/runtime/informers"
)

// TestInformers runs factories of members: together they have each object once, also after one has left, and each has
// all objects of a type that is exempt.
func TestInformers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clientset := fake.NewClientset()
		create := func(from, to int) {
			for i := from; i < to; i++ {
				meta := metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprint("o", i), UID: types.UID(fmt.Sprintf("%x-e29b-41d4-a716-446655440000", 0x550e8400+i*0x10001))}
				if _, err := clientset.CoreV1().ConfigMaps("default").Create(t.Context(), &corev1.ConfigMap{ObjectMeta: meta}, metav1.CreateOptions{}); err != nil {
					t.Fatal(err)
				}
				if _, err := clientset.CoreV1().Secrets("default").Create(t.Context(), &corev1.Secret{ObjectMeta: meta}, metav1.CreateOptions{}); err != nil {
					t.Fatal(err)
				}
			}
		}
		create(0, 100)
		rings, factories := map[string]*shards.Ring{}, map[string]informers.SharedInformerFactory{}
		ctx, cancel := context.WithCancel(t.Context())
		for _, name := range []string{"a", "b", "c"} {
			rings[name] = join(t, clientset.CoordinationV1(), name)
			f := informers.NewSharedInformerFactoryWithOptions(clientset, 0, informers.WithShards(rings[name]),
				informers.WithTypeOptions(&corev1.Secret{}, runtimeinformers.Options{Shards: cache.AllShards}))
			f.Core().V1().ConfigMaps().Informer()
			f.Core().V1().Secrets().Informer()
			f.StartWithContext(ctx)
			if err := f.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
				t.Error(err)
			}
			factories[name] = f
		}
		check := func(objects int) {
			t.Helper()
			time.Sleep(2 * time.Minute)
			synctest.Wait()
			owners := map[string]string{}
			for name, ring := range rings {
				maps, err := factories[name].Core().V1().ConfigMaps().Lister().List(labels.Everything())
				if err != nil || len(maps) == 0 {
					t.Errorf("%s has %d objects, error %v", name, len(maps), err)
				}
				for _, o := range maps {
					if !ring.Owns(string(o.UID)) || owners[o.Name] != "" {
						t.Errorf("%s has %s, which %q has; owned: %v", name, o.Name, owners[o.Name], ring.Owns(string(o.UID)))
					}
					owners[o.Name] = name
				}
				secrets, err := factories[name].Core().V1().Secrets().Lister().List(labels.Everything())
				if err != nil || len(secrets) != objects {
					t.Errorf("%s has %d secrets, error %v", name, len(secrets), err)
				}
			}
			if len(owners) != objects {
				t.Errorf("%d objects have owners, want %d", len(owners), objects)
			}
		}
		check(100)
		create(100, 120)
		check(120)
		left := rings["b"]
		leave(t, left)
		delete(rings, "b")
		check(120)
		if got := factories["b"].Core().V1().ConfigMaps().Informer().GetStore().ListKeys(); len(got) > 0 {
			t.Errorf("the member that has left has %d objects", len(got))
		}
		cancel()
		for _, f := range factories {
			f.Shutdown()
		}
		leave(t, slices.Collect(maps.Values(rings))...)
	})
}
