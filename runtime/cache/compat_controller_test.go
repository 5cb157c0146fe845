package cache_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

// logDeltas records deltas.
func logDeltas(log *logbook) cache.ProcessFunc {
	return func(obj any, isInInitialList bool) error {
		for _, d := range obj.(cache.Deltas) {
			if s, ok := d.Object.(*ship); ok {
				log.write("%s %s, initial: %v", d.Type, describeShip(s), isInInitialList)
			}
		}
		return nil
	}
}

func TestControllerOfAQueue(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		store := cache.NewStore(cache.DeletionHandlingMetaNamespaceKeyFunc)
		queue := cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KnownObjects: store, EmitDeltaTypeReplaced: true})
		log := &logbook{}
		controller := cache.New(&cache.Config{
			Queue: queue, ListerWatcher: source, ObjectType: &ship{}, Process: logDeltas(log),
		})
		if controller.HasSynced() || controller.LastSyncResourceVersion() != "" {
			t.Errorf("synced: %v, at %q, before it runs", controller.HasSynced(), controller.LastSyncResourceVersion())
		}
		stop := run(t, controller)
		log.expect(t, "Replaced bay/a red, initial: true")
		if !cache.WaitForCacheSync(t.Context().Done(), controller.HasSynced) || !cache.WaitFor(t.Context(), "", controller.HasSyncedChecker()) {
			t.Error("never synced")
		}
		source.Modify(newShip("bay/a", "blue"))
		source.Delete(newShip("bay/a", "blue"))
		log.expect(t, "Updated bay/a blue, initial: false", "Deleted bay/a blue, initial: false")
		if got := controller.LastSyncResourceVersion(); got != "3" {
			t.Errorf("resource version is %q, want 3", got)
		}
		stop()
		if !queue.IsClosed() {
			t.Error("the queue is open after the controller has stopped")
		}
	})
}

// TestControllerTransformsOnce uses a queue with a transformer that is not idempotent.
func TestControllerTransformsOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		queue := cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{
			KnownObjects:          cache.NewStore(cache.DeletionHandlingMetaNamespaceKeyFunc),
			EmitDeltaTypeReplaced: true,
			Transformer: func(obj any) (any, error) {
				s := obj.(*ship)
				return newShip(s.Namespace+"/"+s.Name, s.Labels["color"]+"ish"), nil
			},
		})
		log := &logbook{}
		stop := run(t, cache.New(&cache.Config{
			Queue: queue, ListerWatcher: source, ObjectType: &ship{}, Process: logDeltas(log),
		}))
		log.expect(t, "Replaced bay/a redish, initial: true")
		source.Modify(newShip("bay/a", "blue"))
		log.expect(t, "Updated bay/a blueish, initial: false")
		stop()
	})
}

// TestControllerCrashes lets processing panic as in programs: nothing delays the crash.
func TestControllerCrashes(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		crashed := make(chan any, 1)
		go func() {
			defer func() { crashed <- recover() }()
			cache.New(&cache.Config{
				Queue:         cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{}),
				ListerWatcher: source,
				Process:       func(any, bool) error { panic("mutiny") },
			}).RunWithContext(ctx)
		}()
		synctest.Wait()
		select {
		case cause := <-crashed:
			if cause != "mutiny" {
				t.Errorf("crashed for %v", cause)
			}
		default:
			t.Error("still running")
		}
	})
}

func TestControllerTellsOfErrors(t *testing.T) {
	for _, test := range []struct {
		name string
		set  func(*cache.Config, func(error))
	}{
		{"WatchErrorHandler", func(c *cache.Config, tell func(error)) {
			c.WatchErrorHandler = func(_ *cache.Reflector, err error) { tell(err) }
		}},
		{"WatchErrorHandlerWithContext", func(c *cache.Config, tell func(error)) {
			c.WatchErrorHandlerWithContext = func(_ context.Context, _ *cache.Reflector, err error) { tell(err) }
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
				source.ListError = errors.New("storm")
				var told []error
				config := &cache.Config{
					Queue: cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{}), ListerWatcher: source, Process: logDeltas(&logbook{}),
				}
				test.set(config, func(err error) { told = append(told, err) })
				controller := cache.New(config)
				stop := run(t, controller)
				synctest.Wait()
				stop()
				if len(told) != 1 || !errors.Is(told[0], source.ListError) {
					t.Errorf("received %v", told)
				}
				if controller.HasSynced() {
					t.Error("synced without a list")
				}
			})
		})
	}
}

func TestControllerResyncs(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		store := cache.NewStore(cache.DeletionHandlingMetaNamespaceKeyFunc)
		queue := cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KnownObjects: store, EmitDeltaTypeReplaced: true})
		log := &logbook{}
		process := logDeltas(log)
		asked := 0
		controller := cache.New(&cache.Config{
			Queue: queue, ListerWatcher: source, FullResyncPeriod: time.Minute,
			ShouldResync: func() bool { asked++; return asked > 1 },
			Process: func(obj any, isInInitialList bool) error {
				for _, d := range obj.(cache.Deltas) {
					if err := store.Add(d.Object); err != nil {
						return err
					}
				}
				return process(obj, isInInitialList)
			},
		})
		defer run(t, controller)()
		log.expect(t, "Replaced bay/a red, initial: true")
		time.Sleep(61 * time.Second)
		log.expect(t)
		time.Sleep(time.Minute)
		log.expect(t, "Sync bay/a red, initial: false")
	})
}

// TestControllerSurvivesPanics lets processing panic with crashes off: the panic is reported, and
// later items are processed.
func TestControllerSurvivesPanics(t *testing.T) {
	for _, test := range []struct {
		name string
		set  func(*cache.Config, cache.ProcessFunc)
	}{
		{"Process", func(c *cache.Config, process cache.ProcessFunc) { c.Process = process }},
		{"ProcessBatch", func(c *cache.Config, process cache.ProcessFunc) {
			c.Process = process
			c.ProcessBatch = func(deltas []cache.Delta, isInInitialList bool) error {
				return process(cache.Deltas(deltas), isInInitialList)
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			reported := cache.Reports(t)
			inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
				source.Add(newShip("bay/a", "red"))
				source.Add(newShip("bay/b", "red"))
				config := &cache.Config{
					Queue: cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{}), ListerWatcher: source,
				}
				log := &logbook{}
				process, first := logDeltas(log), true
				test.set(config, func(obj any, isInInitialList bool) error {
					if first {
						first = false
						panic("mutiny")
					}
					return process(obj, isInInitialList)
				})
				defer run(t, cache.New(config))()
				time.Sleep(2 * time.Second)
				synctest.Wait()
				log.take()
				source.Add(newShip("bay/c", "red"))
				log.expect(t, "Added bay/c red, initial: false")
				if diff := cmp.Diff([]string{"mutiny"}, *reported); diff != "" {
					t.Errorf("reported (-want +got):\n%s", diff)
				}
			})
		})
	}
}
