package cache_test

import (
	"errors"
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

// TestSourcesThatOverlap uses sources that would delete each other's objects: the informer reports
// this from the start, and never runs.
func TestSourcesThatOverlap(t *testing.T) {
	for _, test := range []struct {
		name       string
		namespaces []string
		want       string // of the error; empty if there is none
	}{
		{"one namespace", []string{"bay"}, ""},
		{"all namespaces", []string{""}, ""},
		{"two namespaces", []string{"bay", "sea"}, ""},
		{"one namespace twice", []string{"bay", "sea", "bay"}, "two are of namespace bay"},
		{"all namespaces twice", []string{"", ""}, "two are of all namespaces"},
		{"all namespaces and one", []string{"", "bay"}, "without the exception of bay"},
		{"one namespace and all", []string{"bay", ""}, "without the exception of bay"},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
				var sources []cache.Source
				for _, namespace := range test.namespaces {
					sources = append(sources, cache.Source{Namespace: namespace, ListerWatcher: source})
				}
				informer := cache.NewSharedIndexInformerWithOptions(nil, &ship{}, cache.SharedIndexInformerOptions{Sources: sources})
				if test.want == "" {
					defer run(t, informer)()
					if err := cache.WaitForSync(t.Context(), informer); err != nil {
						t.Error(err)
					}
					return
				}
				state := cache.StateOf(informer)
				if state.Phase != cache.PhaseFailed || state.Started || !informer.IsStopped() {
					t.Errorf("phase %s, started: %v, stopped: %v", state.Phase, state.Started, informer.IsStopped())
				}
				informer.RunWithContext(t.Context()) // returns
				_, handling := informer.AddEventHandler(&logbook{})
				for what, err := range map[string]error{
					"state":               state.Err,
					"unsynced":            state.Unsynced(),
					"handler":             handling,
					"indexers":            informer.AddIndexers(cache.Indexers{}),
					"transform":           informer.SetTransform(nil),
					"watch error handler": informer.SetWatchErrorHandler(nil),
					"sync":                cache.WaitForSync(t.Context(), informer),
					"resource version":    cache.WaitForResourceVersion(t.Context(), informer, "1"),
					"drift":               cache.CheckDrift(t.Context(), informer),
				} {
					if !errors.Is(err, cache.ErrSourcesOverlap) || !strings.Contains(err.Error(), test.want) {
						t.Errorf("%s: got error %v, want %q", what, err, test.want)
					}
				}
				if informer.HasSynced() {
					t.Error("it has synced")
				}
			})
		})
	}
}

// TestSourcesOfTheOthers has a source of one namespace and one of all others, each with its own
// transform.
func TestSourcesOfTheOthers(t *testing.T) {
	inBubble(t, func(t *testing.T, others *cachetesting.FakeControllerSource) {
		painted := func(color string) cache.TransformFunc {
			return func(obj any) (any, error) {
				obj.(*ship).Labels = map[string]string{"color": color}
				return obj, nil
			}
		}
		bay := cachetesting.NewFakeControllerSource()
		defer bay.Shutdown()
		bay.Add(newShip("bay/a", "white"))
		others.Add(newShip("sea/a", "white"))
		others.Add(newShip("bays/a", "white"))
		informer := cache.NewSharedIndexInformerWithOptions(nil, &ship{}, cache.SharedIndexInformerOptions{Sources: []cache.Source{
			{Namespace: "bay", ListerWatcher: bay, Transform: painted("red")},
			{Except: []string{"bay"}, ListerWatcher: others},
		}})
		if err := informer.SetTransform(painted("blue")); err != nil {
			t.Fatal(err)
		}
		defer run(t, informer)()
		if err := cache.WaitForSync(t.Context(), informer); err != nil {
			t.Fatal(err)
		}
		others.Delete(newShip("sea/a", ""))
		others.ResetWatch() // so that it is listed again
		late := newShip("sea/b", "white")
		others.Add(late)
		if err := cache.WaitForObject(t.Context(), informer, late); err != nil {
			t.Fatal(err)
		}
		colors := map[string]string{}
		for _, obj := range informer.GetStore().List() {
			s := obj.(*ship)
			colors[s.Namespace+"/"+s.Name] = s.Labels["color"]
		}
		if diff := cmp.Diff(map[string]string{"bay/a": "red", "bays/a": "blue", "sea/b": "blue"}, colors); diff != "" {
			t.Errorf("stored (-want +got):\n%s", diff)
		}
	})
}

// The lists of a source that is the only one replace all objects, those too that are in another namespace than requested, as fake
// clients can return them.
func TestSourceOfAnotherNamespace(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("sea/a", "white"))
		informer := cache.NewSharedIndexInformerWithOptions(nil, &ship{}, cache.SharedIndexInformerOptions{Sources: []cache.Source{
			{Namespace: "bay", ListerWatcher: source},
		}})
		defer run(t, informer)()
		if err := cache.WaitForSync(t.Context(), informer); err != nil {
			t.Fatal(err)
		}
		source.DeleteDropWatch(newShip("sea/a", ""))
		source.ResetWatch() // so that it is listed again
		time.Sleep(time.Minute)
		if stored := informer.GetStore().ListKeys(); len(stored) != 0 {
			t.Errorf("stored %v, want nothing", stored)
		}
	})
}

// resyncs counts the resyncs of each namespace.
type resyncs map[string]int

func (r resyncs) handler() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{UpdateFunc: func(before, obj any) {
		if before == obj {
			r[obj.(*ship).Namespace]++
		}
	}}
}

// TestResyncOfSources has sources with their own resync periods, and handlers with and without.
func TestResyncOfSources(t *testing.T) {
	inBubble(t, func(t *testing.T, bay *cachetesting.FakeControllerSource) {
		of := func(namespace string) *cachetesting.FakeControllerSource {
			source := cachetesting.NewFakeControllerSource()
			t.Cleanup(source.Shutdown)
			source.Add(newShip(namespace+"/a", "red"))
			return source
		}
		bay.Add(newShip("bay/a", "red"))
		two, never := 2*time.Second, time.Duration(0)
		informer := cache.NewSharedIndexInformerWithOptions(nil, &ship{}, cache.SharedIndexInformerOptions{
			ResyncPeriod: 6 * time.Second,
			Sources: []cache.Source{
				{Namespace: "bay", ListerWatcher: bay},
				{Namespace: "sea", ListerWatcher: of("sea"), ResyncPeriod: &two},
				{Namespace: "lake", ListerWatcher: of("lake"), ResyncPeriod: &never},
			},
		})
		plain, own := resyncs{}, resyncs{}
		if _, err := informer.AddEventHandler(plain.handler()); err != nil {
			t.Fatal(err)
		}
		if _, err := informer.AddEventHandlerWithResyncPeriod(own.handler(), 3*time.Second); err != nil {
			t.Fatal(err)
		}
		stop := run(t, informer)
		time.Sleep(13 * time.Second) // three multiples of 3 s, which are those of 4 s
		synctest.Wait()
		stop()
		if want := (resyncs{"bay": 2, "sea": 6}); !maps.Equal(plain, want) {
			t.Errorf("resyncs %v, want %v", plain, want)
		}
		if want := (resyncs{"bay": 3, "sea": 3, "lake": 3}); !maps.Equal(own, want) {
			t.Errorf("resyncs of a handler with its own period: %v, want %v", own, want)
		}
	})
}
