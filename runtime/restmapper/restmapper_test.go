package restmapper_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/discovery"
	"github.com/listwatch/listwatch/runtime/discovery/cached/memory"
	"github.com/listwatch/listwatch/runtime/discovery/fake"
	"github.com/listwatch/listwatch/runtime/restmapper"
	clienttesting "github.com/listwatch/listwatch/runtime/testing"
)

// lists are what the server of these tests serves.
func lists() []*metav1.APIResourceList {
	return []*metav1.APIResourceList{
		{GroupVersion: "v1", APIResources: []metav1.APIResource{
			{Name: "pods", SingularName: "pod", Kind: "Pod", Namespaced: true, ShortNames: []string{"po"}, Categories: []string{"all"}},
			{Name: "pods/status", Kind: "Pod", Namespaced: true},
			{Name: "events", Kind: "Event", Namespaced: true, ShortNames: []string{"ev"}},
			{Name: "nodes", Kind: "Node"},
		}},
		{GroupVersion: "events.k8s.io/v1", APIResources: []metav1.APIResource{
			{Name: "events", Kind: "Event", Namespaced: true, ShortNames: []string{"ev"}},
		}},
		{GroupVersion: "shop.dev/v2", APIResources: []metav1.APIResource{
			{Name: "books", Kind: "Book", Namespaced: true, ShortNames: []string{"bk", "po"}, Categories: []string{"all", "shop"}},
		}},
		{GroupVersion: "shop.dev/v1", APIResources: []metav1.APIResource{
			{Name: "books", Kind: "Book", Namespaced: true, ShortNames: []string{"bk"}, Categories: []string{"all", "shop"}},
			{Name: "shelves", Kind: "Shelf", Namespaced: true},
		}},
		{GroupVersion: "a/b/c", APIResources: []metav1.APIResource{{Name: "broken", Kind: "Broken", Categories: []string{"all"}}}},
	}
}

func newFake() *fake.FakeDiscovery {
	f := &fake.FakeDiscovery{Fake: &clienttesting.Fake{}}
	f.Resources = lists()[:4]
	return f
}

func gvr(group, version, resource string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: group, Version: version, Resource: resource}
}

func gvk(group, version, kind string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: group, Version: version, Kind: kind}
}

func TestMapper(t *testing.T) {
	groups, err := restmapper.GetAPIGroupResources(newFake())
	if err != nil {
		t.Fatal(err)
	}
	deferred := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(newFake()))
	for name, m := range map[string]meta.RESTMapper{
		"at once":      restmapper.NewDiscoveryRESTMapper(groups),
		"deferred":     deferred,
		"with context": contextless{restmapper.NewDiscoveryRESTMapperWithContext(groups)},
		"expanded":     restmapper.NewShortcutExpander(deferred, newFake(), nil),
		"all contexts": contextless{restmapper.NewShortcutExpanderWithContext(deferred, newFake(), nil)},
	} {
		t.Run(name, func(t *testing.T) { testMapper(t, m) })
	}
}

func testMapper(t *testing.T, m meta.RESTMapper) {
	for resource, want := range map[schema.GroupVersionResource]schema.GroupVersionKind{
		gvr("", "", "pods"):                      gvk("", "v1", "Pod"),
		gvr("", "", "pod"):                       gvk("", "v1", "Pod"),
		gvr("", "", "events"):                    gvk("", "v1", "Event"),
		gvr("events.k8s.io", "", "events"):       gvk("events.k8s.io", "v1", "Event"),
		gvr("", "", "books"):                     gvk("shop.dev", "v2", "Book"),
		gvr("shop.dev", "v1", "books"):           gvk("shop.dev", "v1", "Book"),
		gvr("", "", "shelf"):                     gvk("shop.dev", "v1", "Shelf"),
		gvr("", "", "pods/status"):               {},
		gvr("", "v3", "books"):                   {},
		gvr("other.dev", "", "books"):            {},
		gvr("shop.dev", "v1", "unknownresource"): {},
	} {
		got, err := m.KindFor(resource)
		if got != want || (err != nil) != want.Empty() {
			t.Errorf("kind of %v: got %v, %v, want %v", resource, got, err, want)
		}
		kinds, err := m.KindsFor(resource)
		if (len(kinds) > 0) == want.Empty() || !want.Empty() && kinds[0] != want {
			t.Errorf("kinds of %v: got %v, %v", resource, kinds, err)
		}
	}
	if got, err := m.ResourceFor(gvr("", "", "book")); err != nil || got != gvr("shop.dev", "v2", "books") {
		t.Errorf("resource: got %v, %v", got, err)
	}
	if got, err := m.ResourcesFor(gvr("shop.dev", "", "book")); err != nil || len(got) != 2 {
		t.Errorf("resources: got %v, %v", got, err)
	}
	if got, err := m.ResourceSingularizer("shelves"); err != nil || got != "shelf" {
		t.Errorf("singular: got %v, %v", got, err)
	}
	mapping, err := m.RESTMapping(schema.GroupKind{Group: "shop.dev", Kind: "Book"})
	if err != nil || mapping.Resource != gvr("shop.dev", "v2", "books") || mapping.Scope != meta.RESTScopeNamespace {
		t.Errorf("mapping: got %v, %v", mapping, err)
	}
	mapping, err = m.RESTMapping(schema.GroupKind{Kind: "Node"}, "v1")
	if err != nil || mapping.Resource != gvr("", "v1", "nodes") || mapping.Scope != meta.RESTScopeRoot {
		t.Errorf("mapping: got %v, %v", mapping, err)
	}
	if mappings, err := m.RESTMappings(schema.GroupKind{Group: "shop.dev", Kind: "Book"}); err != nil || len(mappings) != 2 {
		t.Errorf("mappings: got %v, %v", mappings, err)
	}
	if _, err := m.RESTMapping(schema.GroupKind{Kind: "Unknown"}); !meta.IsNoMatchError(err) {
		t.Errorf("unknown kind: got %v", err)
	}
}

// contextless is a mapper without contexts on one with them.
type contextless struct {
	restmapper.RESTMapperWithContext
}

func (c contextless) KindFor(r schema.GroupVersionResource) (schema.GroupVersionKind, error) {
	return c.KindForWithContext(context.Background(), r)
}

func (c contextless) KindsFor(r schema.GroupVersionResource) ([]schema.GroupVersionKind, error) {
	return c.KindsForWithContext(context.Background(), r)
}

func (c contextless) ResourceFor(r schema.GroupVersionResource) (schema.GroupVersionResource, error) {
	return c.ResourceForWithContext(context.Background(), r)
}

func (c contextless) ResourcesFor(r schema.GroupVersionResource) ([]schema.GroupVersionResource, error) {
	return c.ResourcesForWithContext(context.Background(), r)
}

func (c contextless) RESTMapping(gk schema.GroupKind, versions ...string) (*meta.RESTMapping, error) {
	return c.RESTMappingWithContext(context.Background(), gk, versions...)
}

func (c contextless) RESTMappings(gk schema.GroupKind, versions ...string) ([]*meta.RESTMapping, error) {
	return c.RESTMappingsWithContext(context.Background(), gk, versions...)
}

func (c contextless) ResourceSingularizer(r string) (string, error) {
	return c.ResourceSingularizerWithContext(context.Background(), r)
}

// A version that fails is missing; if nothing is known, that is an error.
func TestFailures(t *testing.T) {
	f := newFake()
	broken := errors.New("broken")
	f.PrependReactor("get", "resource", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, broken })
	d := memory.NewMemCacheClient(f)
	if groups, err := restmapper.GetAPIGroupResources(d); err != nil || len(groups) != 3 || len(groups[2].VersionedResources) != 0 {
		t.Errorf("got %v, %v", groups, err)
	}
	f.PrependReactor("get", "group", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, broken })
	d.Invalidate()
	m := restmapper.NewDeferredDiscoveryRESTMapper(d)
	if _, err := m.KindFor(gvr("", "", "pods")); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if singular, err := m.ResourceSingularizer("pods"); !errors.Is(err, broken) || singular != "pods" {
		t.Errorf("got %q, %v", singular, err)
	}
	if got := m.String(); got != "DeferredDiscoveryRESTMapper{broken}" {
		t.Errorf("got %q", got)
	}
}

// outdated is a cache that is fresh when it was invalidated.
type outdated struct {
	discovery.CachedDiscoveryInterface
	invalidated atomic.Int32
	never       bool
	delay       time.Duration
	asked       func() // if not nil, called by Fresh first
}

func (o *outdated) Fresh() bool {
	if o.asked != nil {
		o.asked()
	}
	return !o.never && o.invalidated.Load() > 0
}

func (o *outdated) Invalidate() { o.invalidated.Add(1) }

func (o *outdated) ServerGroupsAndResources() ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	time.Sleep(o.delay)
	f := &fake.FakeDiscovery{Fake: &clienttesting.Fake{}}
	f.Resources = lists()[:3]
	if o.invalidated.Load() > 0 {
		f.Resources = lists()[:4]
	}
	return f.ServerGroupsAndResources()
}

// newOutdated returns a cache that does not yet know shelves.
func newOutdated() *outdated {
	return &outdated{CachedDiscoveryInterface: memory.NewMemCacheClient(newFake())}
}

func TestDeferredTriesAgain(t *testing.T) {
	shelf := schema.GroupKind{Group: "shop.dev", Kind: "Shelf"}
	for name, call := range map[string]func(m meta.RESTMapper) (any, error){
		"KindFor":      func(m meta.RESTMapper) (any, error) { return m.KindFor(gvr("", "", "shelves")) },
		"KindsFor":     func(m meta.RESTMapper) (any, error) { return m.KindsFor(gvr("", "", "shelves")) },
		"ResourceFor":  func(m meta.RESTMapper) (any, error) { return m.ResourceFor(gvr("", "", "shelves")) },
		"ResourcesFor": func(m meta.RESTMapper) (any, error) { return m.ResourcesFor(gvr("", "", "shelves")) },
		"RESTMapping":  func(m meta.RESTMapper) (any, error) { return m.RESTMapping(shelf) },
		"RESTMappings": func(m meta.RESTMapper) (any, error) { return m.RESTMappings(shelf) },
	} {
		t.Run(name, func(t *testing.T) {
			cache := newOutdated()
			if got, err := call(restmapper.NewDeferredDiscoveryRESTMapper(cache)); err != nil || cache.invalidated.Load() != 1 {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}
	cache := newOutdated()
	cache.never = true
	m := restmapper.NewDeferredDiscoveryRESTMapper(cache)
	if _, err := m.KindFor(gvr("", "", "unknown")); !meta.IsNoMatchError(err) || cache.invalidated.Load() != 1 {
		t.Errorf("got %v after %d times", err, cache.invalidated.Load())
	}
	m.Reset()
	if cache.invalidated.Load() != 2 {
		t.Error("the cache was not invalidated by a reset")
	}
}

// Of many calls that miss the same, one invalidates the cache. One whose context ends gives up.
func TestDeferredConcurrently(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := newOutdated()
		cache.delay = time.Minute
		m := restmapper.NewDeferredDiscoveryRESTMapper(cache)
		var calls sync.WaitGroup
		for range 8 {
			calls.Go(func() {
				if kind, err := m.KindForWithContext(t.Context(), gvr("", "", "shelves")); err != nil || kind.Kind != "Shelf" {
					t.Errorf("got %v, %v", kind, err)
				}
			})
		}
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := m.KindForWithContext(ctx, gvr("", "", "shelves")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		calls.Wait()
		if n := cache.invalidated.Load(); n != 1 {
			t.Errorf("invalidated %d times", n)
		}
	})
}

// A call finds what another one has just requested, though the cache is fresh by then.
func TestDeferredOvertaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := newOutdated()
		m := restmapper.NewDeferredDiscoveryRESTMapper(cache)
		var other sync.WaitGroup
		var asked atomic.Bool
		cache.asked = func() {
			if asked.Swap(true) {
				return
			}
			other.Go(func() {
				if _, err := m.KindFor(gvr("", "", "shelves")); err != nil {
					t.Errorf("the other call: %v", err)
				}
			})
			time.Sleep(time.Minute)
		}
		if kind, err := m.KindFor(gvr("", "", "shelves")); err != nil || kind.Kind != "Shelf" {
			t.Errorf("got %v, %v", kind, err)
		}
		other.Wait()
	})
}

// A reset does not wait for requests, and what they bring is not kept.
func TestDeferredResetMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := newOutdated()
		cache.delay = time.Minute
		m := restmapper.NewDeferredDiscoveryRESTMapper(cache)
		var calls sync.WaitGroup
		calls.Go(func() {
			if _, err := m.KindForWithContext(t.Context(), gvr("", "", "pods")); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		start := time.Now()
		m.Reset()
		if waited := time.Since(start); waited > 0 {
			t.Errorf("waited for %v", waited)
		}
		calls.Wait()
		start = time.Now()
		if _, err := m.KindForWithContext(t.Context(), gvr("", "", "pods")); err != nil {
			t.Error(err)
		}
		if waited := time.Since(start); waited != time.Minute {
			t.Errorf("requested for %v, want a minute", waited)
		}
	})
}

// A call whose cache waits for another's request ends with its context.
func TestDeferredBehindAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &hanging{FakeDiscovery: newFake(), end: make(chan struct{})}
		cache := memory.NewMemCacheClientWithContext(f)
		m := restmapper.NewDeferredDiscoveryRESTMapperWithContext(cache)
		if _, err := m.KindForWithContext(t.Context(), gvr("", "", "pods")); err != nil {
			t.Fatal(err)
		}
		cache.InvalidateWithContext(t.Context())
		f.hangs.Store(true)
		var calls sync.WaitGroup
		calls.Go(func() { _, _ = cache.ServerGroupsWithContext(t.Context()) })
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		if _, err := m.KindForWithContext(ctx, gvr("", "", "unknown")); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("got %v after %v", err, time.Since(start))
		}
		close(f.end)
		calls.Wait()
	})
}

// hanging is a server that does not respond until the end.
type hanging struct {
	*fake.FakeDiscovery
	hangs atomic.Bool
	end   chan struct{}
}

func (h *hanging) ServerGroupsWithContext(ctx context.Context) (*metav1.APIGroupList, error) {
	if h.hangs.Load() {
		<-h.end
	}
	return h.FakeDiscovery.ServerGroupsWithContext(ctx)
}

func TestShortNames(t *testing.T) {
	var warnings []string
	f := newFake()
	f.Resources = lists()
	delegate, err := restmapper.GetAPIGroupResources(newFake())
	if err != nil {
		t.Fatal(err)
	}
	m := restmapper.NewShortcutExpander(restmapper.NewDiscoveryRESTMapper(delegate), everything{f}, func(s string) { warnings = append(warnings, s) })
	for _, tt := range []struct {
		resource schema.GroupVersionResource
		want     schema.GroupVersionResource
		warning  string
	}{
		{gvr("", "", "po"), gvr("", "v1", "pods"), `short name "po" could also match lower priority resource books.shop.dev`},
		{gvr("shop.dev", "", "po"), gvr("shop.dev", "v2", "books"), ""},
		{gvr("", "", "bk"), gvr("shop.dev", "v2", "books"), ""},
		{gvr("shop", "", "bk"), gvr("shop.dev", "v2", "books"), ""},
		{gvr("shop", "v1", "bk"), gvr("shop.dev", "v1", "books"), ""},
		{gvr("", "", "ev"), gvr("", "v1", "events"), `short name "ev" could also match lower priority resource events.events.k8s.io`},
		{gvr("events.k8s.io", "", "ev"), gvr("events.k8s.io", "v1", "events"), ""},
		{gvr("", "", "pods"), gvr("", "v1", "pods"), ""},
		{gvr("", "", "xy"), schema.GroupVersionResource{}, ""},
		{gvr("other", "", "bk"), schema.GroupVersionResource{}, ""},
	} {
		warnings = nil
		got, err := m.ResourceFor(tt.resource)
		if got != tt.want || (err != nil) != tt.want.Empty() {
			t.Errorf("%v: got %v, %v", tt.resource, got, err)
		}
		if got := strings.Join(warnings, "\n"); got != tt.warning {
			t.Errorf("%v: warning %q, want %q", tt.resource, got, tt.warning)
		}
	}
	if singular, err := m.ResourceSingularizer("po"); err != nil || singular != "pod" {
		t.Errorf("got %q, %v", singular, err)
	}
	// Without a handler, a warning is dropped.
	if _, err := restmapper.NewShortcutExpander(restmapper.NewDiscoveryRESTMapper(delegate), everything{f}, nil).ResourceFor(gvr("", "", "po")); err != nil {
		t.Error(err)
	}
}

// everything returns the resources of a fake without reading their group versions.
type everything struct{ *fake.FakeDiscovery }

func (e everything) ServerGroupsAndResourcesWithContext(context.Context) ([]*metav1.APIGroup, []*metav1.APIResourceList, error) {
	return nil, e.Resources, errors.New("partial")
}

// A short name that the delegate learns of by a reset is expanded after it.
func TestShortNameOfNewResource(t *testing.T) {
	cache := newOutdated()
	m := restmapper.NewShortcutExpander(restmapper.NewDeferredDiscoveryRESTMapper(cache), cache, nil)
	if kind, err := m.KindFor(gvr("", "", "shelves")); err != nil || kind.Kind != "Shelf" {
		t.Errorf("got %v, %v", kind, err)
	}
	meta.MaybeResetRESTMapper(m)
	if n := cache.invalidated.Load(); n != 2 {
		t.Errorf("invalidated %d times", n)
	}
}

func TestCategories(t *testing.T) {
	f := newFake()
	f.Resources = lists()
	simple := restmapper.SimpleCategoryExpander{Expansions: map[string][]schema.GroupResource{"all": {{Resource: "pods"}, {Resource: "nodes"}}, "none": nil}}
	found := restmapper.NewDiscoveryCategoryExpander(everything{f})
	pods, books, nodes := schema.GroupResource{Resource: "pods"}, schema.GroupResource{Group: "shop.dev", Resource: "books"}, schema.GroupResource{Resource: "nodes"}
	for _, tt := range []struct {
		name     string
		expander restmapper.CategoryExpander
		category string
		want     []schema.GroupResource
		exists   bool
	}{
		{"discovered", found, "all", []schema.GroupResource{pods, books}, true},
		{"discovered, of one", found, "shop", []schema.GroupResource{books}, true},
		{"discovered, unknown", found, "other", nil, false},
		{"simple", simple, "all", []schema.GroupResource{pods, nodes}, true},
		{"simple, empty", simple, "none", nil, true},
		{"union", restmapper.UnionCategoryExpander{simple, found}, "all", []schema.GroupResource{pods, nodes, books}, true},
		{"union, one has it", restmapper.UnionCategoryExpander{simple, found}, "shop", []schema.GroupResource{books}, true},
		{"union, unknown", restmapper.UnionCategoryExpander{simple, plain{}}, "x", []schema.GroupResource{}, false},
		{"union, empty", restmapper.UnionCategoryExpander{}, "all", []schema.GroupResource{}, false},
	} {
		got, exists := tt.expander.Expand(tt.category)
		if d := cmp.Diff(tt.want, got); d != "" || exists != tt.exists {
			t.Errorf("%s: exists %v (-want +got):\n%s", tt.name, exists, d)
		}
	}
	if restmapper.ToCategoryExpanderWithContext(nil) != nil {
		t.Error("nil does not stay nil")
	}
	withContext := restmapper.NewDiscoveryCategoryExpanderWithContext(everything{f})
	if got, exists := withContext.ExpandWithContext(t.Context(), "shop"); len(got) != 1 || !exists {
		t.Errorf("got %v, %v", got, exists)
	}
}

// plain is an expander without contexts.
type plain struct{}

func (plain) Expand(string) ([]schema.GroupResource, bool) { return nil, false }
