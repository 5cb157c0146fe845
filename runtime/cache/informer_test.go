package cache_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

// ship is the kind of object in tests of informers.
type ship = metav1.PartialObjectMetadata

// newShip returns an object with a key, and a label with its color.
func newShip(key, color string) *ship {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		panic(err)
	}
	return &ship{ObjectMeta: metav1.ObjectMeta{
		Namespace: namespace, Name: name, UID: types.UID("uid of " + key), Labels: map[string]string{"color": color},
	}}
}

// logbook is a handler that records its calls.
type logbook struct {
	mu     sync.Mutex
	events []string
}

func (l *logbook) write(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, fmt.Sprintf(format, args...))
}

// take returns the records since the last call.
func (l *logbook) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	events := l.events
	l.events = nil
	return events
}

func (l *logbook) OnAdd(obj any, isInInitialList bool) {
	if isInInitialList {
		l.write("first %s", describeShip(obj))
	} else {
		l.write("add %s", describeShip(obj))
	}
}

func (l *logbook) OnUpdate(oldObj, newObj any) {
	l.write("update %s to %s", describeShip(oldObj), describeShip(newObj))
}

func (l *logbook) OnDelete(obj any) {
	if tombstone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		l.write("lost %s, last %s", tombstone.Key, describeShip(tombstone.Obj))
		return
	}
	l.write("delete %s", describeShip(obj))
}

func describeShip(obj any) string {
	b, ok := obj.(*ship)
	if !ok {
		return fmt.Sprintf("%T", obj)
	}
	return fmt.Sprintf("%s %s", cache.MetaObjectToName(b), b.Labels["color"])
}

// expect compares the records with the expected ones, after everything is idle. It is for synctest
// bubbles.
func (l *logbook) expect(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	if diff := cmp.Diff(want, l.take()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// expectUnordered is expect, in any order.
func (l *logbook) expectUnordered(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	got := l.take()
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events, sorted (-want +got):\n%s", diff)
	}
}

// inBubble runs a test with a source in a synctest bubble.
func inBubble(t *testing.T, test func(t *testing.T, source *cachetesting.FakeControllerSource)) {
	synctest.Test(t, func(t *testing.T) {
		source := cachetesting.NewFakeControllerSource()
		test(t, source)
		synctest.Wait() // a list that has no waiter may still be running
		source.Shutdown()
	})
}

// run runs an informer in the background. The result stops it and waits.
func run(t *testing.T, informer interface{ RunWithContext(context.Context) }) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		informer.RunWithContext(ctx)
	}()
	return func() {
		cancel()
		<-done
	}
}

func mustAddHandler(t *testing.T, informer cache.SharedInformer, handler cache.ResourceEventHandler) cache.ResourceEventHandlerRegistration {
	t.Helper()
	r, err := informer.AddEventHandler(handler)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func sortedKeys(store cache.Store) []string {
	keys := store.ListKeys()
	slices.Sort(keys)
	return keys
}

func TestInformerFollowsTheServer(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		source.Add(newShip("sea/b", "red"))
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
		log := &logbook{}
		registration := mustAddHandler(t, informer, log)
		if informer.HasSynced() || registration.HasSynced() {
			t.Error("synced before it was run")
		}
		if got := informer.LastSyncResourceVersion(); got != "" {
			t.Errorf("resource version %q before it was run", got)
		}
		defer run(t, informer)()

		log.expectUnordered(t, "first bay/a red", "first sea/b red")
		if !informer.HasSynced() || !registration.HasSynced() || !informer.GetController().HasSynced() {
			t.Error("not synced after all was handled")
		}
		source.Modify(newShip("bay/a", "blue"))
		source.Add(newShip("bay/c", "red"))
		source.Delete(newShip("sea/b", "red"))
		log.expect(t, "update bay/a red to bay/a blue", "add bay/c red", "delete sea/b red")

		if diff := cmp.Diff([]string{"bay/a", "bay/c"}, sortedKeys(informer.GetStore())); diff != "" {
			t.Errorf("keys (-want +got):\n%s", diff)
		}
		if found, err := informer.GetIndexer().ByIndex(cache.NamespaceIndex, "bay"); err != nil || len(found) != 2 {
			t.Errorf("ByIndex(bay) = %v, %v, want both boats", found, err)
		}
		for what, got := range map[string]string{
			"the informer": informer.LastSyncResourceVersion(), "its controller": informer.GetController().LastSyncResourceVersion(),
			"its store": informer.GetStore().LastStoreSyncResourceVersion(),
		} {
			if got != "5" {
				t.Errorf("resource version of %s is %q, want 5", what, got)
			}
		}
	})
}

func TestInformerConcludesWhatItMissed(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		for _, key := range []string{"bay/a", "bay/b", "bay/c"} {
			source.Add(newShip(key, "red"))
		}
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		log := &logbook{}
		mustAddHandler(t, informer, log)
		defer run(t, informer)()
		synctest.Wait()
		log.take()

		source.DeleteDropWatch(newShip("bay/a", "red"))
		source.ModifyDropWatch(newShip("bay/b", "blue"))
		source.AddDropWatch(newShip("bay/d", "red"))
		source.ResetWatch()
		time.Sleep(time.Minute) // longer than any backoff
		log.expectUnordered(t, "lost bay/a, last bay/a red", "update bay/b red to bay/b blue", "add bay/d red")
	})
}

func TestLateHandlerIsToldOfWhatIsThere(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		defer run(t, informer)()
		synctest.Wait()

		log := &logbook{}
		registration := mustAddHandler(t, informer, log)
		source.Modify(newShip("bay/a", "blue"))
		log.expect(t, "first bay/a red", "update bay/a red to bay/a blue")
		if !registration.HasSynced() {
			t.Error("late handler has not synced")
		}
	})
}

func TestHandlerIsRemoved(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		removed, stays := &logbook{}, &logbook{}
		registration := mustAddHandler(t, informer, removed)
		mustAddHandler(t, informer, stays)
		defer run(t, informer)()
		synctest.Wait()

		for range 2 { // the second time does nothing
			if err := cache.ShutDownEventHandler(informer, registration); err != nil {
				t.Error(err)
			}
		}
		source.Add(newShip("bay/a", "red"))
		stays.expect(t, "add bay/a red")
		removed.expect(t)
	})
}

func TestShutDownEventHandlerWaits(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		returned := false
		registration := mustAddHandler(t, informer, cache.ResourceEventHandlerFuncs{AddFunc: func(any) {
			time.Sleep(time.Minute)
			returned = true
		}})
		defer run(t, informer)()
		synctest.Wait()
		if err := cache.ShutDownEventHandler(informer, registration); err != nil {
			t.Error(err)
		}
		if !returned {
			t.Error("a call of the handler is still running")
		}
	})
}

// foreignRegistration was not returned by any informer.
type foreignRegistration struct {
	cache.ResourceEventHandlerRegistration
}

func TestForeignRegistrationCannotBeRemoved(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		if err := informer.RemoveEventHandler(foreignRegistration{}); err == nil {
			t.Error("RemoveEventHandler took it")
		}
		if err := cache.ShutDownEventHandler(informer, foreignRegistration{}); err == nil {
			t.Error("ShutDownEventHandler took it")
		}
	})
}

func TestTransformComesBeforeTheStore(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		err := informer.SetTransform(func(obj any) (any, error) {
			obj.(*ship).Labels["color"] += ", but faded"
			return obj, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		log := &logbook{}
		mustAddHandler(t, informer, log)
		defer run(t, informer)()
		log.expect(t, "first bay/a red, but faded")
		source.Modify(newShip("bay/a", "blue"))
		log.expect(t, "update bay/a red, but faded to bay/a blue, but faded")
		source.Delete(newShip("bay/a", "blue"))
		log.expect(t, "delete bay/a blue, but faded")
	})
}

func TestWhatIsSetBeforeTheStart(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		set := func() map[string]error {
			return map[string]error{
				"SetTransform":                    informer.SetTransform(nil),
				"SetWatchErrorHandler":            informer.SetWatchErrorHandler(func(*cache.Reflector, error) {}),
				"SetWatchErrorHandlerWithContext": informer.SetWatchErrorHandlerWithContext(cache.DefaultWatchErrorHandler),
			}
		}
		for name, err := range set() {
			if err != nil {
				t.Errorf("before the start: %s: %v", name, err)
			}
		}
		defer run(t, informer)()
		synctest.Wait()
		for name, err := range set() {
			if err == nil {
				t.Errorf("after the start: %s takes it", name)
			}
		}
	})
}

func TestStoppedInformer(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		stop := run(t, informer)
		synctest.Wait()
		if informer.IsStopped() {
			t.Error("IsStopped while it runs")
		}
		stop()
		if !informer.IsStopped() {
			t.Error("not IsStopped after it ran")
		}
		// The text is client-go's, since there is no other way to recognize this error.
		const words = "because it has stopped already"
		if _, err := informer.AddEventHandler(&logbook{}); err == nil || !strings.HasSuffix(err.Error(), "was not added to shared informer "+words) {
			t.Errorf("a stopped informer takes handlers: %v", err)
		}
		if err := informer.AddIndexers(cache.Indexers{"none": cache.MetaNamespaceIndexFunc}); err == nil || !strings.HasSuffix(err.Error(), words) {
			t.Errorf("a stopped informer takes indexers: %v", err)
		}
		if got := len(informer.GetStore().List()); got != 1 {
			t.Errorf("the store contains %d objects after the end, want 1", got)
		}
		informer.RunWithContext(t.Context()) // it returns immediately, because it runs only once
	})
}

func TestInformerThatIsStoppedAtOnce(t *testing.T) {
	source := &cache.ListWatch{
		ListFunc: func(metav1.ListOptions) (runtime.Object, error) {
			t.Error("a list was requested")
			return nil, errForbidden
		},
		WatchFunc: func(metav1.ListOptions) (watch.Interface, error) {
			t.Error("a watch was requested")
			return nil, errForbidden
		},
	}
	informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
	ended := make(chan struct{})
	close(ended)
	informer.Run(ended)
	if !informer.IsStopped() {
		t.Error("not stopped")
	}
}

func TestIndexersAreAddedWhileRunning(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		defer run(t, informer)()
		synctest.Wait()
		err := informer.AddIndexers(cache.Indexers{"color": func(obj any) ([]string, error) {
			return []string{obj.(*ship).Labels["color"]}, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		source.Add(newShip("bay/b", "red"))
		synctest.Wait()
		if keys, err := informer.GetIndexer().IndexKeys("color", "red"); err != nil || len(keys) != 2 {
			t.Errorf("IndexKeys = %v, %v, want both boats", keys, err)
		}
	})
}

func TestHandlerThatRemovesItself(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		log, late := &logbook{}, &logbook{}
		var self cache.ResourceEventHandlerRegistration
		self = mustAddHandler(t, informer, cache.ResourceEventHandlerFuncs{AddFunc: func(obj any) {
			log.OnAdd(obj, false)
			if err := informer.RemoveEventHandler(self); err != nil {
				t.Error(err)
			}
			mustAddHandler(t, informer, late)
		}})
		defer run(t, informer)()
		synctest.Wait()
		source.Add(newShip("bay/b", "red"))
		log.expect(t, "add bay/a red")
		late.expect(t, "first bay/a red", "add bay/b red")
	})
}

func TestStopDropsOrDrains(t *testing.T) {
	for _, test := range []struct {
		name  string
		drain bool
		want  int
	}{
		{"drops", false, 1},
		{"drains", true, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
				for _, key := range []string{"bay/a", "bay/b", "bay/c"} {
					source.Add(newShip(key, "red"))
				}
				informer := cache.NewSharedIndexInformerWithOptions(source, &ship{}, cache.SharedIndexInformerOptions{DrainOnStop: test.drain})
				handled := 0
				mustAddHandler(t, informer, cache.ResourceEventHandlerFuncs{AddFunc: func(any) {
					time.Sleep(time.Second)
					handled++
				}})
				stop := run(t, informer)
				synctest.Wait()
				stop()
				if handled != test.want {
					t.Errorf("handled %d events, want %d", handled, test.want)
				}
			})
		})
	}
}

func TestWatchErrorHandlers(t *testing.T) {
	for name, set := range map[string]func(cache.SharedInformer, func(error)) error{
		"plain": func(i cache.SharedInformer, tell func(error)) error {
			return i.SetWatchErrorHandler(func(_ *cache.Reflector, err error) { tell(err) })
		},
		"with context": func(i cache.SharedInformer, tell func(error)) error {
			return i.SetWatchErrorHandlerWithContext(func(_ context.Context, _ *cache.Reflector, err error) { tell(err) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
				source.ListError = errForbidden
				informer := cache.NewSharedInformer(source, &ship{}, 0)
				var told []error
				if err := set(informer, func(err error) { told = append(told, err) }); err != nil {
					t.Fatal(err)
				}
				stop := run(t, informer)
				synctest.Wait()
				stop()
				if len(told) != 1 || !errors.Is(told[0], errForbidden) {
					t.Errorf("received %v, want the list's error", told)
				}
			})
		})
	}
}

// All methods that may be called at any time are called concurrently, for the race detector.
func TestEverythingAtOnce(t *testing.T) {
	source := cachetesting.NewFakeControllerSource()
	defer source.Shutdown()
	informer := cache.NewSharedIndexInformer(source, &ship{}, time.Minute, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	const colors = 100
	last := make(chan struct{})
	mustAddHandler(t, informer, cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, obj any) {
			if obj.(*ship).Labels["color"] == strconv.Itoa(colors) {
				close(last)
			}
		},
	})
	source.Add(newShip("bay/a", "0"))
	stop := run(t, informer)
	if err := cache.WaitForSync(t.Context(), informer); err != nil {
		t.Fatal(err)
	}
	var callers sync.WaitGroup
	for i := range 4 {
		callers.Go(func() {
			for j := range 25 {
				r, err := informer.AddEventHandler(&logbook{})
				if err != nil {
					t.Error(err)
				}
				cache.StateOf(informer)
				cache.All()
				if err := informer.AddIndexers(cache.Indexers{fmt.Sprint(i, j): cache.MetaNamespaceIndexFunc}); err != nil {
					t.Error(err)
				}
				if _, err := informer.GetIndexer().ByIndex(cache.NamespaceIndex, "bay"); err != nil {
					t.Error(err)
				}
				if !cache.WaitForCacheSync(nil, r.HasSynced, informer.HasSynced) {
					t.Error("a late handler does not sync")
				}
				if err := cache.ShutDownEventHandler(informer, r); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for color := range colors {
		source.Modify(newShip("bay/a", strconv.Itoa(color+1)))
	}
	callers.Wait()
	<-last
	stop()
}

// TestHandlerIsToldOfWhatWasThereBefore puts objects into the store before the informer runs, as
// tests of controllers do.
func TestHandlerIsToldOfWhatWasThereBefore(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		same, changed, gone := newShip("bay/same", "red"), newShip("bay/changed", "red"), newShip("bay/gone", "red")
		for _, s := range []*ship{same, changed, gone} {
			s.UID = types.UID(s.Name)
		}
		source.Add(same)
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		for _, s := range []*ship{same, changed, gone} {
			must(t, informer.GetStore().Add(s.DeepCopy()))
		}
		changed.Labels["color"] = "blue"
		source.Add(changed)
		log := &logbook{}
		handler := mustAddHandler(t, informer, log)
		log.expect(t)
		defer run(t, informer)()
		log.expectUnordered(t, "first bay/same red", "first bay/changed red", "first bay/gone red",
			"update bay/changed red to bay/changed blue", "lost bay/gone, last bay/gone red")
		if !handler.HasSynced() {
			t.Error("never synced")
		}
	})
}

// TestExamplesSayTheType uses example objects that determine only the type of an informer's
// objects.
func TestExamplesSayTheType(t *testing.T) {
	kind := &ship{TypeMeta: metav1.TypeMeta{APIVersion: "bay.example.com/v1", Kind: "Ship"}}
	for _, test := range []struct {
		name    string
		example runtime.Object
		want    string
	}{
		{"none", nil, "<unspecified>"},
		{"empty object", &ship{}, "*v1.PartialObjectMetadata"},
		{"nil pointer", (*ship)(nil), "*v1.PartialObjectMetadata"},
		{"object with a kind", kind, "bay.example.com/v1, Kind=Ship"},
		{"unstructured nil pointer", (*unstructured.Unstructured)(nil), "*unstructured.Unstructured"},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
				informer := cache.NewSharedIndexInformer(source, test.example, 0, nil)
				stop := run(t, informer)
				synctest.Wait()
				if got := cache.StateOf(informer).Type; got != test.want || !informer.HasSynced() {
					t.Errorf("type %q, want %q; synced: %v", got, test.want, informer.HasSynced())
				}
				stop()
				r := cache.NewReflector(source, test.example, cache.NewStore(cache.MetaNamespaceKeyFunc), 0)
				if got := r.TypeDescription(); got != test.want {
					t.Errorf("a reflector's type is %q, want %q", got, test.want)
				}
			})
		})
	}
}
