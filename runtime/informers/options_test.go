package informers_test

import (
	"context"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/informers"
)

// run runs a factory until its informers have synced, and returns what was listed.
func run(t *testing.T, f factory) []request {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	f.StartWithContext(ctx)
	if err := f.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		t.Error(err)
	}
	cancel()
	f.Shutdown()
	return f.server.lists()
}

func TestNamespaces(t *testing.T) {
	s := func() *server {
		return &server{objects: slices.Concat(named("a", "one"), named("b", "two"), named("c", "three"))}
	}
	for name, c := range map[string]struct {
		all, ofType []string
		want        []string
		listed      []string
	}{
		"all":                  {nil, nil, []string{"a/one", "b/two", "c/three"}, []string{""}},
		"two":                  {[]string{"b", "a", "b"}, nil, []string{"a/one", "b/two"}, []string{"a", "b"}},
		"one":                  {[]string{"c"}, nil, []string{"c/three"}, []string{"c"}},
		"of the type":          {[]string{"a"}, []string{"b", "c"}, []string{"b/two", "c/three"}, []string{"b", "c"}},
		"all among them":       {[]string{"a", ""}, nil, []string{"a/one", "b/two", "c/three"}, []string{""}},
		"one that has nothing": {[]string{"a", "x"}, nil, []string{"a/one"}, []string{"a", "x"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFactory(s(), informers.Config{
					Options: informers.Options{Namespaces: c.all},
					Types:   map[reflect.Type]informers.Options{reflect.TypeFor[*object](): {Namespaces: c.ofType}},
				})
				informer := f.boats()
				var listed []string
				for _, r := range run(t, f) {
					listed = append(listed, r.namespace)
				}
				slices.Sort(listed)
				if got := keys(informer); !slices.Equal(got, c.want) || !slices.Equal(listed, c.listed) {
					t.Errorf("got %v after lists of %q, want %v after %q", got, listed, c.want, c.listed)
				}
			})
		})
	}
}

func TestClusterScopeIgnoresNamespaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{objects: named("", "one")}
		informer := informers.New(s, &object{}, boats, informers.Options{Namespaces: []string{"a"}}, func(tweak informers.Tweak) cache.ListerWatcher {
			return cache.ListWatchFor(client{s, ""}, tweak)
		})
		ctx, cancel := context.WithCancel(t.Context())
		go informer.RunWithContext(ctx)
		if err := cache.WaitForSync(ctx, informer); err != nil || !slices.Equal(keys(informer), []string{"one"}) {
			t.Errorf("got %v, error %v", keys(informer), err)
		}
		cancel()
		synctest.Wait()
	})
}

func TestOptionsOfTypesComeAfterThoseOfAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		annotate := func(with string) cache.TransformFunc {
			return func(obj any) (any, error) {
				obj.(metav1.Object).SetAnnotations(map[string]string{"by": with})
				return obj, nil
			}
		}
		selector := func(text string) labels.Selector {
			s, err := labels.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		byName := func(obj any) ([]string, error) { return []string{obj.(metav1.Object).GetName()}, nil }
		f := newFactory(&server{objects: named("a", "one")}, informers.Config{
			Options: informers.Options{
				LabelSelector: selector("kind=all"), FieldSelector: fields.OneTermEqualSelector("metadata.name", "one"),
				Transform: annotate("all"), Indexers: cache.Indexers{"all": byName},
			},
			Types: map[reflect.Type]informers.Options{reflect.TypeFor[*object](): {
				LabelSelector: selector("kind=own"), Transform: annotate("own"), Indexers: cache.Indexers{"own": byName},
				TweakListOptions: func(o *metav1.ListOptions) { o.LabelSelector += ",tweaked" },
				Backoff:          &wait.Backoff{Duration: time.Second},
			}},
		})
		informer := f.boats()
		requests := run(t, f)
		if o := requests[0].options; o.LabelSelector != "kind=own,tweaked" || o.FieldSelector != "metadata.name=one" {
			t.Errorf("listed with %+v", o)
		}
		for _, index := range []string{"all", "own"} {
			objects, err := informer.GetIndexer().ByIndex(index, "one")
			if err != nil || len(objects) != 1 || objects[0].(metav1.Object).GetAnnotations()["by"] != "own" {
				t.Errorf("index %s: got %v, error %v", index, objects, err)
			}
		}
	})
}

func TestResyncPeriods(t *testing.T) {
	for name, c := range map[string]struct {
		config informers.Config
		want   time.Duration
	}{
		"none": {informers.Config{}, 0},
		"all":  {informers.Config{Options: informers.Options{ResyncPeriod: time.Hour}}, time.Hour},
		"type": {informers.Config{
			Options: informers.Options{ResyncPeriod: time.Hour},
			Types:   map[reflect.Type]informers.Options{reflect.TypeFor[*object](): {ResyncPeriod: time.Minute}},
		}, time.Minute},
		"custom": {informers.Config{
			Options:      informers.Options{ResyncPeriod: time.Hour},
			Types:        map[reflect.Type]informers.Options{reflect.TypeFor[*object](): {ResyncPeriod: time.Minute}},
			CustomResync: map[reflect.Type]time.Duration{reflect.TypeFor[*object](): 0},
		}, 0},
		"another type": {informers.Config{
			Types: map[reflect.Type]informers.Options{reflect.TypeFor[*other](): {ResyncPeriod: time.Minute}},
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFactory(&server{}, c.config)
			var got time.Duration
			f.InformerFor(&object{}, func(resync time.Duration) cache.SharedIndexInformer {
				got = informers.OptionsFor(f, &object{}, informers.Options{ResyncPeriod: resync}).ResyncPeriod
				return f.server.informer(&object{}, "", informers.Options{})
			})
			if got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestForeignFactoriesSayNothing(t *testing.T) {
	if got := informers.OptionsFor(struct{}{}, &object{}, informers.Options{ResyncPeriod: 1}); got.ResyncPeriod != 1 {
		t.Errorf("got %+v", got)
	}
}

func TestInformersThatAreFilledByHandNeedNoClient(t *testing.T) {
	informer := informers.NewNamespaced(nil, &object{}, boats, "", informers.Options{}, func(string, informers.Tweak) cache.ListerWatcher {
		t.Error("the client was requested")
		return nil
	})
	one := named("a", "one")
	if err := informer.GetIndexer().Add(&one[0]); err != nil || !slices.Equal(keys(informer), []string{"a/one"}) {
		t.Errorf("got %v, error %v", keys(informer), err)
	}
}

// plain is a typed client that does not report its capabilities.
type plain struct{ client client }

func (p plain) List(ctx context.Context, options metav1.ListOptions) (*list, error) {
	return p.client.List(ctx, options)
}

func (p plain) Watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	return p.client.Watch(ctx, options)
}

func TestClientsetsThatKnowNoStreamingLists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{objects: named("", "one")}
		informer := informers.New(s, &object{}, boats, informers.Options{}, func(tweak informers.Tweak) cache.ListerWatcher {
			return cache.ListWatchFor(plain{client{s, ""}}, tweak)
		})
		ctx, cancel := context.WithCancel(t.Context())
		go informer.RunWithContext(ctx)
		synctest.Wait()
		s.mu.Lock()
		if first := s.requests[0]; first.verb != "list" {
			t.Errorf("the first request is a %s", first.verb)
		}
		s.mu.Unlock()
		cancel()
		synctest.Wait()
	})
}

func TestStateReportsSelectorsAndOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFactory(&server{objects: named("a", "one")}, informers.Config{Options: informers.Options{
			Owner: "harbour", LabelSelector: labels.SelectorFromSet(labels.Set{"dock": "3"}),
		}})
		informer := f.boats()
		if state := cache.StateOf(informer); state.Owner != "harbour" || state.Resource != boats || state.LabelSelector != "" {
			t.Errorf("before the first request: owner %q, resource %v, label selector %q", state.Owner, state.Resource, state.LabelSelector)
		}
		run(t, f)
		if state := cache.StateOf(informer); state.LabelSelector != "dock=3" || state.FieldSelector != "" {
			t.Errorf("got selectors %q and %q", state.LabelSelector, state.FieldSelector)
		}
	})
}

func TestStateReportsNamespaceOfSingleSource(t *testing.T) {
	informer := informers.NewNamespaced(nil, &object{}, boats, "north", informers.Options{}, nil)
	if sources := cache.StateOf(informer).Sources; len(sources) != 1 || sources[0].Namespace != "north" {
		t.Errorf("got %+v", sources)
	}
}
