package cache_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	apiwait "k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
)

func TestWatchIsSilent(t *testing.T) {
	for name, test := range map[string]struct {
		options     cache.ReflectorOptions
		least, most time.Duration
	}{
		"by default": {cache.ReflectorOptions{}, 5*time.Minute + 30*time.Second, 10*time.Minute + 30*time.Second},
		"longer":     {cache.ReflectorOptions{MinWatchTimeout: time.Hour}, time.Hour + 30*time.Second, 2*time.Hour + 30*time.Second},
		"not less":   {cache.ReflectorOptions{MinWatchTimeout: time.Minute}, 5*time.Minute + 30*time.Second, 10*time.Minute + 30*time.Second},
		"as set":     {cache.ReflectorOptions{ProgressDeadline: 3 * time.Minute}, 3 * time.Minute, 3 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				stopped := make(chan time.Duration, 9)
				s := &server{watch: func(_ int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
					context.AfterFunc(ctx, func() { stopped <- time.Since(start) })
					return newStream(ctx, watch.Event{Type: watch.Bookmark, Object: newThing("", "5")}), nil
				}}
				r := reflect(t, s, test.options)
				r.wait(test.least - time.Second)
				if len(stopped) > 0 {
					t.Errorf("gave up after %v", <-stopped)
				}
				r.wait(test.most - test.least + time.Second)
				if len(stopped) == 0 {
					t.Fatal("never gave up")
				}
				want(t, "requests", s.requests()[:3], []string{"list rv= limit=500", "watch rv=1", "watch rv=5"})
				if err := r.State().Err; !errors.Is(err, cache.ErrNoProgress) || !strings.Contains(err.Error(), "nothing received for ") {
					t.Errorf("error %v", err)
				}
			})
		})
	}
}

// Events, including bookmarks, prevent a watch from being silent.
func TestWatchIsNotSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{watch: func(_ int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
			return feedStream(ctx, func(ctx context.Context, send func(watch.Event)) {
				for ctx.Err() == nil {
					time.Sleep(59 * time.Second)
					send(watch.Event{Type: watch.Bookmark, Object: newThing("", "5")})
				}
			}), nil
		}}
		r := reflect(t, s, cache.ReflectorOptions{ProgressDeadline: time.Minute})
		r.wait(time.Hour)
		want(t, "requests", s.requests(), []string{"list rv= limit=500", "watch rv=1"})
		r.stop()
		time.Sleep(time.Minute)
	})
}

// slowStore needs some time for each object.
type slowStore struct {
	cache.Store
	takes time.Duration
}

func (s slowStore) Add(obj any) error {
	time.Sleep(s.takes)
	return s.Store.Add(obj)
}

// A watch is silent from its last event on, however late that arrives and long it takes.
func TestWatchFallsSilent(t *testing.T) {
	for name, test := range map[string]struct {
		events int           // number of events sent at once
		at     time.Duration // when they arrive
		takes  time.Duration // to store each
		silent time.Duration // when the watch is restarted
	}{
		"after one event":    {1, 40 * time.Second, 0, 100 * time.Second},
		"after many":         {5, 40 * time.Second, 0, 100 * time.Second},
		"after a slow store": {5, 0, 20 * time.Second, 160 * time.Second}, // which has stored the last at 100 s
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{watch: func(_ int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
					return feedStream(ctx, func(ctx context.Context, send func(watch.Event)) {
						select {
						case <-time.After(test.at):
						case <-ctx.Done():
						}
						for i := range test.events {
							send(watch.Event{Type: watch.Added, Object: newThing(fmt.Sprint(i), "5")})
						}
						<-ctx.Done()
					}), nil
				}}
				store := cache.NewStore(cache.MetaNamespaceKeyFunc)
				r := reflectInto(t, s, store, slowStore{store, test.takes}, cache.ReflectorOptions{ProgressDeadline: time.Minute})
				r.wait(test.silent - time.Second)
				want(t, "requests", s.requests(), []string{"list rv= limit=500", "watch rv=1"})
				r.wait(2 * time.Second)
				want(t, "requests", s.requests(), []string{"watch rv=5"})
			})
		})
	}
}

func TestWatchEnds(t *testing.T) {
	added := watch.Event{Type: watch.Added, Object: newThing("c", "11")}
	tests := []struct {
		name     string
		lasts    time.Duration
		events   []watch.Event
		requests []string // within a minute
		words    string
	}{
		{"at once", 0, nil, []string{"watch rv=1", "list rv=1", "watch rv=1"}, "very short watch: test: Unexpected watch close"},
		{"soon, with an event", 0, []watch.Event{added}, []string{"watch rv=1", "watch rv=11", "watch rv=11"}, ""},
		{"after more than a second", 2 * time.Second, nil, []string{"watch rv=1", "watch rv=1", "watch rv=1"}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{
					list: func(int, context.Context, metav1.ListOptions) (runtime.Object, error) { return newThings("1"), nil },
					watch: func(n int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
						if n > 2 {
							return newStream(ctx), nil
						}
						w := newShortStream(ctx, test.events...)
						if test.lasts > 0 {
							w = newStream(ctx)
							time.AfterFunc(test.lasts, w.Stop)
						}
						return w, nil
					},
				}
				r := reflect(t, s, cache.ReflectorOptions{})
				r.wait(time.Minute)
				want(t, "requests", s.requests()[1:4], test.requests)
				state := r.State()
				if test.words == "" && state.Err != nil {
					t.Errorf("error %v", state.Err)
				}
				if test.words != "" {
					wantFailing(t, state, cache.PhaseLive, 0, test.words)
					var short *cache.VeryShortWatchError
					if !errors.As(state.Err, &short) || short.Name != "test" {
						t.Errorf("error %v", state.Err)
					}
				}
			})
		})
	}
}

// A server that ends each watch after an event does not get requests as fast as it can respond.
func TestWatchesThatEndSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{watch: func(n int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
			return newShortStream(ctx, watch.Event{Type: watch.Bookmark, Object: newThing("", "5")}), nil
		}}
		r := reflect(t, s, cache.ReflectorOptions{})
		r.wait(time.Minute)
		if n := len(s.requests()); n > 12 {
			t.Errorf("%d requests in a minute", n)
		}
		if state := r.State(); state.Phase != cache.PhaseLive {
			t.Errorf("state %+v", state)
		}
	})
}

// Failures are counted, and waits grow, while watches can be started but end again.
func TestFailuresAddUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{watch: expiring(1 << 30)}
		r := reflect(t, s, cache.ReflectorOptions{})
		r.wait(time.Hour)
		state := r.State()
		if state.Failures < 60 || state.Failures > 130 || state.Phase != cache.PhaseStale {
			t.Errorf("%d failures in an hour, %s", state.Failures, state.Phase)
		}
	})
}

// A watch that lasts resets the failures before it, even if nothing happened in it.
func TestFailuresEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{watch: func(n int, ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			if n != 3 {
				return expiring(5)(n, ctx, o)
			}
			w := newStream(ctx)
			time.AfterFunc(2*time.Second, w.Stop)
			return w, nil
		}}
		r := reflect(t, s, cache.ReflectorOptions{Backoff: &apiwait.Backoff{Duration: time.Second}})
		failures := []int{r.State().Failures}
		for range 4 {
			r.wait(time.Second)
			failures = append(failures, r.State().Failures)
		}
		want(t, "failures", failures, []int{1, 2, 0, 0, 1})
	})
}

// So does an event.
func TestFailuresEndWithAnEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{watch: func(_ int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
			return newStream(ctx, watch.Event{Type: watch.Added, Object: newThing("a", "5")}, watch.Event{Type: "STRANGE"}), nil
		}}
		r := reflect(t, s, cache.ReflectorOptions{})
		r.wait(time.Minute)
		if state := r.State(); state.Failures != 1 || state.Watches < 2 {
			t.Errorf("%d failures after %d watches", state.Failures, state.Watches)
		}
	})
}

func TestBackoffIsConfigured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var at []time.Duration
		s := &server{list: func(int, context.Context, metav1.ListOptions) (runtime.Object, error) {
			at = append(at, time.Since(start))
			return nil, errors.New("no")
		}}
		r := reflect(t, s, cache.ReflectorOptions{Backoff: &apiwait.Backoff{Duration: time.Second, Factor: 3, Steps: 10, Cap: 20 * time.Second}})
		if doing := r.State().Doing; doing != "waiting 1s to list again" {
			t.Errorf("doing %q", doing)
		}
		r.wait(60 * time.Second)
		r.stop()
		want(t, "times of lists", at, []time.Duration{0, 1 * time.Second, 4 * time.Second, 13 * time.Second, 33 * time.Second, 53 * time.Second})
	})
}

func TestRetryAfterIsHonoured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{watch: func(n int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
			if n == 1 {
				return nil, apierrors.NewTooManyRequests("busy", 40)
			}
			return newStream(ctx), nil
		}}
		r := reflect(t, s, cache.ReflectorOptions{})
		r.wait(40*time.Second - 1)
		want(t, "requests", s.requests(), []string{"list rv= limit=500", "watch rv=1"})
		r.wait(2 * time.Second)
		want(t, "requests", s.requests(), []string{"watch rv=1"})
	})
}

// A watch without a resource version starts with objects in any order; until other events arrive,
// there is no version to resume from.
func TestWatchFromNowhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{
			list: func(int, context.Context, metav1.ListOptions) (runtime.Object, error) { return newThings(""), nil },
			watch: func(n int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
				w := newStream(ctx,
					watch.Event{Type: watch.Added, Object: newThing("a", "9")},
					watch.Event{Type: watch.Added, Object: newThing("b", "3")})
				if n == 1 {
					time.AfterFunc(time.Second, w.Stop)
					return w, nil
				}
				return newStream(ctx, watch.Event{Type: watch.Modified, Object: newThing("a", "10")},
					watch.Event{Type: watch.Added, Object: newThing("c", "11")}), nil
			},
		}
		r := reflect(t, s, cache.ReflectorOptions{})
		want(t, "version", r.LastSyncResourceVersion(), "")
		r.wait(time.Second)
		want(t, "requests", s.requests(), []string{"list rv= limit=500", "watch rv=", "watch rv="})
		want(t, "version", r.LastSyncResourceVersion(), "11")
		want(t, "objects", r.have(), []string{"a@10", "b@3", "c@11"})
	})
}

// An object that the store rejects is reported in the state; other objects are not affected.
func TestStoreRefusesAnEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		nameless := newThing("", "12")
		s := &server{watch: func(_ int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
			return newStream(ctx, watch.Event{Type: watch.Added, Object: nameless}, watch.Event{Type: watch.Added, Object: newThing("a", "13")}), nil
		}}
		store := cache.NewStore(func(obj any) (string, error) {
			if obj.(*thing).Name == "" {
				return "", errors.New("no name")
			}
			return cache.MetaNamespaceKeyFunc(obj)
		})
		r := reflectInto(t, s, store, store, cache.ReflectorOptions{})
		want(t, "objects", r.have(), []string{"a@13"})
		wantFailing(t, r.State(), cache.PhaseLive, 0, "no name")
	})
}

func TestUnstructuredMustBeOfTheKind(t *testing.T) {
	of := func(kind, name string) *unstructured.Unstructured {
		u := &unstructured.Unstructured{}
		u.SetAPIVersion("example.com/v1")
		u.SetKind(kind)
		u.SetName(name)
		u.SetResourceVersion("5")
		return u
	}
	table := of("Table", "x")
	table.SetAPIVersion("meta.k8s.io/v1beta1")
	tests := []struct {
		name     string
		expected any
		event    runtime.Object
		words    string
	}{
		{"same", of("Thing", ""), of("Thing", "a"), ""},
		{"any kind", &unstructured.Unstructured{}, of("Other", "a"), ""},
		{"any type", nil, newThing("a", "5"), ""},
		{"other kind", of("Thing", ""), of("Other", "a"), "unexpected object of kind example.com/v1, Kind=Other, want example.com/v1, Kind=Thing"},
		{"table", &unstructured.Unstructured{}, table, "tables are not supported"},
		{"no object", nil, newThings("5"), "invalid object in event"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{watch: func(_ int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
					return newStream(ctx, watch.Event{Type: watch.Added, Object: test.event}), nil
				}}
				store := cache.NewStore(cache.MetaNamespaceKeyFunc)
				r := cache.NewReflectorWithOptions(s, test.expected, store, cache.ReflectorOptions{})
				go r.RunWithContext(t.Context())
				synctest.Wait()
				if test.words != "" {
					wantFailing(t, r.State(), cache.PhaseStale, 1, test.words)
				} else if n := len(store.List()); n != 1 {
					t.Errorf("%d objects, state %+v", n, r.State())
				}
			})
		})
	}
}

func TestReflectorStops(t *testing.T) {
	never := func(context.Context) { time.Sleep(time.Hour) }
	tests := []struct {
		name   string
		server *server
	}{
		{"in a list that ignores it", &server{list: func(_ int, ctx context.Context, _ metav1.ListOptions) (runtime.Object, error) {
			never(ctx)
			return newThings("1"), nil
		}}},
		{"in a watch that ignores it", &server{watch: func(_ int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
			never(ctx)
			return newStream(ctx), nil
		}}},
		{"in a watch list that ignores it", &server{watchList: true, watch: func(_ int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
			never(ctx)
			return nil, errors.New("too late")
		}}},
		{"while it waits", &server{list: func(int, context.Context, metav1.ListOptions) (runtime.Object, error) {
			return nil, errors.New("no")
		}}},
		{"while it waits to watch", &server{watch: func(int, context.Context, metav1.ListOptions) (watch.Interface, error) {
			return nil, errRefused
		}}},
		{"while it watches", &server{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := reflect(t, test.server, cache.ReflectorOptions{})
				r.wait(100 * time.Millisecond)
				before := time.Now()
				r.stop()
				if took := time.Since(before); took != 0 {
					t.Errorf("took %v to stop", took)
				}
				if state := r.State(); state.Phase != cache.PhaseStopped {
					t.Errorf("state %+v", state)
				}
				time.Sleep(time.Hour) // for code that ignores the context
			})
		})
	}
}

// A reflector that is run again continues where it ended.
func TestReflectorRunsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{list: func(n int, _ context.Context, _ metav1.ListOptions) (runtime.Object, error) {
			return newThings(fmt.Sprint(n), newThing("a", "1")), nil
		}}
		r := reflect(t, s, cache.ReflectorOptions{})
		r.stop()
		ctx, cancel := context.WithCancel(t.Context())
		go r.RunWithContext(ctx)
		synctest.Wait()
		want(t, "requests", s.requests(), []string{"list rv= limit=500", "watch rv=1", "list rv=1", "watch rv=2"})
		if state := r.State(); state.Phase != cache.PhaseLive {
			t.Errorf("state %+v", state)
		}
		cancel()
	})
}

// A transform does not change where the next watch continues.
func TestWatchGoesOnWhateverTransformsDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{watch: func(n int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
			if n > 1 {
				return newStream(ctx), nil
			}
			return newShortStream(ctx, watch.Event{Type: watch.Modified, Object: newThing("a", "12")}), nil
		}}
		informer := cache.NewSharedInformer(s, &thing{}, 0)
		must(t, informer.SetTransform(func(obj any) (any, error) {
			thing := obj.(*thing)
			thing.ObjectMeta = metav1.ObjectMeta{Name: thing.Name}
			return thing, nil
		}))
		ctx, cancel := context.WithCancel(t.Context())
		go informer.RunWithContext(ctx)
		synctest.Wait()
		want(t, "requests", s.requests(), []string{"list rv= limit=500", "watch rv=1", "watch rv=12"})
		if got := informer.LastSyncResourceVersion(); got != "12" {
			t.Errorf("last version %q, want 12", got)
		}
		cancel()
		synctest.Wait()
	})
}

func TestListAndWatch(t *testing.T) {
	expired := watch.Event{Type: watch.Error, Object: &apierrors.NewResourceExpired("too old").ErrStatus}
	tests := []struct {
		name   string
		server *server
		words  string
	}{
		{"list fails", &server{list: func(int, context.Context, metav1.ListOptions) (runtime.Object, error) {
			return nil, errors.New("no")
		}}, "failed to list *v1.PartialObjectMetadata: no"},
		{"watch cannot be started", &server{watch: func(int, context.Context, metav1.ListOptions) (watch.Interface, error) {
			return nil, errors.New("no")
		}}, "no"},
		{"watch fails", &server{watch: func(_ int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
			return newStream(ctx, expired), nil
		}}, ""},
		{"WatchList succeeds at the second attempt", &server{watchList: true, watch: func(n int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
			if n == 1 {
				return nil, errRefused
			}
			return newStream(ctx, append(initially("5"), expired)...), nil
		}}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := cache.NewReflector(test.server, &thing{}, cache.NewStore(cache.MetaNamespaceKeyFunc), 0)
				err := r.ListAndWatch(t.Context().Done())
				if (err == nil) != (test.words == "") || err != nil && err.Error() != test.words {
					t.Errorf("error %v, want %q", err, test.words)
				}
				if name := r.Name(); !strings.Contains(name, "_test.go:") {
					t.Errorf("name %q", name)
				}
			})
		})
	}
	t.Run("stopped", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := &server{list: func(int, context.Context, metav1.ListOptions) (runtime.Object, error) {
			cancel()
			return nil, errors.New("no")
		}}
		if err := cache.NewReflector(s, nil, cache.NewStore(cache.MetaNamespaceKeyFunc), 0).ListAndWatchWithContext(ctx); err != nil {
			t.Errorf("error %v", err)
		}
	})
}

// Watches that end repeatedly, however normally, are not restarted without limit.
func TestShortWatchesAreSpread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{watch: func(n int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
			if n > 1000 {
				return newStream(ctx), nil
			}
			return newShortStream(ctx, watch.Event{Type: watch.Bookmark, Object: newThing("", fmt.Sprint(n+1))}), nil
		}}
		r := reflect(t, s, cache.ReflectorOptions{})
		r.wait(700 * time.Millisecond) // the shortest first wait is 800 ms
		want(t, "requests", s.requests(), []string{"list rv= limit=500", "watch rv=1", "watch rv=2"})
		r.wait(10 * time.Second)
		if n := len(s.requests()); n < 2 || n > 8 {
			t.Errorf("%d requests in 10 seconds", n)
		}
	})
}
