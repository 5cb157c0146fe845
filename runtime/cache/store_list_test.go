package cache_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/cache"
)

// foreignIndexer is an indexer that the package does not know.
type foreignIndexer struct{ cache.Indexer }

// indexersOf returns indexers of different kinds with the same content.
func indexersOf(t *testing.T, objects ...any) map[string]cache.Indexer {
	t.Helper()
	byNamespace := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	indexers := map[string]cache.Indexer{
		"ours":                        cache.NewIndexer(cache.MetaNamespaceKeyFunc, byNamespace),
		"ours, without namespaces":    cache.NewIndexer(cache.MetaNamespaceKeyFunc, nil),
		"foreign":                     foreignIndexer{cache.NewIndexer(cache.MetaNamespaceKeyFunc, byNamespace)},
		"foreign, without namespaces": foreignIndexer{cache.NewIndexer(cache.MetaNamespaceKeyFunc, nil)},
	}
	for _, indexer := range indexers {
		if err := indexer.Replace(slices.Clone(objects), "1"); err != nil {
			t.Fatal(err)
		}
	}
	return indexers
}

func labeled(namespace, name, color string) *metav1.PartialObjectMetadata {
	obj := named(namespace, name)
	obj.Labels = map[string]string{"color": color}
	return obj
}

func selector(t *testing.T, s string) labels.Selector {
	t.Helper()
	parsed, err := labels.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func TestList(t *testing.T) {
	objects := []any{
		labeled("a", "1", "red"), labeled("a", "2", "blue"), labeled("b", "1", "red"), labeled("", "1", "red"),
		labeled("a", "3", "green"), labeled("a", "4", "green"),
	}
	for _, tt := range []struct {
		name, namespace string
		selector        labels.Selector
		want            []string
	}{
		{"everything", "", labels.Everything(), []string{"1", "a/1", "a/2", "a/3", "a/4", "b/1"}},
		{"nothing", "", labels.Nothing(), []string{}},
		{"a namespace", "a", labels.Everything(), []string{"a/1", "a/2", "a/3", "a/4"}},
		{"nothing of a namespace", "a", labels.Nothing(), []string{}},
		{"no such namespace", "c", labels.Everything(), []string{}},
		{"a color", "", selector(t, "color=red"), []string{"1", "a/1", "b/1"}},
		{"a color in a namespace", "a", selector(t, "color=red"), []string{"a/1"}},
		{"other colors", "a", selector(t, "color notin (red)"), []string{"a/2", "a/3", "a/4"}},
		{"no such color", "", selector(t, "color=pink"), []string{}},
	} {
		for kind, indexer := range indexersOf(t, objects...) {
			t.Run(tt.name+"/"+kind, func(t *testing.T) {
				typed, err := cache.ListObjects[*metav1.PartialObjectMetadata](indexer, tt.namespace, tt.selector)
				if diff := cmp.Diff(tt.want, keysOf(typed)); diff != "" || err != nil {
					t.Errorf("typed: %v%s", err, diff)
				}
				if len(typed) == 0 && typed != nil {
					t.Error("typed: an empty list instead of nil")
				}
				var each []*metav1.PartialObjectMetadata
				err = cache.EachObject(indexer, tt.namespace, tt.selector, func(obj *metav1.PartialObjectMetadata) bool {
					each = append(each, obj)
					return true
				})
				if diff := cmp.Diff(tt.want, keysOf(each)); diff != "" || err != nil {
					t.Errorf("each: %v%s", err, diff)
				}
				var appended []any
				err = cache.ListAllByNamespace(indexer, tt.namespace, tt.selector, func(obj any) { appended = append(appended, obj) })
				if diff := cmp.Diff(tt.want, keysOf(appended)); diff != "" || err != nil {
					t.Errorf("appended: %v%s", err, diff)
				}
				generic := cache.NewGenericLister(indexer, schema.GroupResource{Resource: "things"})
				list := generic.List
				if tt.namespace != "" {
					list = generic.ByNamespace(tt.namespace).List
				}
				untyped, err := list(tt.selector)
				if diff := cmp.Diff(tt.want, keysOf(untyped)); diff != "" || err != nil {
					t.Errorf("generic: %v%s", err, diff)
				}
			})
		}
	}
}

func TestListErrors(t *testing.T) {
	for kind, indexer := range indexersOf(t, cache.ExplicitKey("a/plain")) {
		for what, err := range map[string]error{
			"selector": cache.ListAll(indexer, selector(t, "color"), func(any) { t.Error("listed") }),
			"type":     second(cache.ListObjects[*metav1.PartialObjectMetadata](indexer, "", labels.Everything())),
			"each": cache.EachObject(indexer, "", labels.Everything(), func(*metav1.PartialObjectMetadata) bool {
				t.Error("an object of another type")
				return true
			}),
			"generic": second(cache.NewGenericLister(indexer, schema.GroupResource{}).List(labels.Everything())),
			"get":     second(cache.NewGenericLister(indexer, schema.GroupResource{}).Get("a/plain")),
		} {
			if err == nil {
				t.Errorf("%s: no error for the %s", kind, what)
			}
		}
		if err := cache.ListAll(indexer, labels.Everything(), func(any) {}); err != nil {
			t.Errorf("%s: everything: %v", kind, err)
		}
	}
}

// TestEachObject ends the loop early, and changes the indexer in it: the loop is as of its beginning.
func TestEachObject(t *testing.T) {
	type object = metav1.PartialObjectMetadata
	var objects []any
	for i := range 1500 {
		objects = append(objects, labeled([]string{"a", "b"}[i%2], fmt.Sprint(i), "red"))
	}
	for kind, indexer := range indexersOf(t, objects...) {
		for _, namespace := range []string{"", "a"} {
			n := 0
			if err := cache.EachObject(indexer, namespace, labels.Everything(), func(*object) bool {
				n++
				return n < 3
			}); n != 3 || err != nil {
				t.Errorf("%s: %d calls after false, %v", kind, n-3, err)
			}
		}
		seen := map[string]bool{}
		err := cache.EachObject(indexer, "a", selector(t, "color=red"), func(o *object) bool {
			if seen[o.Name] || o.Labels["color"] != "red" || o.Namespace != "a" {
				t.Errorf("%s: saw %s %s twice, or from another moment", kind, o.Labels["color"], o.Name)
			}
			if len(seen) == 0 {
				for i := range 1000 {
					_ = indexer.Delete(objects[i])
					_ = indexer.Update(labeled("a", fmt.Sprint(2*i), "blue"))
				}
			}
			seen[o.Name] = true
			return true
		})
		if len(seen) != 750 || err != nil {
			t.Errorf("%s: saw %d objects, want 750: %v", kind, len(seen), err)
		}
	}
}

func TestEachObjectAllocatesNothing(t *testing.T) {
	var objects []any
	for i := range 1500 {
		objects = append(objects, labeled("a", fmt.Sprint(i), "red"))
	}
	red := selector(t, "color=red")
	indexer := indexersOf(t, objects...)["ours"]
	n := 0
	count := func(*metav1.PartialObjectMetadata) bool {
		n++
		return true
	}
	for name, each := range map[string]func() error{
		"all":         func() error { return cache.EachObject(indexer, "", labels.Everything(), count) },
		"a namespace": func() error { return cache.EachObject(indexer, "a", labels.Everything(), count) },
		"selected":    func() error { return cache.EachObject(indexer, "a", red, count) },
	} {
		if got := testing.AllocsPerRun(10, func() { _ = each() }); got != 0 || n == 0 {
			t.Errorf("%s: %v allocations for %d objects", name, got, n)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestGenericListerGet(t *testing.T) {
	for kind, indexer := range indexersOf(t, named("a", "1"), named("", "2")) {
		lister := cache.NewGenericLister(indexer, schema.GroupResource{Group: "g", Resource: "things"})
		for name, get := range map[string]func() (runtime.Object, error){
			"by key":       func() (runtime.Object, error) { return lister.Get("a/1") },
			"cluster":      func() (runtime.Object, error) { return lister.Get("2") },
			"of namespace": func() (runtime.Object, error) { return lister.ByNamespace("a").Get("1") },
		} {
			if obj, err := get(); obj == nil || err != nil {
				t.Errorf("%s: %s: the lister returns %v and %v, want the object", kind, name, obj, err)
			}
		}
		for name, err := range map[string]error{
			"other namespace": second(lister.ByNamespace("b").Get("1")),
			"no namespace":    second(lister.Get("1")),
		} {
			if !errors.IsNotFound(err) || err.Error() != `things.g "1" not found` {
				t.Errorf("%s: %s: got %v", kind, name, err)
			}
		}
	}
}

func TestTypedIndexer(t *testing.T) {
	for kind, indexer := range indexersOf(t, labeled("a", "1", "red"), labeled("a", "2", "blue"), labeled("b", "1", "red")) {
		t.Run(kind, func(t *testing.T) {
			informer := cache.NewSharedIndexInformer(nil, &metav1.PartialObjectMetadata{}, 0, nil)
			typed := cache.NewTypedSharedIndexInformer[*metav1.PartialObjectMetadata](indexerOnly{informer, indexer}).GetTypedIndexer()
			err := typed.AddTypedIndexers(cache.TypedIndexers[*metav1.PartialObjectMetadata]{
				"color": func(obj *metav1.PartialObjectMetadata) ([]string, error) { return []string{obj.Labels["color"]}, nil },
			})
			if err != nil {
				t.Fatal(err)
			}
			red, err := typed.ByTypedIndex("color", "red")
			if diff := cmp.Diff([]string{"a/1", "b/1"}, keysOf(red)); diff != "" || err != nil {
				t.Errorf("%v%s", err, diff)
			}
			blue, err := typed.TypedIndex("color", labeled("x", "y", "blue"))
			if diff := cmp.Diff([]string{"a/2"}, keysOf(blue)); diff != "" || err != nil {
				t.Errorf("%v%s", err, diff)
			}
			if _, err := typed.ByTypedIndex("size", "big"); err == nil {
				t.Error("no error for an index that does not exist")
			}
			if _, err := typed.TypedIndex("size", labeled("x", "y", "blue")); err == nil {
				t.Error("no error for an index that does not exist")
			}
			if list, err := cache.ListObjects[*metav1.PartialObjectMetadata](typed, "a", labels.Everything()); len(list) != 2 || err != nil {
				t.Errorf("through the typed indexer: %v, %v", list, err)
			}
		})
	}
}

// indexerOnly is a foreign informer with a given indexer.
type indexerOnly struct {
	cache.SharedIndexInformer
	indexer cache.Indexer
}

func (i indexerOnly) GetIndexer() cache.Indexer { return i.indexer }

func TestTypedIndexersToIndexers(t *testing.T) {
	f := cache.TypedIndexersToIndexers(cache.TypedIndexers[string]{"len": func(s string) ([]string, error) { return []string{s}, nil }})["len"]
	if values, err := f("x"); !slices.Equal(values, []string{"x"}) || err != nil {
		t.Errorf("got %v, %v", values, err)
	}
	if _, err := f(1); err == nil || err.Error() != "index function for string called with int" {
		t.Errorf("got %v", err)
	}
}

// listingSelector is a selector that lists when it is called.
type listingSelector struct {
	labels.Selector
	list func()
}

func (s listingSelector) Matches(l labels.Labels) bool {
	s.list()
	return s.Selector.Matches(l)
}

// TestListsAreTheCallers uses lists while others are created.
func TestListsAreTheCallers(t *testing.T) {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	for i := range 20 {
		_ = indexer.Add(&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			Namespace: "space", Name: fmt.Sprint(i), Labels: map[string]string{"odd": fmt.Sprint(i%2 == 1)},
		}})
	}
	list := func(selector labels.Selector) []*metav1.PartialObjectMetadata {
		objects, err := cache.ListObjects[*metav1.PartialObjectMetadata](indexer, "space", selector)
		if err != nil {
			t.Fatal(err)
		}
		return objects
	}
	odd := labels.SelectorFromSet(labels.Set{"odd": "true"})
	first := list(odd)
	outer := list(listingSelector{odd, func() {
		if inner := list(odd); !slices.Equal(inner, first) {
			t.Errorf("listed %d", len(inner))
		}
		clear(list(odd))
	}})
	if len(first) != 10 || !slices.Equal(outer, first) || slices.Contains(first, nil) {
		t.Errorf("listed %v, then %v", first, outer)
	}
}
