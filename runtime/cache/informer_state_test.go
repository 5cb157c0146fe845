package cache_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

// coarsely ignores the states of sources and handlers, what objects take, and what expectState compares with the informer.
var coarsely = cmp.Options{
	cmpopts.IgnoreFields(cache.State{}, "Sources", "Handlers", "Resource", "Owner", "Synced", "Bytes", "Largest", "LargestBytes"),
	cmpopts.EquateErrors(), cmpopts.EquateEmpty(),
}

func expectState(t *testing.T, informer cache.SharedInformer, want cache.State) {
	t.Helper()
	got := cache.StateOf(informer)
	if diff := cmp.Diff(want, got, coarsely); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
	if got.Synced != informer.HasSynced() || got.Synced != (got.Unsynced() == nil) {
		t.Errorf("the state is synced: %v, the informer: %v, and why not: %v", got.Synced, informer.HasSynced(), got.Unsynced())
	}
}

func TestStateFromStartToStop(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		informer := cache.NewSharedIndexInformerWithOptions(lateSource{source, time.Second, nil}, &ship{}, cache.SharedIndexInformerOptions{
			Identifier:        reserveHarbour(t).WithResource(boats),
			ObjectDescription: "boats",
		})
		proceed := make(chan struct{})
		_, err := informer.AddEventHandlerWithOptions(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { <-proceed }}, cache.HandlerOptions{Name: "pilot"})
		if err != nil {
			t.Fatal(err)
		}
		want := cache.State{Name: "harbour", Type: "boats", Phase: cache.PhaseStarting}
		expectState(t, informer, want)

		stop := run(t, informer)
		synctest.Wait()
		want.Started, want.Phase = true, cache.PhaseListing
		expectState(t, informer, want)

		time.Sleep(2 * time.Second)
		want.Phase, want.Objects, want.ResourceVersion = cache.PhaseSyncing, 1, "1"
		expectState(t, informer, want)
		if got := cache.StateOf(informer).Handlers; len(got) != 1 || got[0].Name != "pilot" || got[0].Synced || got[0].Lag != 1 {
			t.Errorf("handlers are %+v, want the pilot, with a lag of 1", got)
		}

		close(proceed)
		synctest.Wait()
		want.Phase = cache.PhaseLive
		expectState(t, informer, want)

		time.Sleep(time.Minute)
		source.Modify(newShip("bay/a", "blue"))
		synctest.Wait()
		want.ResourceVersion, want.LastEvent = "2", time.Now()
		expectState(t, informer, want)

		stop()
		want.Phase = cache.PhaseStopped
		expectState(t, informer, want)
	})
}

func TestStateOfFailure(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		failing := &failingSource{FakeControllerSource: source}
		failing.fail(errForbidden)
		informer := cache.NewSharedIndexInformer(failing, &ship{}, 0, nil)
		defer run(t, informer)()
		synctest.Wait()
		want := cache.State{Type: "*v1.PartialObjectMetadata", Started: true, Phase: cache.PhaseFailed, Err: errForbidden}
		expectState(t, informer, want)

		failing.fail(nil)
		time.Sleep(time.Minute)
		want.Phase, want.Err, want.ResourceVersion = cache.PhaseLive, nil, "0"
		expectState(t, informer, want)

		failing.fail(errForbidden)
		source.ResetWatch()
		source.Add(newShip("bay/a", "red")) // so that the watch must be replaced by a list
		source.ResetWatch()
		time.Sleep(time.Minute)
		want.Phase, want.Err = cache.PhaseStale, errForbidden
		expectState(t, informer, want)
	})
}

func TestStateOfSources(t *testing.T) {
	inBubble(t, func(t *testing.T, bay *cachetesting.FakeControllerSource) {
		sea := &failingSource{FakeControllerSource: cachetesting.NewFakeControllerSource()}
		defer func() { synctest.Wait(); sea.Shutdown() }()
		bay.Add(newShip("bay/a", "red"))
		sea.Add(newShip("sea/b", "red"))
		sea.Add(newShip("sea/c", "red"))
		sea.fail(errForbidden)
		informer := cache.NewSharedIndexInformerWithOptions(nil, &ship{}, cache.SharedIndexInformerOptions{
			Sources: []cache.Source{{Namespace: "bay", ListerWatcher: bay}, {Namespace: "sea", ListerWatcher: sea}},
		})
		defer run(t, informer)()
		synctest.Wait()
		want := cache.State{Type: "*v1.PartialObjectMetadata", Started: true, Phase: cache.PhaseFailed, Err: errForbidden, Objects: 1}
		expectState(t, informer, want)
		if informer.HasSynced() {
			t.Error("synced though a source was never listed")
		}
		var namespaces []string
		var phases []cache.Phase
		for _, source := range cache.StateOf(informer).Sources {
			namespaces, phases = append(namespaces, source.Namespace), append(phases, source.Phase)
		}
		if !slices.Equal(namespaces, []string{"bay", "sea"}) || !slices.Equal(phases, []cache.Phase{cache.PhaseLive, cache.PhaseFailed}) {
			t.Errorf("sources are %v, %v", namespaces, phases)
		}

		sea.fail(nil)
		time.Sleep(time.Minute)
		want = cache.State{Type: want.Type, Started: true, Phase: cache.PhaseLive, Objects: 3, ResourceVersion: "1"}
		expectState(t, informer, want)
		if !informer.HasSynced() {
			t.Error("not synced though all sources were listed")
		}
		if got := informer.LastSyncResourceVersion(); got != "1" {
			t.Errorf("resource version is %q, want the oldest, 1", got)
		}
	})
}

func TestSourcesDoNotDeleteEachOthersObjects(t *testing.T) {
	inBubble(t, func(t *testing.T, bay *cachetesting.FakeControllerSource) {
		sea := cachetesting.NewFakeControllerSource()
		defer func() { synctest.Wait(); sea.Shutdown() }()
		bay.Add(newShip("bay/a", "red"))
		sea.Add(newShip("sea/b", "red"))
		informer := cache.NewSharedIndexInformerWithOptions(nil, &ship{}, cache.SharedIndexInformerOptions{
			Sources: []cache.Source{{Namespace: "bay", ListerWatcher: bay}, {Namespace: "sea", ListerWatcher: sea}},
		})
		log := &logbook{}
		mustAddHandler(t, informer, log)
		defer run(t, informer)()
		log.expectUnordered(t, "first bay/a red", "first sea/b red")

		bay.DeleteDropWatch(newShip("bay/a", "red"))
		bay.ResetWatch()
		time.Sleep(time.Minute)
		log.expect(t, "lost bay/a, last bay/a red")
		if diff := cmp.Diff([]string{"sea/b"}, sortedKeys(informer.GetStore())); diff != "" {
			t.Errorf("keys (-want +got):\n%s", diff)
		}
	})
}

func TestStateTellsOfIndexErrors(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, cache.Indexers{"broken": func(any) ([]string, error) {
			return nil, errors.New("no idea")
		}})
		defer run(t, informer)()
		synctest.Wait()
		got := cache.StateOf(informer).IndexErrors
		if len(got) != 1 || got[0].Index != "broken" || got[0].Name != cache.NewObjectName("bay", "a") || got[0].Err == nil {
			t.Errorf("index errors are %+v", got)
		}
	})
}

func TestStateOfForeignInformer(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		informer := foreignInformer{cache.NewSharedIndexInformer(source, &ship{}, 0, nil)}
		want := cache.State{Type: "cache_test.foreignInformer", Phase: cache.PhaseStarting}
		expectState(t, informer, want)
		stop := run(t, informer)
		synctest.Wait()
		want.Started, want.Phase, want.ResourceVersion, want.Objects = true, cache.PhaseLive, "1", 1
		expectState(t, informer, want)
		stop()
		want.Phase = cache.PhaseStopped
		expectState(t, informer, want)
	})
}

func TestStateOfView(t *testing.T) {
	informer := cache.NewSharedIndexInformer(nil, &ship{}, 0, nil)
	view := cache.NewTypedSharedIndexInformer[*ship](cache.NewTypedSharedIndexInformer[*ship](informer))
	if diff := cmp.Diff(cache.StateOf(informer), cache.StateOf(view)); diff != "" {
		t.Errorf("the state of a view differs from that of the informer:\n%s", diff)
	}
}

// TestOldestOfSeveralSources uses sources with different resource versions, in any order, and one
// without.
func TestOldestOfSeveralSources(t *testing.T) {
	for name, test := range map[string]struct {
		versions []string // "none" is a source that cannot be listed
		want     string
	}{
		"all listed":         {[]string{"7", "12", "9"}, "7"},
		"first not listed":   {[]string{"", "12"}, ""},
		"last not listed":    {[]string{"12", ""}, ""},
		"another not listed": {[]string{"7", "", "12"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var sources []cache.Source
				for i, version := range test.versions {
					sources = append(sources, cache.Source{Namespace: fmt.Sprint(i), ListerWatcher: &server{
						list: func(int, context.Context, metav1.ListOptions) (runtime.Object, error) {
							if version == "" {
								return nil, apierrors.NewForbidden(things, "", nil)
							}
							return newThings(version), nil
						},
						watch: func(_ int, ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
							if o.ResourceVersion != "12" {
								return newStream(ctx), nil
							}
							other := newThing("a", "20")
							return newStream(ctx, watch.Event{Type: watch.Added, Object: other}), nil
						},
					}})
				}
				informer := cache.NewSharedIndexInformerWithOptions(nil, &thing{}, cache.SharedIndexInformerOptions{Sources: sources})
				if got := informer.LastSyncResourceVersion(); got != "" {
					t.Errorf("at %q before it runs", got)
				}
				stop := run(t, informer)
				synctest.Wait()
				received, applied := informer.LastSyncResourceVersion(), cache.StateOf(informer).ResourceVersion
				if stored := informer.GetStore().LastStoreSyncResourceVersion(); received != test.want || applied != test.want || stored != test.want {
					t.Errorf("received %q, applied %q and stored %q, want %q", received, applied, stored, test.want)
				}
				stop()
			})
		})
	}
}

// TestPhaseOfSeveralSources has one source that was never listed and one that is out of date: the
// first is worse.
func TestPhaseOfSeveralSources(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := func(lists int) cache.Source {
			return cache.Source{Namespace: fmt.Sprint(lists), ListerWatcher: &server{
				list: func(n int, _ context.Context, _ metav1.ListOptions) (runtime.Object, error) {
					if n > lists {
						return nil, apierrors.NewForbidden(things, "", nil)
					}
					return newThings("1"), nil
				},
				watch: func(int, context.Context, metav1.ListOptions) (watch.Interface, error) {
					return nil, apierrors.NewForbidden(things, "", nil)
				},
			}}
		}
		for _, sources := range [][]cache.Source{{source(0), source(1)}, {source(1), source(0)}} {
			informer := cache.NewSharedIndexInformerWithOptions(nil, &thing{}, cache.SharedIndexInformerOptions{Sources: sources})
			stop := run(t, informer)
			time.Sleep(time.Minute)
			synctest.Wait()
			if state := cache.StateOf(informer); state.Phase != cache.PhaseFailed {
				t.Errorf("%s, with sources %s and %s", state.Phase, state.Sources[0].Phase, state.Sources[1].Phase)
			}
			stop()
		}
	})
}

func TestStateIdentifiesInformer(t *testing.T) {
	unknown := cache.StateOf(cache.NewSharedIndexInformer(nil, &ship{}, 0, nil))
	if !strings.HasPrefix(unknown.Owner, "cache/informer_state_test.go:") || !unknown.Resource.Empty() || unknown.LabelSelector != "" {
		t.Errorf("without options: got owner %q, resource %v, label selector %q", unknown.Owner, unknown.Resource, unknown.LabelSelector)
	}
	known := cache.StateOf(cache.NewSharedIndexInformerWithOptions(nil, &ship{}, cache.SharedIndexInformerOptions{
		Identifier: (*cache.InformerName)(nil).WithResource(boats),
		Owner:      "pilot",
		Selectors:  func() (labels, fields string) { return "l=1", "f=2" },
	}))
	if known.Owner != "pilot" || known.Resource != boats || known.LabelSelector != "l=1" || known.FieldSelector != "f=2" {
		t.Errorf("got owner %q, resource %v, selectors %q and %q", known.Owner, known.Resource, known.LabelSelector, known.FieldSelector)
	}
}

// TestStateFromOutside takes the states of informers of a synctest bubble outside of it, as a debug
// page of the process does.
func TestStateFromOutside(t *testing.T) {
	ask, answer := make(chan struct{}), make(chan any)
	go func() {
		for range ask {
			answer <- func() (result any) {
				defer func() {
					if failed := recover(); failed != nil {
						result = failed
					}
				}()
				for _, informer := range cache.All() {
					if state := cache.StateOf(informer); state.Type == "ships seen from outside" {
						if got := informer.HasSynced(); got != (state.Phase == cache.PhaseLive) {
							return fmt.Errorf("synced: %v, state %+v", got, state)
						}
						return state
					}
				}
				return "no such informer"
			}()
		}
	}()
	defer close(ask)
	expect := func(t *testing.T, phase cache.Phase, synced bool) {
		t.Helper()
		synctest.Wait()
		ask <- struct{}{}
		got := <-answer
		state, ok := got.(cache.State)
		if !ok || state.Phase != phase || len(state.Handlers) != 1 || state.Handlers[0].Synced != synced {
			t.Errorf("got %+v, want phase %v, synced %v", got, phase, synced)
		}
	}
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "red"))
		informer := cache.NewSharedIndexInformerWithOptions(lateSource{source, time.Second, nil}, &ship{}, cache.SharedIndexInformerOptions{
			ObjectDescription: "ships seen from outside",
		})
		if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{}); err != nil {
			t.Fatal(err)
		}
		expect(t, cache.PhaseStarting, false)
		stop := run(t, informer)
		expect(t, cache.PhaseListing, false)
		time.Sleep(2 * time.Second)
		expect(t, cache.PhaseLive, true)
		stop()
	})
}
