package prometheus_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	adapter "github.com/listwatch/listwatch/metrics/prometheus"
	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

func TestStates(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	if err := registry.Register(adapter.NewStates()); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		object := func(name string) *metav1.PartialObjectMetadata {
			return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: name}}
		}
		newInformer := func(source cache.ListerWatcher, what string) cache.SharedIndexInformer {
			informer := cache.NewSharedIndexInformerWithOptions(source, object(""), cache.SharedIndexInformerOptions{
				ObjectDescription: what,
				Indexers: cache.Indexers{"name": func(obj any) ([]string, error) {
					if name := obj.(*metav1.PartialObjectMetadata).Name; name != "b" {
						return []string{name}, nil
					}
					return nil, errors.New("no b")
				}},
			})
			// Otherwise it logs in another time zone.
			if err := informer.SetWatchErrorHandler(func(*cache.Reflector, error) {}); err != nil {
				t.Fatal(err)
			}
			return informer
		}
		ships, crews := cachetesting.NewFakeControllerSource(), cachetesting.NewFakeControllerSource()
		defer ships.Shutdown()
		defer crews.Shutdown()
		crews.ListError = errors.New("no list today")
		ships.Add(object("a"))
		ships.Add(object("b"))

		release := make(chan struct{})
		first, second, failed := newInformer(ships, "ships"), newInformer(ships, "ships"), newInformer(crews, "crews")
		for _, informer := range []cache.SharedInformer{first, second} {
			if _, err := informer.AddEventHandlerWithOptions(
				cache.ResourceEventHandlerFuncs{UpdateFunc: func(any, any) { <-release }},
				cache.HandlerOptions{Name: "slow"}); err != nil {
				t.Fatal(err)
			}
		}
		go first.RunWithContext(ctx)
		go second.RunWithContext(ctx)
		go failed.RunWithContext(ctx)
		synctest.Wait()
		for range 3 {
			ships.Modify(object("a"))
		}
		time.Sleep(5 * time.Second)

		compare(t, registry, `
# HELP informer_handler_lag Number of events that a handler was not called for yet.
# TYPE informer_handler_lag gauge
informer_handler_lag{handler="slow",name="",type="ships"} 6
# HELP informer_handler_lag_seconds Age of the oldest event that a handler was not called for yet.
# TYPE informer_handler_lag_seconds gauge
informer_handler_lag_seconds{handler="slow",name="",type="ships"} 5
# HELP informer_objects Number of stored objects.
# TYPE informer_objects gauge
informer_objects{name="",type="crews"} 0
informer_objects{name="",type="ships"} 4
# HELP informer_phase Number of informers in a phase, such as live, stale or failed.
# TYPE informer_phase gauge
informer_phase{name="",phase="failed",type="crews"} 1
informer_phase{name="",phase="live",type="ships"} 2
# HELP informer_unindexed_objects Number of objects missing from indexes whose functions failed; an object counts once for each such index.
# TYPE informer_unindexed_objects gauge
informer_unindexed_objects{name="",type="crews"} 0
informer_unindexed_objects{name="",type="ships"} 2
`, "informer_handler_lag", "informer_handler_lag_seconds", "informer_objects", "informer_phase", "informer_unindexed_objects")

		if got := series(t, registry, "informer_bytes"); got != 2 {
			t.Errorf("%d series of bytes", got)
		}
		close(release)
		cancel()
		synctest.Wait()
		if got := series(t, registry, "informer_"); got != 0 {
			t.Errorf("%d series of informers that have stopped", got)
		}
		runtime.KeepAlive([]any{first, second, failed})
	})
}

// anyText is a compression that compresses nothing.
type anyText struct{}

func (anyText) NewDictionary([][]byte) cache.CompressionDictionary { return anyText{} }
func (anyText) Pack(to, text []byte) []byte                        { return append(to, text...) }
func (anyText) Unpack(to, packed []byte) ([]byte, error)           { return append(to, packed...), nil }
func (anyText) Size() int                                          { return 0 }

// TestStatesOfPackedObjects counts the objects that a list decodes.
func TestStatesOfPackedObjects(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	if err := registry.Register(adapter.NewStates()); err != nil {
		t.Fatal(err)
	}
	informer := cache.NewSharedIndexInformerWithOptions(nil, nil, cache.SharedIndexInformerOptions{ObjectDescription: "ships", Packed: anyText{}})
	const n, decoded = 1500, 1024
	for i := range n {
		object := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint(i)}}
		if err := informer.GetStore().Add(object); err != nil {
			t.Fatal(err)
		}
	}
	if all := informer.GetStore().List(); len(all) != n {
		t.Fatalf("%d objects", len(all))
	}
	state := cache.StateOf(informer)
	if state.Packed.Decodes < n-decoded || state.Packed.Decodes > n {
		t.Errorf("the state has %+v", state.Packed)
	}
	compare(t, registry, fmt.Sprintf(`
# HELP informer_decoded_objects_total Number of packed objects that were decoded because they were read.
# TYPE informer_decoded_objects_total counter
informer_decoded_objects_total{name="",type="ships"} %d
# HELP informer_unpacked_objects_total Number of objects that could not be packed.
# TYPE informer_unpacked_objects_total counter
informer_unpacked_objects_total{name="",type="ships"} 0
`, state.Packed.Decodes), "informer_decoded_objects_total", "informer_unpacked_objects_total")
	runtime.KeepAlive(informer)
}
