package cache_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

func fade(obj any) (any, error) {
	obj.(*ship).Labels["color"] += ", but faded"
	return obj, nil
}

func TestInformersOfOneHandler(t *testing.T) {
	indexers := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	for _, test := range []struct {
		name  string
		build func(cache.ListerWatcher, cache.ResourceEventHandler) (cache.Store, cache.Controller)
		color string
	}{
		{"NewInformer", func(lw cache.ListerWatcher, h cache.ResourceEventHandler) (cache.Store, cache.Controller) {
			return cache.NewInformer(lw, &ship{}, 0, h)
		}, "red"},
		{"NewIndexerInformer", func(lw cache.ListerWatcher, h cache.ResourceEventHandler) (cache.Store, cache.Controller) {
			return cache.NewIndexerInformer(lw, &ship{}, 0, h, indexers)
		}, "red"},
		{"NewTransformingInformer", func(lw cache.ListerWatcher, h cache.ResourceEventHandler) (cache.Store, cache.Controller) {
			return cache.NewTransformingInformer(lw, &ship{}, 0, h, fade)
		}, "red, but faded"},
		{"NewTransformingIndexerInformer", func(lw cache.ListerWatcher, h cache.ResourceEventHandler) (cache.Store, cache.Controller) {
			return cache.NewTransformingIndexerInformer(lw, &ship{}, 0, h, indexers, fade)
		}, "red, but faded"},
		{"NewInformerWithOptions", func(lw cache.ListerWatcher, h cache.ResourceEventHandler) (cache.Store, cache.Controller) {
			return cache.NewInformerWithOptions(cache.InformerOptions{ListerWatcher: lw, Handler: h, Transform: fade})
		}, "red, but faded"},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
				source.Add(newShip("bay/a", "red"))
				log := &logbook{}
				store, controller := test.build(source, log)
				if controller.HasSynced() {
					t.Error("synced before it was run")
				}
				defer run(t, controller)()
				log.expect(t, "first bay/a "+test.color)
				if !controller.HasSynced() || controller.LastSyncResourceVersion() != "1" {
					t.Errorf("synced: %v, at resource version %q", controller.HasSynced(), controller.LastSyncResourceVersion())
				}
				source.Delete(newShip("bay/a", "red"))
				log.expect(t, "delete bay/a "+test.color)
				if got := store.ListKeys(); len(got) != 0 {
					t.Errorf("the store contains %v", got)
				}
			})
		})
	}
}

func TestInformerOfOneHandlerSyncsWithIt(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		proceed := make(chan struct{})
		store, controller := cache.NewInformer(source, &ship{}, 0, cache.ResourceEventHandlerFuncs{AddFunc: func(any) { <-proceed }})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { controller.Run(ctx.Done()); close(ended) }()
		synctest.Wait()
		if len(store.List()) != 1 || controller.HasSynced() {
			t.Errorf("%d objects stored, synced: %v; want one, and not synced while the handler is at it", len(store.List()), controller.HasSynced())
		}
		close(proceed)
		if !cache.WaitFor(t.Context(), "", controller.HasSyncedChecker()) {
			t.Error("never synced")
		}
		cancel()
		<-ended
	})
}

func TestInformerWithoutHandler(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		store, controller := cache.NewInformerWithOptions(cache.InformerOptions{ListerWatcher: source})
		defer run(t, controller)()
		if !cache.WaitForCacheSync(t.Context().Done(), controller.HasSynced) {
			t.Error("never synced")
		}
		if diff := cmp.Diff([]string{"bay/a"}, store.ListKeys()); diff != "" {
			t.Errorf("keys (-want +got):\n%s", diff)
		}
	})
}

func TestInformerResyncs(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		log := &logbook{}
		_, controller := cache.NewInformer(source, &ship{}, time.Minute, log)
		defer run(t, controller)()
		log.expect(t, "first bay/a red")
		time.Sleep(2*time.Minute + time.Second)
		log.expect(t, "update bay/a red to bay/a red", "update bay/a red to bay/a red")
	})
}

func TestGetControllerDoesNotRun(t *testing.T) {
	informer := cache.NewSharedInformer(nil, &ship{}, 0)
	informer.GetController().RunWithContext(t.Context()) // returns
	informer.GetController().Run(nil)                    // returns
	if cache.StateOf(informer).Started {
		t.Error("the informer was started")
	}
}

// TestInformerOfOneHandlerResyncs uses periods that a shared informer does not accept.
func TestInformerOfOneHandlerResyncs(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		log := &logbook{}
		_, controller := cache.NewInformer(source, &ship{}, 100*time.Millisecond, log)
		defer run(t, controller)()
		log.expect(t, "first bay/a red")
		for range 2 {
			time.Sleep(100 * time.Millisecond)
			log.expect(t, "update bay/a red to bay/a red")
		}
	})
}

func TestInformerOfOneHandlerWatchesForAsLongAsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seconds int64
		_, controller := cache.NewInformerWithOptions(cache.InformerOptions{
			ListerWatcher: &cache.ListWatch{
				ListFunc: func(metav1.ListOptions) (runtime.Object, error) { return newThings("1"), nil },
				WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
					if o.SendInitialEvents == nil {
						seconds = *o.TimeoutSeconds
					}
					return newShortStream(ctx), nil
				},
			},
			MinWatchTimeout: time.Hour,
		})
		stop := run(t, controller)
		synctest.Wait()
		stop()
		if seconds < 3600 || seconds > 7200 {
			t.Errorf("a watch of %d seconds, want 3600 to 7200", seconds)
		}
	})
}
