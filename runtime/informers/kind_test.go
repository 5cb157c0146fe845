package informers_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/informers"
)

// The types that generated code declares for a kind.
type (
	boatInformer      informers.Informer[boatLister]
	typedBoatInformer informers.TypedInformer[boatIndexInformer, boatLister]
	boatIndexInformer cache.TypedSharedIndexInformer[*object]

	boatLister struct{ indexer cache.Indexer }
	boatKind   = informers.Kind[*object, boatIndexInformer, boatLister, *server]
)

// kindOf returns the kind of boats.
func kindOf(cluster bool) *boatKind {
	return &boatKind{
		Example:  &object{},
		Resource: boats,
		Cluster:  cluster,
		Lister:   func(indexer cache.Indexer) boatLister { return boatLister{indexer} },
		ListWatch: func(s *server, namespace string, tweak informers.Tweak) cache.ListerWatcher {
			return cache.ListWatchFor(client{s, namespace}, tweak)
		},
	}
}

// clientFactory is a factory as generated code declares it.
type clientFactory struct {
	*informers.Factory
	server *server
}

func (f *clientFactory) InformerFor(obj runtime.Object, newFunc func(*server, time.Duration) cache.SharedIndexInformer) cache.SharedIndexInformer {
	return f.Factory.InformerFor(obj, func(resync time.Duration) cache.SharedIndexInformer { return newFunc(f.server, resync) })
}

// namespacesOf returns the namespaces that a server was asked to list, and their label selectors.
func namespacesOf(s *server) (namespaces, selectors []string) {
	for _, r := range s.lists() {
		namespaces = append(namespaces, r.namespace)
		selectors = append(selectors, r.options.LabelSelector)
	}
	slices.Sort(namespaces)
	return namespaces, slices.Compact(selectors)
}

// TestKindNew creates informers that belong to no factory.
func TestKindNew(t *testing.T) {
	selected := func(o *metav1.ListOptions) { o.LabelSelector = "a=b" }
	for _, c := range []struct {
		name       string
		cluster    bool
		namespace  string
		options    informers.Options
		namespaces []string
		keys       []string
	}{
		{name: "all namespaces", namespaces: []string{""}, keys: []string{"a/one", "b/two"}},
		{name: "a namespace", namespace: "a", namespaces: []string{"a"}, keys: []string{"a/one"}},
		{name: "namespaces of options", namespace: "a", options: informers.Options{Namespaces: []string{"b", "c"}}, namespaces: []string{"b", "c"}, keys: []string{"b/two"}},
		{name: "cluster", cluster: true, namespace: "a", namespaces: []string{""}, keys: []string{"a/one", "b/two"}},
		{name: "cluster with namespaces", cluster: true, options: informers.Options{Namespaces: []string{"a"}}, namespaces: []string{""}, keys: []string{"a/one", "b/two"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{objects: slices.Concat(named("a", "one"), named("b", "two"))}
				c.options.TweakListOptions = selected
				c.options.Indexers = cache.Indexers{"name": func(obj any) ([]string, error) { return []string{obj.(*object).Name}, nil }}
				informer := kindOf(c.cluster).New(s, c.namespace, c.options)
				var added []string
				if _, err := informer.AddTypedEventHandler(cache.TypedResourceEventHandlerFuncs[*object]{
					AddFunc: func(o *object) { added = append(added, o.Namespace+"/"+o.Name) },
				}); err != nil {
					t.Fatal(err)
				}
				if synctest.Wait(); !s.silent() {
					t.Error("there are requests before the informer runs")
				}
				go informer.RunWithContext(t.Context())
				synctest.Wait()
				if slices.Sort(added); !slices.Equal(added, c.keys) || !slices.Equal(keys(informer), c.keys) {
					t.Errorf("added %q, stored %q, want %q", added, keys(informer), c.keys)
				}
				namespaces, selectors := namespacesOf(s)
				if !slices.Equal(namespaces, c.namespaces) || !slices.Equal(selectors, []string{"a=b"}) {
					t.Errorf("listed %q with %q, want %q", namespaces, selectors, c.namespaces)
				}
				two, err := informer.GetTypedIndexer().ByTypedIndex("name", "two")
				if err != nil || (len(two) == 1) != slices.Contains(c.keys, "b/two") {
					t.Errorf("by index: %v, %v", two, err)
				}
			})
		})
	}
}

// TestKindIn gets the informer of a factory, typed and not.
func TestKindIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{objects: slices.Concat(named("a", "one"), named("b", "two"))}
		f := &clientFactory{informers.NewFactoryWith(time.Hour, []informers.FactoryOption{
			informers.WithTypeOptions(&object{}, informers.Options{LabelSelector: labels.SelectorFromSet(labels.Set{"a": "b"})}),
		}), s}
		kind := kindOf(false)
		access := kind.In(f, "a", nil)
		var _ typedBoatInformer = access
		informer := access.TypedInformer()
		if untyped := access.Informer(); any(untyped) != any(informer) {
			t.Error("the typed informer is not the informer")
		}
		if again := kind.In(f, "a", nil).TypedInformer(); again != informer {
			t.Error("the factory has two informers of a kind")
		}
		if synctest.Wait(); !s.silent() {
			t.Error("there are requests before the factory starts")
		}
		f.StartWithContext(t.Context())
		if err := f.WaitForCacheSyncWithContext(t.Context()).AsError(); err != nil {
			t.Fatal(err)
		}
		lister := access.Lister()
		if got := keys(informer); !slices.Equal(got, []string{"a/one"}) || !slices.Equal(lister.indexer.ListKeys(), got) {
			t.Errorf("stored %q, listed %q", got, lister.indexer.ListKeys())
		}
		if _, err := lister.indexer.ByIndex(cache.NamespaceIndex, "a"); err != nil {
			t.Error(err)
		}
		if namespaces, selectors := namespacesOf(s); !slices.Equal(namespaces, []string{"a"}) || !slices.Equal(selectors, []string{"a=b"}) {
			t.Errorf("listed %q with %q", namespaces, selectors)
		}
	})
}

// TestFactoryOptions creates factories with each option that generated code has, and looks at
// what their informers list and deliver.
func TestFactoryOptions(t *testing.T) {
	for _, c := range []struct {
		name       string
		option     informers.FactoryOption
		namespaces []string
		selector   string
		stored     []string
		updates    int // in an hour and a half
	}{
		{name: "namespace", option: informers.WithNamespace("a"), namespaces: []string{"a"}, stored: []string{"a/one"}, updates: 1},
		{name: "namespaces", option: informers.WithNamespaces("b", "c"), namespaces: []string{"b", "c"}, stored: []string{"b/two"}, updates: 1},
		{name: "tweak", option: informers.WithTweakListOptions(func(o *metav1.ListOptions) { o.LabelSelector = "a=b" }),
			namespaces: []string{""}, selector: "a=b", stored: []string{"a/one", "b/two"}, updates: 2},
		{name: "transform", option: informers.WithTransform(func(o any) (any, error) {
			changed := o.(*object).DeepCopy()
			changed.Labels = map[string]string{"changed": "yes"}
			return changed, nil
		}), namespaces: []string{""}, stored: []string{"a/one changed", "b/two changed"}, updates: 2},
		{name: "resync", option: informers.WithCustomResyncConfig(map[metav1.Object]time.Duration{&object{}: 40 * time.Minute}),
			namespaces: []string{""}, stored: []string{"a/one", "b/two"}, updates: 4},
		{name: "resync of another type", option: informers.WithCustomResyncConfig(map[metav1.Object]time.Duration{&other{}: time.Minute}),
			namespaces: []string{""}, stored: []string{"a/one", "b/two"}, updates: 2},
		{name: "type", option: informers.WithTypeOptions(&object{}, informers.Options{Namespaces: []string{"a"}}),
			namespaces: []string{"a"}, stored: []string{"a/one"}, updates: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{objects: slices.Concat(named("a", "one"), named("b", "two"))}
				f := &clientFactory{informers.NewFactoryWith(time.Hour, []informers.FactoryOption{c.option}), s}
				informer := kindOf(false).In(f, f.Namespace(), f.Tweak()).TypedInformer()
				updates := 0
				if _, err := informer.AddTypedEventHandler(cache.TypedResourceEventHandlerFuncs[*object]{
					UpdateFunc: func(_, _ *object) { updates++ },
				}); err != nil {
					t.Fatal(err)
				}
				f.Start(t.Context().Done())
				time.Sleep(90 * time.Minute)
				synctest.Wait()
				namespaces, selectors := namespacesOf(s)
				if !slices.Equal(namespaces, c.namespaces) || !slices.Equal(selectors, []string{c.selector}) {
					t.Errorf("listed %q with %q", namespaces, selectors)
				}
				var stored []string
				for _, key := range keys(informer) {
					o, _, err := informer.GetStore().GetByKey(key)
					if err != nil {
						t.Fatal(err)
					}
					if o.(*object).Labels["changed"] != "" {
						key += " changed"
					}
					stored = append(stored, key)
				}
				if !slices.Equal(stored, c.stored) || updates != c.updates {
					t.Errorf("stored %q, want %q; %d updates, want %d", stored, c.stored, updates, c.updates)
				}
			})
		})
	}
}

// TestKindTyped makes informers typed that are not.
func TestKindTyped(t *testing.T) {
	s := &server{}
	kind := kindOf(false)
	f := &clientFactory{informers.NewFactoryWith(0, nil), s}
	access := kind.In(f, "", nil)
	if typed := kind.ToTyped(access); typed != access {
		t.Error("an informer that is typed is wrapped")
	}
	if index := kind.ToIndex(access.Informer()); index != access.TypedInformer() {
		t.Error("a shared informer that is typed is wrapped")
	}

	plain := cache.NewSharedIndexInformer(cache.ListWatchFor(client{s, ""}, nil), &object{}, 0, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	typed := kind.ToTyped(untyped{plain, boatLister{plain.GetIndexer()}})
	if typed.Informer() != plain || typed.Lister().indexer != plain.GetIndexer() {
		t.Error("the view is of another informer")
	}
	if err := plain.GetStore().Add(&named("a", "one")[0]); err != nil {
		t.Fatal(err)
	}
	for _, index := range []boatIndexInformer{typed.TypedInformer(), kind.ToIndex(plain)} {
		if got, err := index.GetTypedIndexer().ByTypedIndex(cache.NamespaceIndex, "a"); err != nil || len(got) != 1 || got[0].Name != "one" {
			t.Errorf("got %v, %v", got, err)
		}
	}
}

// untyped is a boatInformer as others write it.
type untyped struct {
	informer cache.SharedIndexInformer
	lister   boatLister
}

var _ boatInformer = untyped{}

func (u untyped) Informer() cache.SharedIndexInformer { return u.informer }

func (u untyped) Lister() boatLister { return u.lister }

// TestGeneric reads an informer's store without knowing the kind.
func TestGeneric(t *testing.T) {
	informer := kindOf(false).New(&server{}, "", informers.Options{Indexers: cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}})
	for _, o := range slices.Concat(named("a", "one"), named("b", "two")) {
		if err := informer.GetStore().Add(&o); err != nil {
			t.Fatal(err)
		}
	}
	generic := informers.Generic(boats, informer)
	if generic.Informer() != cache.SharedIndexInformer(informer) {
		t.Error("another informer")
	}
	all, err := generic.Lister().List(labels.Everything())
	if err != nil || len(all) != 2 {
		t.Errorf("got %v, %v", all, err)
	}
	one, err := generic.Lister().ByNamespace("a").Get("one")
	if err != nil || one.(*object).Name != "one" {
		t.Errorf("got %v, %v", one, err)
	}
	if _, err := generic.Lister().ByNamespace("a").Get("two"); !apierrors.IsNotFound(err) || err.Error() != `boats.harbour.example.com "two" not found` {
		t.Errorf("got %v", err)
	}
}
