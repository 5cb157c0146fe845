package cache_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/codec"
)

func undecodable(name, rv string) *codec.Undecodable {
	return &codec.Undecodable{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, ResourceVersion: rv},
		Err:        &codec.Error{Namespace: "ns", Name: name, Pointer: "/spec/length", Index: -1, Err: errors.New("not a number")},
	}
}

// quarantined returns the names of a state's quarantined objects, with the time since the start.
func quarantined(s cache.SourceState, start time.Time) map[string]time.Duration {
	names := map[string]time.Duration{}
	for _, q := range s.Quarantined {
		names[q.Name.Name] = q.Since.Sub(start)
	}
	return names
}

// tolerantServer lists objects one by one, some of which cannot be decoded.
func tolerantServer(lists [][]runtime.Object, watches [][]watch.Event) *streamingServer {
	s := &streamingServer{}
	s.stream = func(n int, ctx context.Context, _ metav1.ListOptions, each func(runtime.Object) error) (runtime.Object, error) {
		for _, obj := range lists[min(n, len(lists))-1] {
			if err := each(obj); err != nil {
				return nil, err
			}
		}
		return newThings("10"), nil
	}
	s.watch = func(n int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
		return feedStream(ctx, func(ctx context.Context, send func(watch.Event)) {
			if n <= len(watches) {
				for _, event := range watches[n-1] {
					time.Sleep(time.Second)
					send(event)
				}
			}
			<-ctx.Done()
		}), nil
	}
	return s
}

func TestQuarantine(t *testing.T) {
	a, b := newThing("a", "1"), newThing("b", "2")
	bad := func(typ watch.EventType, name, rv string) watch.Event {
		return watch.Event{Type: typ, Object: undecodable(name, rv)}
	}
	lost := watch.Event{Type: "STRANGE"}
	tests := []struct {
		name    string
		held    []*thing // in the store before
		lists   [][]runtime.Object
		watches [][]watch.Event
		have    []string
		bad     map[string]time.Duration
	}{{
		name:  "listed, never seen",
		lists: [][]runtime.Object{{a, undecodable("x", "3"), b}},
		have:  []string{"a@1", "b@2"},
		bad:   map[string]time.Duration{"x": 0},
	}, {
		name:  "listed, seen before",
		held:  []*thing{newThing("x", "1"), newThing("gone", "1")},
		lists: [][]runtime.Object{{a, undecodable("x", "3")}},
		have:  []string{"a@1", "x@1"},
		bad:   map[string]time.Duration{"x": 0},
	}, {
		name:    "modified",
		lists:   [][]runtime.Object{{a}},
		watches: [][]watch.Event{{bad(watch.Modified, "a", "11"), bad(watch.Modified, "a", "12"), {Type: watch.Added, Object: newThing("c", "13")}}},
		have:    []string{"a@1", "c@13"},
		bad:     map[string]time.Duration{"a": time.Second},
	}, {
		name:    "modified, and good again",
		lists:   [][]runtime.Object{{a}},
		watches: [][]watch.Event{{bad(watch.Modified, "a", "11"), {Type: watch.Modified, Object: newThing("a", "12")}}},
		have:    []string{"a@12"},
	}, {
		name:    "modified, and deleted as one that can be decoded",
		lists:   [][]runtime.Object{{a}},
		watches: [][]watch.Event{{bad(watch.Modified, "a", "11"), {Type: watch.Deleted, Object: newThing("a", "12")}}},
		have:    []string{},
	}, {
		name:    "deleted",
		lists:   [][]runtime.Object{{a, b}},
		watches: [][]watch.Event{{bad(watch.Modified, "a", "11"), bad(watch.Deleted, "a", "12")}},
		have:    []string{"b@2"},
	}, {
		name:    "added and deleted, never seen",
		lists:   [][]runtime.Object{{b}},
		watches: [][]watch.Event{{bad(watch.Added, "a", "11"), bad(watch.Deleted, "a", "12")}},
		have:    []string{"b@2"},
	}, {
		name:    "listed again, still bad",
		lists:   [][]runtime.Object{{a, b}, {undecodable("a", "11"), b}},
		watches: [][]watch.Event{{bad(watch.Modified, "a", "11"), lost}},
		have:    []string{"a@1", "b@2"},
		bad:     map[string]time.Duration{"a": time.Second},
	}, {
		name:    "relisted, decodable or deleted",
		lists:   [][]runtime.Object{{a, b}, {newThing("a", "12")}},
		watches: [][]watch.Event{{bad(watch.Modified, "a", "11"), bad(watch.Modified, "b", "11"), lost}},
		have:    []string{"a@12"},
	}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				s := tolerantServer(test.lists, test.watches)
				store := cache.NewStore(cache.MetaNamespaceKeyFunc)
				for _, obj := range test.held {
					if err := store.Add(obj); err != nil {
						t.Fatal(err)
					}
				}
				r := reflectInto(t, s, store, store, cache.ReflectorOptions{Undecodable: cache.QuarantineUndecodable})
				r.wait(10 * time.Second)
				want(t, "objects", r.have(), test.have)
				state := r.State()
				if diff := cmp.Diff(test.bad, quarantined(state, start), cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("quarantine (-want +got):\n%s", diff)
				}
				if state.Phase != cache.PhaseLive {
					t.Errorf("state %+v", state)
				}
				for _, q := range state.Quarantined {
					if got := q.Err.Error(); got != "decode ns/"+q.Name.Name+", at /spec/length: not a number" {
						t.Errorf("error %q", got)
					}
				}
			})
		})
	}
}

// An informer's handlers receive the deletion of an undecodable object with its last decodable
// state, and none for an object that they never received.
func TestQuarantineInAnInformer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := tolerantServer(
			[][]runtime.Object{{newThing("a", "1"), newThing("b", "1"), undecodable("x", "2")}},
			[][]watch.Event{{
				{Type: watch.Modified, Object: undecodable("a", "11")},
				{Type: watch.Deleted, Object: undecodable("a", "12")},
				{Type: watch.Deleted, Object: undecodable("x", "13")},
				{Type: watch.Modified, Object: undecodable("b", "14")},
			}})
		informer := cache.NewSharedIndexInformerWithOptions(s, &thing{}, cache.SharedIndexInformerOptions{Undecodable: cache.QuarantineUndecodable})
		var told []string
		_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(obj any) { told = append(told, "add "+obj.(*thing).Name) },
			UpdateFunc: func(_, obj any) { told = append(told, "update "+obj.(*thing).Name) },
			DeleteFunc: func(obj any) {
				tombstone := obj.(cache.DeletedFinalStateUnknown)
				told = append(told, "delete "+tombstone.Key+" "+tombstone.Obj.(*thing).ResourceVersion)
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			informer.RunWithContext(ctx)
		}()
		time.Sleep(10 * time.Second)
		synctest.Wait()
		want(t, "objects", sortedThings(informer.GetStore().List()), []string{"b@1"})
		state := cache.StateOf(informer)
		if state.Phase != cache.PhaseLive || len(state.Sources[0].Quarantined) != 1 || state.ResourceVersion != "14" {
			t.Errorf("state %+v", state)
		}
		cancel()
		<-done
		want(t, "told", told, []string{"add a", "add b", "delete ns/a 1"})
	})
}

// A store that cannot return its objects cannot keep them.
func TestQuarantineNeedsAStoreThatKnows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := tolerantServer([][]runtime.Object{{undecodable("x", "3")}}, nil)
		store := cache.NewStore(cache.MetaNamespaceKeyFunc)
		r := reflectInto(t, s, store, struct{ cache.ReflectorStore }{store}, cache.ReflectorOptions{Undecodable: cache.QuarantineUndecodable})
		wantFailing(t, r.State(), cache.PhaseFailed, 1, "cannot return its state of ns/x")
	})
}

// By default, lists and watches end at an undecodable object.
func TestUndecodableFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{list: func(int, context.Context, metav1.ListOptions) (runtime.Object, error) {
			return nil, undecodable("x", "3").Err
		}}
		r := reflect(t, s, cache.ReflectorOptions{TypeDescription: "things"})
		wantFailing(t, r.State(), cache.PhaseFailed, 1, "failed to list things: decode ns/x, at /spec/length: not a number")
		var at *codec.Error
		if !errors.As(r.State().Err, &at) {
			t.Errorf("error %v is not a codec.Error", r.State().Err)
		}
	})
}
