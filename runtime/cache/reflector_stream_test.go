package cache_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
)

// initially returns events of the initial objects of a watch, and their end.
func initially(rv string, objects ...*thing) []watch.Event {
	var events []watch.Event
	for _, obj := range objects {
		events = append(events, watch.Event{Type: watch.Added, Object: obj})
	}
	return append(events, watch.Event{Type: watch.Bookmark, Object: initialEnd(rv)})
}

// notInitialEnd returns a bookmark without the annotation that ends the initial objects.
func notInitialEnd(rv string) *thing {
	bookmark := initialEnd(rv)
	bookmark.Annotations[metav1.InitialEventsAnnotationKey] = "false"
	return bookmark
}

func TestWatchList(t *testing.T) {
	const initial = "watch rv= initial NotOlderThan"
	a, b := newThing("a", "1"), newThing("b", "2")
	tests := []struct {
		name     string
		events   []watch.Event
		closed   bool
		requests []string
		have     []string
		version  string
	}{{
		name:     "objects",
		events:   initially("5", a, b),
		requests: []string{initial},
		have:     []string{"a@1", "b@2"},
		version:  "5",
	}, {
		name:     "no objects",
		events:   initially("5"),
		requests: []string{initial},
		have:     []string{},
		version:  "5",
	}, {
		name:     "changes after",
		events:   append(initially("5", a, b), watch.Event{Type: watch.Deleted, Object: newThing("a", "6")}, watch.Event{Type: watch.Added, Object: newThing("c", "7")}),
		requests: []string{initial},
		have:     []string{"b@2", "c@7"},
		version:  "7",
	}, {
		name: "changes before the end",
		events: []watch.Event{
			{Type: watch.Added, Object: a},
			{Type: watch.Added, Object: b},
			{Type: watch.Modified, Object: newThing("a", "3")},
			{Type: watch.Deleted, Object: newThing("b", "4")},
			{Type: watch.Bookmark, Object: newThing("", "4")},
			{Type: watch.Added, Object: newThing("c", "5")},
			{Type: watch.Bookmark, Object: initialEnd("5")},
		},
		requests: []string{initial},
		have:     []string{"a@3", "c@5"},
		version:  "5",
	}, {
		name:     "watch that ends before the end",
		events:   initially("5", a, b)[:2],
		closed:   true,
		requests: []string{initial, "list rv= limit=500", "watch rv=30"},
		have:     []string{"l@30"},
		version:  "30",
	}, {
		name:     "error before the end",
		events:   []watch.Event{{Type: watch.Added, Object: a}, {Type: watch.Error, Object: &apierrors.NewInternalError(errors.New("oops")).ErrStatus}},
		requests: []string{initial, "list rv= limit=500", "watch rv=30"},
		have:     []string{"l@30"},
		version:  "30",
	}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{
					watchList: true,
					list: func(int, context.Context, metav1.ListOptions) (runtime.Object, error) {
						return newThings("30", newThing("l", "30")), nil
					},
					watch: func(n int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
						if n > 1 {
							return newStream(ctx), nil
						}
						return openStream(ctx, test.closed, test.events), nil
					},
				}
				r := reflect(t, s, cache.ReflectorOptions{})
				want(t, "requests", s.requests(), test.requests)
				want(t, "objects", r.have(), test.have)
				want(t, "version", r.LastSyncResourceVersion(), test.version)
				if state := r.State(); state.Phase != cache.PhaseLive || state.Doing != "watching" || state.Failures != 0 {
					t.Errorf("state %+v", state)
				}
			})
		})
	}
}

// Objects of a WatchList are stored only when it is complete.
func TestWatchListIsTakenAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		more := make(chan struct{})
		s := &server{watchList: true, watch: func(_ int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
			return feedStream(ctx, func(ctx context.Context, send func(watch.Event)) {
				send(watch.Event{Type: watch.Added, Object: newThing("a", "1")})
				send(watch.Event{Type: watch.Bookmark, Object: notInitialEnd("4")})
				<-more
				send(watch.Event{Type: watch.Bookmark, Object: initialEnd("5")})
				<-ctx.Done()
			}), nil
		}}
		r := reflect(t, s, cache.ReflectorOptions{})
		want(t, "objects", r.have(), []string{})
		if state := r.State(); state.Phase != cache.PhaseListing || state.Doing != "watch list" || state.Events != 2 {
			t.Errorf("state %+v", state)
		}
		want(t, "version", r.LastSyncResourceVersion(), "")
		close(more)
		synctest.Wait()
		want(t, "objects", r.have(), []string{"a@1"})
	})
}

func TestWatchListFallsBack(t *testing.T) {
	trickle := func(ctx context.Context) *stream {
		return feedStream(ctx, func(ctx context.Context, send func(watch.Event)) {
			for ctx.Err() == nil {
				send(watch.Event{Type: watch.Modified, Object: newThing("a", "1")})
				time.Sleep(5 * time.Second)
			}
		})
	}
	tests := []struct {
		name  string
		watch func(context.Context) (watch.Interface, error)
		after time.Duration // when it falls back
		words string
		again bool // it is retried at the next list
	}{{
		name: "refused",
		watch: func(context.Context) (watch.Interface, error) {
			return nil, apierrors.NewInvalid(metav1.SchemeGroupVersion.WithKind("ListOptions").GroupKind(), "", nil)
		},
		words: "is invalid",
	}, {
		name: "forbidden",
		watch: func(context.Context) (watch.Interface, error) {
			return nil, apierrors.NewForbidden(things, "", errors.New("cannot watch"))
		},
		words: "cannot watch",
		again: true,
	}, {
		name:  "silent",
		watch: func(ctx context.Context) (watch.Interface, error) { return newStream(ctx), nil },
		after: 10 * time.Second,
		words: "nothing received for 10s",
		again: true,
	}, {
		name: "silent after an object",
		watch: func(ctx context.Context) (watch.Interface, error) {
			return newStream(ctx, watch.Event{Type: watch.Added, Object: newThing("a", "1")}), nil
		},
		after: 10 * time.Second,
		words: "nothing received for 10s",
		again: true,
	}, {
		name: "no answer",
		watch: func(ctx context.Context) (watch.Interface, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
		after: 10 * time.Second,
		words: "nothing received for 10s",
		again: true,
	}, {
		name: "no response, not even when the context ends",
		watch: func(ctx context.Context) (watch.Interface, error) {
			time.Sleep(time.Minute)
			return newStream(ctx), nil
		},
		after: 10 * time.Second,
		words: "nothing received for 10s",
		again: true,
	}, {
		name:  "events without end",
		watch: func(ctx context.Context) (watch.Interface, error) { return trickle(ctx), nil },
		after: 125 * time.Second,
		words: "did not return all initial objects in time",
		again: true,
	}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ended := make(chan struct{})
				s := &server{
					watchList: true,
					list: func(int, context.Context, metav1.ListOptions) (runtime.Object, error) {
						return newThings("30", newThing("l", "30")), nil
					},
					watch: func(n int, ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
						if o.SendInitialEvents == nil && n == 2 {
							return feedStream(ctx, func(ctx context.Context, send func(watch.Event)) {
								select {
								case <-ended:
								case <-ctx.Done():
								}
								send(watch.Event{Type: watch.Error, Object: &apierrors.NewResourceExpired("old").ErrStatus})
								<-ctx.Done()
							}), nil
						}
						if n > 3 {
							return newStream(ctx), nil
						}
						return test.watch(ctx)
					},
				}
				r := reflect(t, s, cache.ReflectorOptions{})
				if test.after > 0 {
					r.wait(test.after - time.Millisecond)
					want(t, "objects in time", r.have(), []string{})
					r.wait(time.Millisecond)
				}
				want(t, "objects", r.have(), []string{"l@30"})
				state := r.State()
				wantFailing(t, state, cache.PhaseLive, 0, test.words)
				want(t, "requests", s.requests(), []string{"watch rv= initial NotOlderThan", "list rv= limit=500", "watch rv=30"})

				close(ended)
				r.wait(2*time.Second + test.after)
				next := []string{"list rv=30", "watch rv=30"}
				if test.again {
					next = append([]string{"watch rv=30 initial NotOlderThan"}, next...)
				}
				want(t, "requests after the watch expired", s.requests(), next)
				r.wait(time.Minute) // for code that ignores the context
			})
		})
	}
}

func TestWatchListVersions(t *testing.T) {
	expired := apierrors.NewResourceExpired("too old")
	synctest.Test(t, func(t *testing.T) {
		s := &server{watchList: true, watch: func(n int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
			switch n {
			case 1: // first: any
				return newStream(ctx, append(initially("5", newThing("a", "1")), watch.Event{Type: watch.Error, Object: &expired.ErrStatus})...), nil
			case 2: // then at least the last
				return nil, expired
			case 3: // then the newest
				return newStream(ctx, append(initially("9", newThing("b", "9")), watch.Event{Type: watch.Error, Object: &expired.ErrStatus})...), nil
			}
			return newStream(ctx, initially("9", newThing("b", "9"))...), nil
		}}
		r := reflect(t, s, cache.ReflectorOptions{})
		r.wait(2 * time.Second)
		want(t, "requests", s.requests(), []string{
			"watch rv= initial NotOlderThan",
			"watch rv=5 initial NotOlderThan",
			"watch rv= initial NotOlderThan",
		})
		r.wait(4 * time.Second)
		want(t, "requests", s.requests(), []string{"watch rv=9 initial NotOlderThan"})
		want(t, "objects", r.have(), []string{"b@9"})
	})
}

// While the last resource version is unavailable, it is not requested repeatedly.
func TestWatchListOfTheNewestFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		expired := apierrors.NewResourceExpired("too old")
		s := &server{
			watchList: true,
			list:      func(int, context.Context, metav1.ListOptions) (runtime.Object, error) { return nil, errors.New("no") },
			watch:     func(int, context.Context, metav1.ListOptions) (watch.Interface, error) { return nil, expired },
		}
		r := reflect(t, s, cache.ReflectorOptions{})
		want(t, "requests", s.requests(), []string{"watch rv= initial NotOlderThan", "watch rv= initial NotOlderThan", "list rv= limit=500"})
		r.wait(1600 * time.Millisecond)
		want(t, "requests", s.requests(), []string{"watch rv= initial NotOlderThan", "list rv= limit=500"})
	})
}

// A watch that starts after its caller has stopped waiting is stopped.
func TestWatchThatComesLateIsStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := watch.NewFake()
		s := &server{watchList: true, watch: func(n int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
			if n > 1 {
				return newStream(ctx), nil
			}
			time.Sleep(time.Hour)
			return late, nil
		}}
		r := reflect(t, s, cache.ReflectorOptions{})
		r.wait(time.Hour)
		if !late.IsStopped() {
			t.Error("the watch is still open")
		}
	})
}

// endingStore is a store whose Replace ends the context of the reflector that fills it.
type endingStore struct {
	cache.Store
	end func()
}

func (s endingStore) Replace(list []any, version string) error {
	defer s.end()
	return s.Store.Replace(list, version)
}

// A watch that brought all objects is stopped even if the reflector ends before it watches changes.
func TestWatchListIsStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := watch.NewFake()
		s := &server{watchList: true, watch: func(int, context.Context, metav1.ListOptions) (watch.Interface, error) {
			go w.Action(watch.Bookmark, initialEnd("5"))
			return w, nil
		}}
		store := endingStore{Store: cache.NewStore(cache.MetaNamespaceKeyFunc), end: cancel}
		if err := cache.NewReflectorWithOptions(s, &thing{}, store, cache.ReflectorOptions{}).ListAndWatchWithContext(ctx); err != nil {
			t.Fatal(err)
		}
		if !w.IsStopped() {
			t.Error("the watch is still open")
		}
	})
}

func TestWatchListIsNotGivenUpForLoad(t *testing.T) {
	for name, err := range map[string]error{"429": apierrors.NewTooManyRequests("busy", 0), "refused": errRefused} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{watchList: true, watch: func(n int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
					if n < 3 {
						return nil, err
					}
					return newStream(ctx, initially("5", newThing("a", "1"))...), nil
				}}
				r := reflect(t, s, cache.ReflectorOptions{})
				wantFailing(t, r.State(), cache.PhaseFailed, 1, "failed to watch *v1.PartialObjectMetadata: "+err.Error())
				r.wait(5 * time.Second)
				want(t, "requests", s.requests(), []string{"watch rv= initial NotOlderThan", "watch rv= initial NotOlderThan", "watch rv= initial NotOlderThan"})
				want(t, "objects", r.have(), []string{"a@1"})
			})
		})
	}
}

// The end of the initial objects does not end the watch: it continues, however long it is silent
// within the limit of a watch.
func TestWatchListGoesOnAsWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{watchList: true, watch: func(n int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
			if n > 1 {
				return newStream(ctx), nil
			}
			return newStream(ctx, initially("5", newThing("a", "1"))...), nil
		}}
		r := reflect(t, s, cache.ReflectorOptions{ProgressDeadline: 3 * time.Minute})
		r.wait(3*time.Minute - time.Second)
		want(t, "requests", s.requests(), []string{"watch rv= initial NotOlderThan"})
		r.wait(time.Second)
		want(t, "requests", s.requests(), []string{"watch rv=5"})
		wantFailing(t, r.State(), cache.PhaseLive, 0, "nothing received for 3m0s")
	})
}
