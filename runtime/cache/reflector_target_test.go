package cache_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
)

// notingStore records its calls, and implements all optional interfaces.
type notingStore struct {
	told      []string
	transform cache.TransformFunc
	resync    error
}

func (s *notingStore) note(what string, obj any) error {
	t := obj.(*thing)
	s.told = append(s.told, what+" "+t.Name+t.Labels["transformed"])
	return nil
}

func (s *notingStore) Add(obj any) error    { return s.note("add", obj) }
func (s *notingStore) Update(obj any) error { return s.note("update", obj) }
func (s *notingStore) Delete(obj any) error { return s.note("delete", obj) }
func (s *notingStore) Replace(objects []any, rv string) error {
	names := []string{}
	for _, obj := range objects {
		t := obj.(*thing)
		names = append(names, t.Name+t.Labels["transformed"])
	}
	s.told = append(s.told, "replace "+rv+" "+strings.Join(names, ","))
	return nil
}

func (s *notingStore) Resync() error {
	s.told = append(s.told, "resync")
	return s.resync
}

func (s *notingStore) Bookmark(rv string) error {
	s.told = append(s.told, "bookmark "+rv)
	return nil
}
func (s *notingStore) UpdateResourceVersion(rv string)  { s.told = append(s.told, "version "+rv) }
func (s *notingStore) Transformer() cache.TransformFunc { return s.transform }

func TestStoreIsTold(t *testing.T) {
	events := []watch.Event{
		{Type: watch.Added, Object: newThing("b", "11")},
		{Type: watch.Modified, Object: newThing("a", "12")},
		{Type: watch.Bookmark, Object: newThing("", "13")},
		{Type: watch.Deleted, Object: newThing("b", "14")},
	}
	after := []string{"add b", "version 11", "update a", "version 12", "bookmark 13", "version 13", "delete b", "version 14"}
	mark := func(obj any) (any, error) {
		obj.(*thing).Labels = map[string]string{"transformed": "!"}
		return obj, nil
	}
	tests := []struct {
		name      string
		watchList bool
		transform cache.TransformFunc
		want      []string
	}{
		{"list", false, nil, append([]string{"replace 10 a"}, after...)},
		{"watch list", true, nil, append([]string{"replace 10 a"}, after...)},
		{"list, the store transforms", false, mark, append([]string{"replace 10 a"}, after...)},
		{"watch list, the store transforms", true, mark, append([]string{"replace 10 a"}, after...)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{
					watchList: test.watchList,
					list: func(int, context.Context, metav1.ListOptions) (runtime.Object, error) {
						return newThings("10", newThing("a", "1")), nil
					},
					watch: func(_ int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
						if test.watchList {
							return newStream(ctx, append(initially("10", newThing("a", "1")), events...)...), nil
						}
						return newStream(ctx, events...), nil
					},
				}
				store := &notingStore{transform: test.transform}
				r := reflectInto(t, s, nil, store, cache.ReflectorOptions{})
				r.stop()
				want(t, "told", store.told, test.want)
			})
		})
	}
}

func TestResync(t *testing.T) {
	tests := []struct {
		name   string
		period time.Duration
		should func() func() bool
		err    error
		watch  func(context.Context) (watch.Interface, error) // if nil, it is silent
		within time.Duration
		least  int
		most   int
	}{
		{name: "never", within: time.Hour},
		{name: "each period", period: time.Minute, within: 10*time.Minute + 1, least: 10, most: 10},
		{name: "if agreed to", period: time.Minute, within: 10*time.Minute + 1, least: 5, most: 5, should: func() func() bool {
			n := 0
			return func() bool { n++; return n%2 == 0 }
		}},
		{name: "while the watch cannot be started", period: time.Minute, within: 10*time.Minute + 1, least: 10, most: 10,
			watch: func(context.Context) (watch.Interface, error) { return nil, errRefused }},
		{name: "among events without end", period: time.Second, within: 10*time.Second + 1, least: 9, most: 10,
			watch: func(ctx context.Context) (watch.Interface, error) {
				ctx, cancel := context.WithCancel(ctx)
				w := &stream{events: make(chan watch.Event, 1000), stop: cancel}
				go func() {
					for ctx.Err() == nil {
						for len(w.events) < cap(w.events) {
							w.events <- watch.Event{Type: watch.Bookmark, Object: newThing("", "5")}
						}
						time.Sleep(100 * time.Millisecond)
					}
				}()
				return w, nil
			}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{watch: func(_ int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
					if test.watch != nil {
						return test.watch(ctx)
					}
					return newStream(ctx, watch.Event{Type: watch.Bookmark, Object: newThing("", "5")}), nil
				}}
				store := &notingStore{}
				r := reflectInto(t, s, nil, store, cache.ReflectorOptions{ResyncPeriod: test.period}, func(r *cache.Reflector) {
					if test.should != nil {
						r.ShouldResync = test.should()
					}
				})
				r.wait(test.within)
				r.stop()
				time.Sleep(time.Second) // so that the source of events sees it
				resyncs := 0
				for _, told := range store.told {
					if told == "resync" {
						resyncs++
					}
				}
				if resyncs < test.least || resyncs > test.most {
					t.Errorf("%d resyncs, want %d to %d", resyncs, test.least, test.most)
				}
			})
		})
	}
}

// A store that cannot resync gets all objects again.
func TestResyncFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		r := reflectInto(t, s, nil, &notingStore{resync: errors.New("no resync")}, cache.ReflectorOptions{ResyncPeriod: time.Minute})
		r.wait(time.Minute)
		wantFailing(t, r.State(), cache.PhaseStale, 1, "no resync")
		r.wait(2 * time.Second)
		want(t, "requests", s.requests(), []string{"list rv= limit=500", "watch rv=1", "list rv=1", "watch rv=1"})
	})
}

func TestTypeDescription(t *testing.T) {
	boat := &unstructured.Unstructured{}
	boat.SetAPIVersion("example.com/v1")
	boat.SetKind("Boat")
	tests := []struct {
		name     string
		expected any
		given    string
		want     string
	}{
		{"nothing", nil, "", "<unspecified>"},
		{"Go type", &thing{}, "", "*v1.PartialObjectMetadata"},
		{"Unstructured of a kind", boat, "", "example.com/v1, Kind=Boat"},
		{"Unstructured", &unstructured.Unstructured{}, "", "*unstructured.Unstructured"},
		{"given", boat, "boats", "boats"},
	}
	for _, test := range tests {
		r := cache.NewReflectorWithOptions(&server{}, test.expected, &notingStore{}, cache.ReflectorOptions{TypeDescription: test.given})
		want(t, test.name, r.TypeDescription(), test.want)
	}
	_, r := cache.NewNamespaceKeyedIndexerAndReflector(&server{}, &thing{}, 0)
	if name := r.Name(); !strings.HasPrefix(name, "cache/reflector_target_test.go:") {
		t.Errorf("name %q", name)
	}
	want(t, "name", cache.NewNamedReflector("r", &server{}, nil, &notingStore{}, 0).Name(), "r")
}

func TestNamespaceKeyedIndexerAndReflector(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{list: func(int, context.Context, metav1.ListOptions) (runtime.Object, error) {
			return newThings("10", newThing("a", "1")), nil
		}}
		indexer, r := cache.NewNamespaceKeyedIndexerAndReflector(s, &thing{}, 0)
		go r.Run(t.Context().Done())
		synctest.Wait()
		found, err := indexer.ByIndex(cache.NamespaceIndex, "ns")
		if err != nil || len(found) != 1 {
			t.Errorf("found %v, %v", found, err)
		}
	})
}
