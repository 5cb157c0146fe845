package cache_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
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
	cachetesting "github.com/listwatch/listwatch/runtime/cache/testing"
)

// busySource is a source that changes before and after each list.
type busySource struct {
	*cachetesting.FakeControllerSource
	beforeList, afterList func(n int) // n starts from 1; may be nil
	lists                 int         // since it was reset to 0
	listVersion           string      // of lists, if it differs from their own
}

// repaint makes bay/b red without a write.
func (s *busySource) repaint() {
	for _, obj := range s.Items {
		if o := obj.(*ship); o.Namespace+"/"+o.Name == "bay/b" {
			o.Labels = newShip("bay/b", "red").Labels
		}
	}
}

func (s *busySource) ListWithContext(_ context.Context, options metav1.ListOptions) (runtime.Object, error) {
	s.lists++
	if s.beforeList != nil {
		s.beforeList(s.lists)
	}
	list, err := s.List(options)
	if s.listVersion != "" && err == nil {
		list.(*metav1.List).ResourceVersion = s.listVersion
	}
	if s.afterList != nil {
		s.afterList(s.lists)
	}
	return list, err
}

func (s *busySource) WatchWithContext(_ context.Context, options metav1.ListOptions) (watch.Interface, error) {
	return s.Watch(options)
}

func shipNames(names ...string) (out []cache.ObjectName) {
	for _, name := range names {
		out = append(out, cache.NewObjectName("bay", name))
	}
	return out
}

func TestCheckDrift(t *testing.T) {
	for name, tc := range map[string]struct {
		// happens changes the server, which has ships a, b and c; watches have received everything
		// before a dropped change.
		happens   func(s *busySource)
		transform cache.TransformFunc
		want      *cache.DriftError
		lists     int // number of lists of the check
	}{
		"nothing": {func(*busySource) {}, nil, nil, 1},
		"changes": {func(s *busySource) {
			s.Add(newShip("bay/d", "red"))
			s.Modify(newShip("bay/a", "red"))
			s.Delete(newShip("bay/b", "red"))
		}, nil, nil, 1},
		"addition lost": {func(s *busySource) {
			s.AddDropWatch(newShip("bay/d", "red"))
			s.Modify(newShip("bay/a", "red"))
		}, nil, &cache.DriftError{Missing: shipNames("d")}, 2},
		"change lost": {func(s *busySource) {
			s.ModifyDropWatch(newShip("bay/b", "red"))
			s.Modify(newShip("bay/a", "red"))
		}, nil, &cache.DriftError{Stale: shipNames("b")}, 1},
		"deletion lost": {func(s *busySource) {
			s.DeleteDropWatch(newShip("bay/b", "red"))
			s.Modify(newShip("bay/a", "red"))
		}, nil, &cache.DriftError{Deleted: shipNames("b")}, 1},
		"several lost": {func(s *busySource) {
			s.AddDropWatch(newShip("bay/e", "red"))
			s.AddDropWatch(newShip("bay/d", "red"))
			s.ModifyDropWatch(newShip("bay/a", "red"))
			s.DeleteDropWatch(newShip("bay/b", "red"))
			s.Modify(newShip("bay/c", "red"))
		}, nil, &cache.DriftError{Missing: shipNames("d", "e"), Stale: shipNames("a"), Deleted: shipNames("b")}, 2},
		"added after the list": {func(s *busySource) {
			s.afterList = func(int) { s.Add(newShip("bay/d", "red")); synctest.Wait() }
		}, nil, nil, 1},
		"changed after the list": {func(s *busySource) {
			s.afterList = func(int) { s.Modify(newShip("bay/a", "red")); synctest.Wait() }
		}, nil, nil, 1},
		"deleted after the list": {func(s *busySource) {
			s.afterList = func(n int) {
				if n == 1 {
					s.Delete(newShip("bay/a", "red"))
					synctest.Wait()
				}
			}
		}, nil, nil, 2},
		"deleted after the list, and created before the next": {func(s *busySource) {
			s.afterList = func(n int) {
				if n == 1 {
					s.Delete(newShip("bay/a", "red"))
					synctest.Wait()
				}
			}
			s.beforeList = func(n int) {
				if n == 2 {
					s.Add(newShip("bay/a", "red"))
				}
			}
		}, nil, nil, 2},
		"other content without a write": {func(s *busySource) {
			s.repaint()
			s.Modify(newShip("bay/a", "red"))
		}, nil, &cache.DriftError{Different: shipNames("b")}, 1},
		"other content that the transform removes": {func(s *busySource) {
			s.repaint()
		}, func(obj any) (any, error) {
			obj.(*ship).Labels = nil
			return obj, nil
		}, nil, 1},
		"other content in the list, and then in a change": {func(s *busySource) {
			s.repaint()
			s.afterList = func(int) { s.Modify(newShip("bay/b", "red")); synctest.Wait() }
		}, nil, nil, 1},
		"TypeMeta in the list only": {func(s *busySource) {
			for _, obj := range s.Items {
				obj.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{Version: "v1", Kind: "Ship"})
			}
		}, nil, nil, 1},
		"an older server": {func(s *busySource) {
			s.listVersion = "2"
		}, nil, &cache.DriftError{ServerVersion: "2", StoreVersion: "3"}, 1},
		"an older server that was written to": {func(s *busySource) {
			s.ModifyDropWatch(newShip("bay/b", "red"))
			s.Modify(newShip("bay/a", "red"))
			for _, obj := range s.Items { // the newest write was lost, and others followed
				if o := obj.(*ship); o.Name == "a" {
					o.ResourceVersion = "1"
				}
			}
		}, nil, &cache.DriftError{Stale: shipNames("a", "b")}, 1},
		"no resource versions are stored": {func(s *busySource) {
			s.ModifyDropWatch(newShip("bay/b", "red"))
			s.DeleteDropWatch(newShip("bay/c", "red"))
			s.AddDropWatch(newShip("bay/d", "red"))
			s.Modify(newShip("bay/a", "red"))
		}, func(obj any) (any, error) {
			obj.(*ship).ResourceVersion = ""
			return obj, nil
		}, &cache.DriftError{Missing: shipNames("d")}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
				s := &busySource{FakeControllerSource: source}
				for _, name := range []string{"a", "b", "c"} {
					s.Add(newShip("bay/"+name, "blue"))
				}
				informer := cache.NewSharedIndexInformer(s, &ship{}, 0, nil)
				if tc.transform != nil {
					if err := informer.SetTransform(tc.transform); err != nil {
						t.Fatal(err)
					}
				}
				defer run(t, informer)()
				synctest.Wait()
				s.lists = 0
				tc.happens(s)
				err := cache.CheckDrift(t.Context(), informer)
				var got *cache.DriftError
				if err != nil && !errors.As(err, &got) {
					t.Fatal(err)
				}
				if tc.want != nil {
					tc.want.Type = "*v1.PartialObjectMetadata"
				}
				if diff := cmp.Diff(tc.want, got); diff != "" {
					t.Errorf("drift (-want +got):\n%s", diff)
				}
				if s.lists != tc.lists {
					t.Errorf("it took %d lists, want %d", s.lists, tc.lists)
				}
			})
		})
	}
}

// Each source has its own list, with a different resource version.
func TestCheckDriftOfNamespaces(t *testing.T) {
	inBubble(t, func(t *testing.T, bay *cachetesting.FakeControllerSource) {
		sea := cachetesting.NewFakeControllerSource()
		defer sea.Shutdown()
		for n := range 3 {
			bay.Add(newShip(fmt.Sprintf("bay/%d", n), "blue"))
			sea.Add(newShip(fmt.Sprintf("sea/%d", n), "blue"))
		}
		informer := cache.NewSharedIndexInformerWithOptions(nil, &ship{}, cache.SharedIndexInformerOptions{Sources: []cache.Source{
			{Namespace: "bay", ListerWatcher: bay}, {Namespace: "sea", ListerWatcher: sea},
		}})
		defer run(t, informer)()
		synctest.Wait()
		if err := cache.CheckDrift(t.Context(), informer); err != nil {
			t.Error(err)
		}
		sea.DeleteDropWatch(newShip("sea/1", "blue"))
		for range 2 {
			bay.Modify(newShip("bay/2", "red"))
			sea.Modify(newShip("sea/2", "red"))
		}
		bay.Modify(newShip("bay/2", "red"))
		err := cache.CheckDrift(t.Context(), informer)
		if want := "store of *v1.PartialObjectMetadata differs from the server: 1 deleted on the server (sea/1)"; err == nil || err.Error() != want {
			t.Errorf("CheckDrift = %v, want %s", err, want)
		}
	})
}

// An object that is added to a source while the next is listed is not drift, even if the next lists
// are newer; and the store must reach the newest list.
func TestCheckDriftWhileOtherNamespacesAreListed(t *testing.T) {
	inBubble(t, func(t *testing.T, bay *cachetesting.FakeControllerSource) {
		sea := cachetesting.NewFakeControllerSource()
		defer sea.Shutdown()
		busy := &busySource{FakeControllerSource: bay}
		bay.Add(newShip("bay/0", "blue"))
		sea.Add(newShip("sea/0", "blue"))
		informer := cache.NewSharedIndexInformerWithOptions(nil, &ship{}, cache.SharedIndexInformerOptions{Sources: []cache.Source{
			{Namespace: "bay", ListerWatcher: busy}, {Namespace: "sea", ListerWatcher: sea},
		}})
		defer run(t, informer)()
		synctest.Wait()
		busy.afterList = func(int) {
			bay.Add(newShip("bay/1", "blue"))
			for range 5 {
				bay.Modify(newShip("bay/0", "blue"))
				sea.Modify(newShip("sea/0", "blue"))
			}
		}
		if err := cache.CheckDrift(t.Context(), informer); err != nil {
			t.Error(err)
		}
	})
}

// slowPages lists in pages, the second of which comes too late. An object on the first page is
// deleted by then.
type slowPages struct {
	*cachetesting.FakeControllerSource
	late *bool
}

func (s slowPages) ListWithContext(_ context.Context, options metav1.ListOptions) (runtime.Object, error) {
	if options.Continue != "" {
		return nil, apierrors.NewResourceExpired("too late")
	}
	all, err := s.List(options)
	if list := all.(*metav1.List); *s.late && options.Limit > 0 {
		list.Continue = "more"
		list.Items = append(list.Items, runtime.RawExtension{Object: newShip("bay/gone", "blue")})
	}
	return all, err
}

func (s slowPages) WatchWithContext(_ context.Context, options metav1.ListOptions) (watch.Interface, error) {
	return s.Watch(options)
}

func TestCheckDriftStartsOverWhenPagesExpire(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		s := slowPages{source, new(bool)}
		source.Add(newShip("bay/a", "blue"))
		source.Add(newShip("bay/b", "blue"))
		informer := cache.NewSharedIndexInformer(s, &ship{}, 0, nil)
		defer run(t, informer)()
		synctest.Wait()
		*s.late = true
		if err := cache.CheckDrift(t.Context(), informer); err != nil {
			t.Error(err)
		}
	})
}

// A store that no event brings to the server's version, because only other kinds change, is compared without waiting.
func TestCheckDriftOfQuietStore(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "blue"))
		s := &busySource{FakeControllerSource: source}
		informer := cache.NewSharedIndexInformer(s, &ship{}, 0, nil)
		defer run(t, informer)()
		synctest.Wait()
		s.listVersion = "1000"
		if err := cache.CheckDrift(soon(t), informer); err != nil {
			t.Error(err)
		}
		source.ModifyDropWatch(newShip("bay/a", "red"))
		err := cache.CheckDrift(soon(t), informer)
		wantWords(t, err, "the store differs from the server, and may not have received the latest changes", `is at resource version "1", want "1000"`)
	})
}

func TestCheckDriftFails(t *testing.T) {
	inBubble(t, func(t *testing.T, source *cachetesting.FakeControllerSource) {
		source.Add(newShip("bay/a", "blue"))
		informer := cache.NewSharedIndexInformer(source, &ship{}, 0, nil)
		stop := run(t, informer)
		synctest.Wait()
		if err := cache.CheckDrift(t.Context(), foreignInformer{informer}); err == nil || !strings.Contains(err.Error(), "foreignInformer") {
			t.Errorf("of a foreign informer: %v", err)
		}
		source.ListError = errForbidden
		if err := cache.CheckDrift(t.Context(), informer); !apierrors.IsForbidden(err) {
			t.Errorf("when lists are forbidden: %v", err)
		}
		source.ListError = nil
		source.ModifyDropWatch(newShip("bay/a", "red")) // no event reports it
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := cache.CheckDrift(ctx, informer); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("when the informer does not get as far: %v", err)
		}
		stop()
		if err := cache.CheckDrift(t.Context(), informer); err == nil || !strings.Contains(err.Error(), "stopped") {
			t.Errorf("when it has stopped: %v", err)
		}
	})
}

// Objects that cannot be decoded are quarantined on both sides.
func TestCheckDriftLeavesQuarantineOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		good := newThing("good", "3")
		server := tolerantServer([][]runtime.Object{{newThing("good", "3"), newThing("bad", "4")}, {good, undecodable("bad", "11"), undecodable("new", "12")}},
			[][]watch.Event{{{Type: watch.Modified, Object: undecodable("bad", "11")}, {Type: watch.Added, Object: undecodable("new", "12")}}})
		lists := server.stream
		server.stream = func(n int, ctx context.Context, options metav1.ListOptions, each func(runtime.Object) error) (runtime.Object, error) {
			list, err := lists(n, ctx, options, each)
			if n > 1 {
				list = newThings("12") // as of the last event
			}
			return list, err
		}
		informer := cache.NewSharedIndexInformerWithOptions(server, &thing{}, cache.SharedIndexInformerOptions{Undecodable: cache.QuarantineUndecodable})
		defer run(t, informer)()
		if err := cache.WaitForSync(t.Context(), informer); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if err := cache.CheckDrift(t.Context(), informer); err != nil {
			t.Error(err)
		}
	})
}

func TestDriftErrorNamesFew(t *testing.T) {
	err := &cache.DriftError{Type: "*v1.Ship", Missing: shipNames("a", "b", "c", "d"), Stale: shipNames("e"), Different: shipNames("h"), Deleted: shipNames("f", "g")}
	const want = "store of *v1.Ship differs from the server: 4 missing (bay/a, bay/b, bay/c, ...), 1 stale (bay/e), 1 different (bay/h), 2 deleted on the server (bay/f, bay/g)"
	if err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	err = &cache.DriftError{Type: "*v1.Ship", ServerVersion: "500", StoreVersion: "950"}
	const rewound = "store of *v1.Ship differs from the server: server is at resource version 500, store at 950"
	if err.Error() != rewound {
		t.Errorf("got  %v\nwant %s", err, rewound)
	}
}
