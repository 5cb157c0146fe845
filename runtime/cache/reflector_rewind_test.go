package cache_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
)

// TestRewind checks that objects are relisted if the server's resource versions go back.
func TestRewind(t *testing.T) {
	const rewound = "watch of things ended: resource version went back from 900 to "
	event := func(typ watch.EventType, name, rv string) watch.Event {
		return watch.Event{Type: typ, Object: newThing(name, rv)}
	}
	for name, c := range map[string]struct {
		first string // resource version of the first list
		sent  []watch.Event
		err   string // "" if there is no error
		have  []string
	}{
		"a bookmark":               {"900", []watch.Event{event(watch.Bookmark, "", "500")}, rewound + "500", nil},
		"an addition":              {"900", []watch.Event{event(watch.Added, "b", "501")}, rewound + "501", nil},
		"a change":                 {"900", []watch.Event{event(watch.Modified, "a", "501")}, rewound + "501", nil},
		"a deletion":               {"900", []watch.Event{event(watch.Deleted, "a", "501")}, rewound + "501", nil},
		"a bad object":             {"900", []watch.Event{{Type: watch.Modified, Object: undecodable("a", "501")}}, rewound + "501", nil},
		"a shorter number":         {"900", []watch.Event{event(watch.Bookmark, "", "99")}, rewound + "99", nil},
		"after an event":           {"7", []watch.Event{event(watch.Added, "b", "900"), event(watch.Added, "c", "899")}, rewound + "899", nil},
		"after a bookmark":         {"7", []watch.Event{event(watch.Bookmark, "", "900"), event(watch.Added, "c", "899")}, rewound + "899", nil},
		"the same version":         {"900", []watch.Event{event(watch.Added, "b", "900"), event(watch.Modified, "b", "900")}, "", []string{"a@7", "b@900"}},
		"a longer number":          {"900", []watch.Event{event(watch.Added, "b", "1000")}, "", []string{"a@7", "b@1000"}},
		"no number":                {"900", []watch.Event{event(watch.Added, "b", "x5")}, "", []string{"a@7", "b@x5"}},
		"after an invalid version": {"x900", []watch.Event{event(watch.Added, "b", "5")}, "", []string{"a@7", "b@5"}},
		"no version":               {"900", []watch.Event{event(watch.Added, "b", "")}, "", []string{"a@7", "b@"}},
		"a list without one":       {"", []watch.Event{event(watch.Added, "b", "9"), event(watch.Added, "c", "8")}, "", []string{"a@7", "b@9", "c@8"}},
		"a list of version 0":      {"0", []watch.Event{event(watch.Added, "b", "9"), event(watch.Added, "c", "8")}, "", []string{"a@7", "b@9", "c@8"}},
	} {
		for _, watchList := range []bool{false, true} {
			if watchList && (c.first == "" || c.first == "0") {
				continue // no server ends the initial events with these
			}
			t.Run(name+map[bool]string{false: "", true: ", after a watch list"}[watchList], func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := &server{watchList: watchList}
					s.list = func(n int, _ context.Context, _ metav1.ListOptions) (runtime.Object, error) {
						if n == 1 {
							return newThings(c.first, newThing("a", "7")), nil
						}
						return newThings("500", newThing("a", "7")), nil
					}
					s.watch = func(n int, ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
						switch {
						case n > 1 && o.SendInitialEvents != nil:
							return newStream(ctx, initially("500", newThing("a", "7"))...), nil
						case n > 1:
							return newStream(ctx), nil
						case watchList:
							return newStream(ctx, append(initially(c.first, newThing("a", "7")), c.sent...)...), nil
						}
						return newStream(ctx, c.sent...), nil
					}
					r := reflect(t, s, cache.ReflectorOptions{TypeDescription: "things", Undecodable: cache.QuarantineUndecodable})
					s.requests()
					if c.err == "" {
						if state := r.State(); state.Err != nil || state.Phase != cache.PhaseLive {
							t.Errorf("phase %s, error %v", state.Phase, state.Err)
						}
						want(t, "objects", r.have(), c.have)
						return
					}
					wantFailing(t, r.State(), cache.PhaseStale, 1, c.err)
					if err := r.State().Err; !errors.Is(err, cache.ErrRewound) {
						t.Errorf("the error is not ErrRewound: %v", err)
					}
					r.wait(2 * time.Second)
					requests := []string{"list rv= limit=500", "watch rv=500"}
					if watchList {
						requests = []string{"watch rv= initial NotOlderThan"}
					}
					want(t, "requests", s.requests(), requests)
					want(t, "objects", r.have(), []string{"a@7"})
					if state := r.State(); state.Phase != cache.PhaseLive || state.ResourceVersion != "500" || state.Lists != 2 {
						t.Errorf("phase %s at %s after %d lists", state.Phase, state.ResourceVersion, state.Lists)
					}
				})
			})
		}
	}
}

// TestRewindOfFakes checks that the versions of watches in tests may go back.
func TestRewindOfFakes(t *testing.T) {
	type fake interface {
		watch.Interface
		Add(runtime.Object)
		Modify(runtime.Object)
	}
	for name, newFake := range map[string]func() fake{
		"fake":              func() fake { return watch.NewFakeWithChanSize(2, false) },
		"fake without race": func() fake { return watch.NewRaceFreeFake() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newFake()
				w.Modify(newThing("a", "7"))
				w.Add(newThing("b", "5"))
				s := &server{}
				s.list = func(int, context.Context, metav1.ListOptions) (runtime.Object, error) {
					return newThings("900", newThing("a", "900")), nil
				}
				s.watch = func(int, context.Context, metav1.ListOptions) (watch.Interface, error) { return w, nil }
				r := reflect(t, s, cache.ReflectorOptions{})
				if state := r.State(); state.Err != nil || state.Lists != 1 {
					t.Errorf("%d lists, error %v", state.Lists, state.Err)
				}
				want(t, "objects", r.have(), []string{"a@7", "b@5"})
			})
		})
	}
}
