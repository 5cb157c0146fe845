package cache_test

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
)

func TestListPages(t *testing.T) {
	expired := apierrors.NewResourceExpired("continue token expired")
	tests := []struct {
		name     string
		pages    []any // *PartialObjectMetadataList or error, in order
		pageSize int64
		requests []string
		have     []string
		version  string
	}{{
		name:     "one page",
		pages:    []any{newThings("7", newThing("a", "1"))},
		requests: []string{"list rv= limit=500", "watch rv=7"},
		have:     []string{"a@1"},
		version:  "7",
	}, {
		name:     "three pages",
		pages:    []any{continued(newThings("7", newThing("a", "1")), "x"), continued(newThings("7", newThing("b", "2")), "y"), newThings("7", newThing("c", "3"))},
		requests: []string{"list rv= limit=500", "list rv= limit=500 continue=x", "list rv= limit=500 continue=y", "watch rv=7"},
		have:     []string{"a@1", "b@2", "c@3"},
		version:  "7",
	}, {
		name:     "pages of another size",
		pages:    []any{continued(newThings("7", newThing("a", "1")), "x"), newThings("7", newThing("b", "2"))},
		pageSize: 10,
		requests: []string{"list rv= limit=10", "list rv= limit=10 continue=x", "watch rv=7"},
		have:     []string{"a@1", "b@2"},
		version:  "7",
	}, {
		name:     "page that expired",
		pages:    []any{continued(newThings("7", newThing("a", "1"), newThing("gone", "1")), "x"), expired, newThings("9", newThing("a", "1"), newThing("b", "8"))},
		requests: []string{"list rv= limit=500", "list rv= limit=500 continue=x", "list rv=", "watch rv=9"},
		have:     []string{"a@1", "b@8"},
		version:  "9",
	}, {
		name:     "page that fails",
		pages:    []any{continued(newThings("7", newThing("a", "1")), "x"), apierrors.NewServiceUnavailable("away"), newThings("9", newThing("b", "8"))},
		requests: []string{"list rv= limit=500", "list rv= limit=500 continue=x", "list rv= limit=500", "watch rv=9"},
		have:     []string{"b@8"},
		version:  "9",
	}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{list: func(n int, _ context.Context, _ metav1.ListOptions) (runtime.Object, error) {
					if err, ok := test.pages[n-1].(error); ok {
						return nil, err
					}
					return test.pages[n-1].(runtime.Object), nil
				}}
				r := reflect(t, s, cache.ReflectorOptions{}, func(r *cache.Reflector) { r.WatchListPageSize = test.pageSize })
				r.wait(2 * time.Second)
				want(t, "requests", s.requests(), test.requests)
				want(t, "objects", r.have(), test.have)
				want(t, "version", r.LastSyncResourceVersion(), test.version)
			})
		})
	}
}

func continued(list *metav1.PartialObjectMetadataList, token string) *metav1.PartialObjectMetadataList {
	list.Continue = token
	return list
}

// TestFirstListIsConsistent checks that an old state is requested only if that is allowed, and only
// at first.
func TestFirstListIsConsistent(t *testing.T) {
	for name, c := range map[string]struct {
		options cache.ReflectorOptions
		first   string
	}{
		"by default":        {cache.ReflectorOptions{}, "list rv= limit=500"},
		"it may be old too": {cache.ReflectorOptions{AllowStaleFirstList: true}, "list rv=0 limit=500"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{list: func(n int, _ context.Context, _ metav1.ListOptions) (runtime.Object, error) {
					if n == 1 {
						return nil, errForbidden
					}
					return newThings("7"), nil
				}}
				s.watch = expiring(1)
				r := reflect(t, s, c.options)
				r.wait(10 * time.Second)
				want(t, "requests", s.requests(), []string{c.first, c.first, "watch rv=7", "list rv=7", "watch rv=7"})
			})
		})
	}
}

// If a list at any version came in pages, the server has no cache, which lists without pages would
// use.
func TestListStaysPaged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{
			list: func(n int, _ context.Context, o metav1.ListOptions) (runtime.Object, error) {
				if o.Continue == "" {
					return continued(newThings("7"), "x"), nil
				}
				return newThings("7"), nil
			},
		}
		s.watch = expiring(1)
		r := reflect(t, s, cache.ReflectorOptions{AllowStaleFirstList: true})
		r.wait(2 * time.Second)
		want(t, "requests", s.requests(), []string{
			"list rv=0 limit=500", "list rv= limit=500 continue=x", "watch rv=7",
			"list rv=7 limit=500", "list rv= limit=500 continue=x", "watch rv=7",
		})
	})
}

// Lists request the newest version only while the server does not know the last resource version.
// That these come in pages has no effect on others.
func TestListVersions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{
			list: func(n int, _ context.Context, _ metav1.ListOptions) (runtime.Object, error) {
				switch n {
				case 2:
					return nil, apierrors.NewResourceExpired("too old")
				case 3:
					return continued(newThings("30"), "x"), nil
				}
				return newThings(fmt.Sprint(10 * n)), nil
			},
			watch: expiring(2),
		}
		r := reflect(t, s, cache.ReflectorOptions{})
		r.wait(10 * time.Second)
		want(t, "requests", s.requests(), []string{
			"list rv= limit=500", "watch rv=10",
			"list rv=10", "list rv= limit=500", "list rv= limit=500 continue=x", "watch rv=30",
			"list rv=30", "watch rv=50",
		})
	})
}

func TestListFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		forbidden := apierrors.NewForbidden(things, "", errors.New(`User "u" cannot list resource "things" at the cluster scope`))
		var fails atomic.Bool
		s := &server{list: func(n int, _ context.Context, _ metav1.ListOptions) (runtime.Object, error) {
			if fails.Load() {
				return nil, forbidden
			}
			return newThings("7"), nil
		}}
		fails.Store(true)
		handled := make(chan error, 1000)
		r := reflect(t, s, cache.ReflectorOptions{TypeDescription: "things"}, func(r *cache.Reflector) {
			r.SetWatchErrorHandler(func(_ context.Context, _ *cache.Reflector, err error) { handled <- err })
		})
		const words = `failed to list things: things.example.com is forbidden: User "u" cannot list resource "things" at the cluster scope`
		state := r.State()
		wantFailing(t, state, cache.PhaseFailed, 1, words)
		if state.Since != start || state.LastErr != start || state.Lists != 1 {
			t.Errorf("state %+v", state)
		}
		if err := <-handled; !apierrors.IsForbidden(err) {
			t.Errorf("handled %v", err)
		}
		r.wait(time.Hour)
		n := r.State().Failures
		// The longest wait is between 30 and 60 seconds.
		if n < 60 || n > 130 {
			t.Errorf("%d lists in an hour", n)
		}
		wantFailing(t, r.State(), cache.PhaseFailed, n, words)
		if len(handled) != n-1 {
			t.Errorf("%d errors handled, want %d", len(handled), n-1)
		}
		if since := r.State().Since; since != start {
			t.Errorf("failed since %v, want %v", since, start)
		}
		fails.Store(false)
		r.wait(time.Minute)
		wantFailing(t, r.State(), cache.PhaseLive, 0, words)
	})
}

// A list that cannot be stored changes nothing, and is retried.
func TestListIsRefusedByTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		store := cache.NewStore(cache.MetaNamespaceKeyFunc)
		r := reflectInto(t, s, store, &refusing{Store: store, refuse: 1}, cache.ReflectorOptions{TypeDescription: "things"})
		wantFailing(t, r.State(), cache.PhaseFailed, 1, "failed to store the list of things: no")
		r.wait(2 * time.Second)
		wantFailing(t, r.State(), cache.PhaseLive, 0, "failed to store")
		want(t, "requests", s.requests(), []string{"list rv= limit=500", "list rv= limit=500", "watch rv=1"})
	})
}

// refusing is a store that rejects the first lists.
type refusing struct {
	cache.Store
	refuse int
}

func (s *refusing) Replace(objects []any, rv string) error {
	if s.refuse--; s.refuse >= 0 {
		return errors.New("no")
	}
	return s.Store.Replace(objects, rv)
}

func TestListOfNonsense(t *testing.T) {
	table := &unstructured.UnstructuredList{}
	table.SetAPIVersion("meta.k8s.io/v1")
	table.SetKind("Table")
	for name, test := range map[string]struct {
		list  runtime.Object
		words string
	}{
		"table":  {table, "tables are not supported"},
		"object": {newThing("a", "1"), "failed to list"},
		"nil":    {nil, "failed to list"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{list: func(int, context.Context, metav1.ListOptions) (runtime.Object, error) { return test.list, nil }}
				r := reflect(t, s, cache.ReflectorOptions{})
				wantFailing(t, r.State(), cache.PhaseFailed, 1, test.words)
			})
		})
	}
}

// streamingServer is a server whose lists are decoded object by object.
type streamingServer struct {
	server
	stream func(n int, ctx context.Context, o metav1.ListOptions, each func(runtime.Object) error) (runtime.Object, error)
}

func (s *streamingServer) StreamList(ctx context.Context, o metav1.ListOptions, each func(runtime.Object) error) (runtime.Object, error) {
	s.mu.Lock()
	s.lists++
	n := s.lists
	s.note("stream", o)
	s.mu.Unlock()
	return s.stream(n, ctx, o, each)
}

func TestListStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &streamingServer{}
		s.stream = func(n int, _ context.Context, _ metav1.ListOptions, each func(runtime.Object) error) (runtime.Object, error) {
			objects := [][]*thing{{newThing("a", "1"), newThing("b", "2")}, {newThing("c", "3")}, {newThing("d", "9")}}[n-1]
			for _, obj := range objects {
				if err := each(obj); err != nil {
					return nil, err
				}
			}
			switch n {
			case 1:
				return continued(newThings("7"), "x"), nil
			case 2:
				return nil, errors.New("connection lost")
			}
			return newThings("9"), nil
		}
		store := cache.NewStore(cache.MetaNamespaceKeyFunc)
		if err := store.Add(newThing("old", "1")); err != nil {
			t.Fatal(err)
		}
		r := reflectInto(t, s, store, store, cache.ReflectorOptions{})
		want(t, "objects after a broken list", r.have(), []string{"old@1"})
		wantFailing(t, r.State(), cache.PhaseFailed, 1, "connection lost")
		r.wait(2 * time.Second)
		want(t, "objects", r.have(), []string{"d@9"})
		want(t, "requests", s.requests(), []string{"stream rv= limit=500", "stream rv= limit=500 continue=x", "stream rv= limit=500", "watch rv=9"})
	})
}

func TestListStreamIsSilent(t *testing.T) {
	for name, test := range map[string]struct {
		options  cache.ReflectorOptions
		deadline time.Duration
	}{
		"by default": {cache.ReflectorOptions{}, 2 * time.Minute},
		"as set":     {cache.ReflectorOptions{ProgressDeadline: 20 * time.Second}, 20 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &streamingServer{}
				s.stream = func(n int, ctx context.Context, _ metav1.ListOptions, each func(runtime.Object) error) (runtime.Object, error) {
					if n > 1 {
						return newThings("9"), nil
					}
					// Slow, but not silent; then silent, and ignoring the context.
					for i := range 5 {
						time.Sleep(test.deadline - time.Second)
						if err := each(newThing(fmt.Sprint(i), "1")); err != nil {
							return nil, err
						}
					}
					time.Sleep(time.Hour)
					if err := each(newThing("late", "1")); err == nil {
						t.Error("a late object was accepted")
					}
					return newThings("8"), nil
				}
				store := cache.NewStore(cache.MetaNamespaceKeyFunc)
				r := reflectInto(t, s, store, store, test.options)
				r.wait(5 * (test.deadline - time.Second))
				if state := r.State(); state.Phase != cache.PhaseListing {
					t.Errorf("state %+v", state)
				}
				r.wait(2 * test.deadline)
				want(t, "requests", s.requests()[:2], []string{"stream rv= limit=500", "stream rv= limit=500"})
				wantFailing(t, r.State(), cache.PhaseLive, 0, "nothing received for "+test.deadline.String())
				if !errors.Is(r.State().Err, cache.ErrNoProgress) {
					t.Errorf("error %v is not ErrNoProgress", r.State().Err)
				}
				time.Sleep(time.Hour)
				synctest.Wait()
				want(t, "objects", r.have(), []string{})
			})
		})
	}
}

// A panic of a lister reaches the caller.
func TestListPanics(t *testing.T) {
	s := &server{list: func(int, context.Context, metav1.ListOptions) (runtime.Object, error) { panic("lister") }}
	store := cache.NewStore(cache.MetaNamespaceKeyFunc)
	r := cache.NewNamedReflector("test", s, &thing{}, store, 0)
	defer func() {
		if p := recover(); p != "lister" {
			t.Errorf("recovered %v", p)
		}
	}()
	t.Errorf("returned %v", r.ListAndWatchWithContext(t.Context()))
}

// A list or watch whose goroutine ends, as in tests, has failed: the store stays unchanged, and it
// is retried.
func TestGoroutineExits(t *testing.T) {
	for _, verb := range []string{"list", "watch"} {
		t.Run(verb, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{
					list: func(n int, _ context.Context, _ metav1.ListOptions) (runtime.Object, error) {
						if verb == "list" && n == 2 {
							goruntime.Goexit()
						}
						return newThings("7", newThing("a", "5")), nil
					},
					watch: func(n int, ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
						if verb == "watch" && n == 2 {
							goruntime.Goexit()
						}
						return expiring(1)(n, ctx, o)
					},
				}
				r := reflect(t, s, cache.ReflectorOptions{})
				for range 10 {
					r.wait(time.Second)
					want(t, "objects", r.have(), []string{"a@5"})
				}
				if state := r.State(); state.Phase != cache.PhaseLive || !strings.Contains(state.Err.Error(), "goroutine has exited") {
					t.Errorf("%s after %v", state.Phase, state.Err)
				}
			})
		})
	}
}
