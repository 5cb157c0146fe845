package cache_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
)

var things = schema.GroupResource{Group: "example.com", Resource: "things"}

func sortedThings(objects []any) []string {
	names := []string{}
	for _, obj := range objects {
		t := obj.(*thing)
		names = append(names, t.Name+"@"+t.ResourceVersion)
	}
	slices.Sort(names)
	return names
}

// want fails the test if got differs from wanted.
func want(t *testing.T, what string, got, wanted any) {
	t.Helper()
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// wantFailing fails the test if the state does not have a failure with these words.
func wantFailing(t *testing.T, s cache.SourceState, phase cache.Phase, failures int, words string) {
	t.Helper()
	if s.Phase != phase || s.Failures != failures || s.Err == nil || !strings.Contains(s.Err.Error(), words) {
		t.Errorf("phase %s, %d failures, error %v; want phase %s, %d failures, error %q", s.Phase, s.Failures, s.Err, phase, failures, words)
	}
}

func TestReflectorFollows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		s := &server{
			list: func(int, context.Context, metav1.ListOptions) (runtime.Object, error) {
				return newThings("10", newThing("a", "1"), newThing("b", "2")), nil
			},
			watch: func(n int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
				if n > 1 {
					return newStream(ctx), nil
				}
				time.Sleep(time.Second)
				return newStream(ctx,
					watch.Event{Type: watch.Added, Object: newThing("c", "11")},
					watch.Event{Type: watch.Modified, Object: newThing("a", "12")},
					watch.Event{Type: watch.Deleted, Object: newThing("b", "13")},
					watch.Event{Type: watch.Bookmark, Object: newThing("", "20")},
				), nil
			},
		}
		r := reflect(t, s, cache.ReflectorOptions{Namespace: "ns"})
		want(t, "objects", r.have(), []string{"a@1", "b@2"})
		want(t, "version", r.LastSyncResourceVersion(), "10")
		want(t, "version of the store", r.store.LastStoreSyncResourceVersion(), "10")
		want(t, "state before the watch", r.State(), cache.SourceState{
			Namespace: "ns", Phase: cache.PhaseSyncing, Since: start, Doing: "beginning a watch", ResourceVersion: "10", Lists: 1,
		})
		r.wait(time.Second)
		want(t, "objects", r.have(), []string{"a@12", "c@11"})
		want(t, "version of the store", r.store.LastStoreSyncResourceVersion(), "20")
		want(t, "state", r.State(), cache.SourceState{
			Namespace: "ns", Phase: cache.PhaseLive, Since: start.Add(time.Second), Doing: "watching", ResourceVersion: "20",
			LastEvent: start.Add(time.Second), Lists: 1, Watches: 1, Events: 4,
		})
		want(t, "requests", s.requests(), []string{"list rv= limit=500", "watch rv=10"})
		r.stop()
		if state := r.State(); state.Phase != cache.PhaseStopped || state.Doing != "" {
			t.Errorf("stopped, but %s, %s", state.Phase, state.Doing)
		}
	})
}

func TestReflectorFailures(t *testing.T) {
	forbidden := apierrors.NewForbidden(things, "", errors.New(`User "u" cannot list resource "things" at the cluster scope`))
	expired := apierrors.NewResourceExpired("too old resource version: 10 (30)")
	tooLarge := apierrors.NewTimeoutError("Too large resource version: 10, current: 5", 1)
	tooLarge.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: metav1.CauseTypeResourceVersionTooLarge}}
	internal := apierrors.NewInternalError(errors.New("etcd is away"))
	status := func(err *apierrors.StatusError) watch.Event {
		return watch.Event{Type: watch.Error, Object: &err.ErrStatus}
	}
	added := watch.Event{Type: watch.Added, Object: newThing("c", "11")}

	tests := []struct {
		name    string
		list    error       // of the second list
		watch   error       // of the first watch
		event   watch.Event // ends the first watch, after added
		closed  bool        // the first watch ends after added
		change  func(*cache.Reflector)
		options cache.ReflectorOptions

		words    string // of the failure
		phase    cache.Phase
		handled  string // errors that the handler received
		requests []string
	}{{
		name:     "watch ends",
		closed:   true,
		requests: []string{"watch rv=11"},
	}, {
		name:     "expired event",
		event:    status(expired),
		words:    "too old resource version",
		phase:    cache.PhaseStale,
		requests: []string{"list rv=11", "watch rv=30"},
	}, {
		name:     "expired watch",
		watch:    expired,
		words:    "failed to watch things: too old resource version",
		handled:  "too old resource version",
		phase:    cache.PhaseStale,
		requests: []string{"list rv=10", "watch rv=30"},
	}, {
		name:     "expired list",
		event:    status(expired),
		list:     expired,
		words:    "too old resource version",
		phase:    cache.PhaseStale,
		requests: []string{"list rv=11", "list rv= limit=500", "watch rv=30"},
	}, {
		name:     "too large list",
		event:    status(expired),
		list:     tooLarge,
		words:    "too old resource version",
		phase:    cache.PhaseStale,
		requests: []string{"list rv=11", "list rv= limit=500", "watch rv=30"},
	}, {
		name:     "watch is forbidden",
		watch:    forbidden,
		words:    "cannot list resource",
		handled:  "cannot list resource",
		phase:    cache.PhaseStale,
		requests: []string{"list rv=10", "watch rv=30"},
	}, {
		name:     "watch gets too many requests",
		watch:    apierrors.NewTooManyRequests("busy", 1),
		words:    "busy",
		phase:    cache.PhaseStale,
		requests: []string{"watch rv=10"},
	}, {
		name:     "event is too many requests",
		event:    status(apierrors.NewTooManyRequests("busy", 1)),
		words:    "busy",
		phase:    cache.PhaseStale,
		requests: []string{"watch rv=11"},
	}, {
		name:     "connection is refused",
		watch:    errRefused,
		words:    "connection refused",
		phase:    cache.PhaseStale,
		requests: []string{"watch rv=10"},
	}, {
		name:     "internal error",
		event:    status(internal),
		words:    "etcd is away",
		phase:    cache.PhaseStale,
		requests: []string{"list rv=11", "watch rv=30"},
	}, {
		name:     "internal error that is borne with",
		event:    status(internal),
		change:   func(r *cache.Reflector) { r.MaxInternalErrorRetryDuration = time.Minute },
		words:    "etcd is away",
		phase:    cache.PhaseStale,
		requests: []string{"watch rv=11"},
	}, {
		name:     "unknown event",
		event:    watch.Event{Type: "STRANGE", Object: newThing("d", "12")},
		words:    `unknown event type "STRANGE"`,
		phase:    cache.PhaseStale,
		requests: []string{"list rv=11", "watch rv=30"},
	}, {
		name:     "event of another type",
		event:    watch.Event{Type: watch.Added, Object: newThings("12")},
		words:    "unexpected object of type *v1.PartialObjectMetadataList, want *v1.PartialObjectMetadata",
		phase:    cache.PhaseStale,
		requests: []string{"list rv=11", "watch rv=30"},
	}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{
					list: func(n int, _ context.Context, o metav1.ListOptions) (runtime.Object, error) {
						switch {
						case n == 1:
							return newThings("10", newThing("a", "1")), nil
						case n == 2 && test.list != nil:
							return nil, test.list
						}
						return newThings("30", newThing("a", "1"), newThing("c", "11")), nil
					},
					watch: func(n int, ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
						switch {
						case o.ResourceVersion == "30":
							return newStream(ctx), nil
						case n > 1:
							return newStream(ctx, added), nil
						case test.watch != nil:
							return nil, test.watch
						case test.closed:
							return newShortStream(ctx, added), nil
						}
						return newStream(ctx, added, test.event), nil
					},
				}
				var handled string
				test.options.TypeDescription = "things"
				r := reflect(t, s, test.options, func(r *cache.Reflector) {
					if test.change != nil {
						test.change(r)
					}
					r.SetWatchErrorHandler(func(_ context.Context, _ *cache.Reflector, err error) { handled = err.Error() })
				})
				state := r.State()
				if test.words != "" {
					wantFailing(t, state, test.phase, 1, test.words)
					if !strings.HasPrefix(state.Doing, "waiting ") {
						t.Errorf("doing %q", state.Doing)
					}
				}
				if !strings.Contains(handled, test.handled) || (handled == "") != (test.handled == "") {
					t.Errorf("handler received %q, want %q", handled, test.handled)
				}
				r.wait(2 * time.Second) // the longest first backoff is shorter
				want(t, "requests", s.requests()[2:], test.requests)
				want(t, "objects", r.have(), []string{"a@1", "c@11"})
				state = r.State()
				if state.Phase != cache.PhaseLive || state.Failures != 0 {
					t.Errorf("phase %s with %d failures after all", state.Phase, state.Failures)
				}
				if test.words != "" && state.Err == nil {
					t.Error("the last error is forgotten")
				}
			})
		})
	}
}

// errRefused is the error of a refused connection.
var errRefused = fmt.Errorf("dial: %w", syscall.ECONNREFUSED)

// TestReflectorSurvivesPanics lets a user's function panic with crashes off: the panic is reported,
// and the failed step is retried.
func TestReflectorSurvivesPanics(t *testing.T) {
	for _, test := range []struct {
		name  string
		where string
	}{
		{"lister", "list"},
		{"watcher", "watch"},
		{"transform of listed objects", "transform"},
		{"transform of initial objects", "watch list transform"},
		{"transform of watched objects", "event transform"},
	} {
		t.Run(test.name, func(t *testing.T) {
			reported := cache.Reports(t)
			synctest.Test(t, func(t *testing.T) {
				panicked := false
				once := func(where string) {
					if where == test.where && !panicked {
						panicked = true
						panic("no " + where)
					}
				}
				s := &server{watchList: test.where == "watch list transform"}
				s.list = func(int, context.Context, metav1.ListOptions) (runtime.Object, error) {
					once("list")
					return newThings("1", newThing("a", "1")), nil
				}
				s.watch = func(_ int, ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
					once("watch")
					w := newStream(ctx, watch.Event{Type: watch.Modified, Object: newThing("a", "2")})
					if o.SendInitialEvents != nil {
						w = newStream(ctx, watch.Event{Type: watch.Added, Object: newThing("a", "1")},
							watch.Event{Type: watch.Bookmark, Object: initialEnd("1")},
							watch.Event{Type: watch.Modified, Object: newThing("a", "2")})
					}
					return w, nil
				}
				informer := cache.NewSharedIndexInformer(s, &thing{}, 0, nil)
				must(t, informer.SetTransform(func(obj any) (any, error) {
					if obj.(*thing).ResourceVersion == "1" {
						once("transform")
						once("watch list transform")
					} else {
						once("event transform")
					}
					return obj, nil
				}))
				stop := run(t, informer)
				time.Sleep(10 * time.Second)
				synctest.Wait()
				got, _, _ := informer.GetStore().GetByKey("ns/a")
				if got, ok := got.(*thing); !ok || got.ResourceVersion != "2" {
					t.Errorf("the store contains %v", got)
				}
				stop()
				if want := []string{"no " + test.where}; !slices.Equal(*reported, want) {
					t.Errorf("reported %q, want %q", *reported, want)
				}
			})
		})
	}
}
