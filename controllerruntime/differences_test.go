package controllerruntime_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	theircache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/clientgo"
	"github.com/listwatch/listwatch/controllerruntime"
	ours "github.com/listwatch/listwatch/runtime/cache"
)

// onBoth runs a test with controller-runtime's cache and with ours.
func onBoth(t *testing.T, f func(t *testing.T, newCache cache.NewCacheFunc)) {
	t.Run("controller-runtime", func(t *testing.T) { f(t, cache.New) })
	t.Run("listwatch", func(t *testing.T) { f(t, controllerruntime.NewCache) })
}

func startWith(t *testing.T, newCache cache.NewCacheFunc, config *rest.Config, opts cache.Options) cache.Cache {
	t.Helper()
	c, err := newCache(config, opts)
	if err != nil {
		t.Fatal(err)
	}
	run(t, c)
	return c
}

// unstarted returns a cache that has not started. At the end of the test it starts and stops, so that the name of its informers in
// metrics is free.
func unstarted(t *testing.T, newCache cache.NewCacheFunc, config *rest.Config, opts cache.Options) cache.Cache {
	t.Helper()
	c, err := newCache(config, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { startEnded(c) })
	return c
}

// startEnded starts a cache with a context that has ended. A cache that has already started returns an error.
func startEnded(c cache.Cache) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	_ = c.Start(ended)
}

// Raw options of reads, which are for servers, have no effect on reads of the cache.
func TestRawOptions(t *testing.T) {
	onBoth(t, func(t *testing.T, newCache cache.NewCacheFunc) {
		_, config, _ := fleet(t, "bay/a")
		c := startWith(t, newCache, config, cache.Options{})
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		name := client.ObjectKey{Namespace: "bay", Name: "a"}
		for _, version := range []string{"0", "1000000", "x"} {
			if err := c.Get(ctx, name, &corev1.ConfigMap{}, &client.GetOptions{Raw: &metav1.GetOptions{ResourceVersion: version}}); err != nil {
				t.Errorf("Get at %s: %v", version, err)
			}
			for _, match := range []metav1.ResourceVersionMatch{"", metav1.ResourceVersionMatchExact} {
				raw := &metav1.ListOptions{ResourceVersion: version, ResourceVersionMatch: match}
				if err := c.List(ctx, &corev1.ConfigMapList{}, &client.ListOptions{Raw: raw}); err != nil {
					t.Errorf("List at %s, match %q: %v", version, match, err)
				}
			}
		}
	})
}

// A second field needs an index only if the first selects objects.
func TestSecondFieldWithoutIndex(t *testing.T) {
	onBoth(t, func(t *testing.T, newCache cache.NewCacheFunc) {
		_, config, _ := fleet(t, "bay/a", "bay/b")
		c := startWith(t, newCache, config, cache.Options{})
		index := func(field string, f client.IndexerFunc) {
			if err := c.IndexField(t.Context(), &corev1.ConfigMap{}, field, f); err != nil {
				t.Fatal(err)
			}
		}
		index("name", func(obj client.Object) []string { return []string{obj.GetName()} })
		index("namespace", func(obj client.Object) []string { return []string{obj.GetNamespace()} })
		for selector, want := range map[string]string{
			"name=a,namespace=bay":            "bay/a",
			"name=c,unknown=x":                "",
			"name=a,unknown=x":                "index with name field:unknown does not exist",
			"name=a,namespace=sea,zunknown=x": "",
			"unknown=x,zname=c":               "Index with name field:unknown does not exist",
		} {
			var list corev1.ConfigMapList
			err := c.List(t.Context(), &list, client.MatchingFieldsSelector{Selector: fields.ParseSelectorOrDie(selector)})
			got := strings.Join(keys(&list), " ")
			if err != nil {
				got = err.Error()
			}
			equal(t, selector, got, want)
		}
	})
}

// The handler of errors gets a reflector whose type is controller-runtime's.
func TestReflectorOfErrors(t *testing.T) {
	types := map[string][]string{}
	for name, newCache := range map[string]cache.NewCacheFunc{"theirs": cache.New, "ours": controllerruntime.NewCache} {
		srv, _, _ := fleet(t, "bay/a")
		for _, form := range []string{"", "unstructured", "metadata"} {
			failed := make(chan string, 1)
			busy := srv.Faults().Inject(embedded.Rule{Match: embedded.Match{Resource: "configmaps"}, Error: apierrors.NewBadRequest("broken"), Times: 2})
			ctx, cancel := context.WithCancel(t.Context())
			c, err := newCache(clientgo.ToConfig(srv.Config()), cache.Options{DefaultWatchErrorHandler: func(_ context.Context, r *theircache.Reflector, _ error) {
				select {
				case failed <- r.TypeDescription():
				default:
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.GetInformer(ctx, inForm(form), cache.BlockUntilSynced(false)); err != nil {
				t.Fatal(err)
			}
			var running sync.WaitGroup
			running.Go(func() { _ = c.Start(ctx) })
			types[name] = append(types[name], <-failed)
			cancel()
			running.Wait()
			busy.Remove()
		}
	}
	equal(t, "types", types["ours"], types["theirs"])
}

// A read that ends before its informer, which it has created, has sent a request: the error does not call it never started.
func TestReadOfInformerThatStarts(t *testing.T) {
	srv, config, _ := fleet(t)
	for _, verb := range []string{"list", "watch"} {
		held := srv.Faults().Inject(embedded.Rule{Match: embedded.Match{Verb: verb}, Delay: time.Hour})
		defer held.Remove()
	}
	c := start(t, config, cache.Options{})
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("out of patience"))
	for _, list := range []client.ObjectList{&corev1.ConfigMapList{}, &corev1.SecretList{}, &corev1.PodList{}, &corev1.ServiceList{}} {
		if err := c.List(ended, list); err == nil || strings.Contains(err.Error(), "never started") || !strings.Contains(err.Error(), "out of patience") {
			t.Errorf("error %v", err)
		}
	}
}

// A handler has the name of the program's functions in states.
func TestNamesOfHandlers(t *testing.T) {
	_, config, _ := fleet(t, "bay/a")
	c := start(t, config, cache.Options{})
	informer, err := c.GetInformer(t.Context(), &corev1.ConfigMap{})
	if err != nil {
		t.Fatal(err)
	}
	funcs := theircache.ResourceEventHandlerFuncs{AddFunc: func(any) {}}
	for _, handler := range []theircache.ResourceEventHandler{
		funcs, theircache.ResourceEventHandlerDetailedFuncs{AddFunc: func(any, bool) {}},
		theircache.FilteringResourceEventHandler{FilterFunc: func(any) bool { return true }, Handler: funcs}, &counter{},
	} {
		if _, err := informer.AddEventHandler(handler); err != nil {
			t.Fatal(err)
		}
	}
	var names []string
	for _, one := range ours.All() {
		if state := ours.StateOf(one); strings.HasSuffix(state.Owner, config.Host) {
			for _, h := range state.Handlers {
				names = append(names, h.Name[strings.LastIndexByte(h.Name, '/')+1:])
			}
		}
	}
	slices.Sort(names)
	equal(t, "names", names, []string{
		"controllerruntime_test.TestNamesOfHandlers", "controllerruntime_test.TestNamesOfHandlers", "controllerruntime_test.TestNamesOfHandlers",
		"controllerruntime_test.counter",
	})
}

type counter struct {
	theircache.ResourceEventHandlerFuncs
}

// A cache that is cancelled before its informers have synced logs no errors, which a deadline that passes does.
func TestCancelLogsNoErrors(t *testing.T) {
	srv, config, _ := fleet(t, "bay/a")
	held := srv.Faults().Inject(embedded.Rule{Match: embedded.Match{Resource: "configmaps"}, Delay: time.Hour})
	defer held.Remove()
	var mu sync.Mutex // guards lines
	var lines []string
	defer controllerruntime.ReplaceLogger(funcr.New(func(_, args string) {
		mu.Lock()
		defer mu.Unlock()
		if strings.Contains(args, `"error"=`) {
			lines = append(lines, args)
		}
	}, funcr.Options{}))()
	for _, test := range []struct {
		name   string
		cause  error
		errors int
	}{
		{"canceled", context.Canceled, 0},
		{"deadline exceeded", context.DeadlineExceeded, 1},
	} {
		c, err := controllerruntime.NewCache(config, cache.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.GetInformer(t.Context(), &corev1.ConfigMap{}); err != nil {
			t.Fatal(err)
		}
		running, stop := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { _ = c.Start(running) })
		ctx, cancel := context.WithCancelCause(t.Context())
		waited := make(chan struct{})
		wg.Go(func() {
			defer close(waited)
			if c.WaitForCacheSync(ctx) {
				t.Error("it has synced")
			}
		})
		time.Sleep(lag) // so that it waits; a wait that begins later ends the same way
		cancel(test.cause)
		<-waited // before the cache stops, which also ends it
		stop()
		wg.Wait()
		mu.Lock()
		if len(lines) != test.errors {
			t.Errorf("%s: errors %q are logged", test.name, lines)
		}
		lines = nil
		mu.Unlock()
	}
}

// Objects that handlers and readers change stay as they are for others, in JSON and in protobuf, also if they have equal
// parts. In controller-runtime's cache, such a change affects at most the one object.
func TestChangedByHandlers(t *testing.T) {
	yes := true
	for _, unsafe := range []*bool{nil, &yes} {
		_, config, _ := fleet(t, "bay/a", "bay/b", "sea/a", "sea/b")
		c := start(t, config, cache.Options{DefaultUnsafeDisableDeepCopy: unsafe})
		for _, form := range []string{"", "unstructured", "metadata"} {
			informer, err := c.GetInformer(t.Context(), inForm(form))
			if err != nil {
				t.Fatal(err)
			}
			var calls sync.WaitGroup
			calls.Add(4)
			if _, err := informer.AddEventHandler(theircache.ResourceEventHandlerFuncs{AddFunc: func(obj any) {
				if object := obj.(client.Object); object.GetNamespace() == "bay" {
					labels := object.GetLabels() // the map itself, except of an untyped object
					labels["changed"] = "by a handler"
					object.SetLabels(labels)
				}
				calls.Done()
			}}); err != nil {
				t.Fatal(err)
			}
			calls.Wait()
			for _, namespace := range []string{"bay", "sea"} {
				read := inForm(form)
				if err := c.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: "a"}, read); err != nil {
					t.Fatal(err)
				}
				if changed := read.GetLabels()["changed"] != ""; changed != (unsafe != nil && namespace == "bay") {
					t.Errorf("without copies: %v, %s, as %q: labels %v", unsafe != nil, namespace, form, read.GetLabels())
				}
			}
		}
	}
}

// What is wrong with a read is found in controller-runtime's order: an unknown kind, an unknown namespace, a missing informer,
// a cache that has not started.
func TestOrderOfErrors(t *testing.T) {
	onBoth(t, func(t *testing.T, newCache cache.NewCacheFunc) {
		_, config, _ := fleet(t, "bay/a")
		unknown := &unstructured.Unstructured{}
		unknown.SetGroupVersionKind(web.WithKind("Ship"))
		for _, test := range []struct {
			strict, started bool
			in              []string // namespaces of the cache
			read            client.Object
			namespace       string
			want            string
		}{
			{false, false, []string{"bay"}, inForm(""), "sea", "unknown namespace"},
			{true, false, []string{"bay"}, inForm(""), "sea", "unknown namespace"},
			{true, true, []string{"bay"}, inForm(""), "sea", "unknown namespace"},
			{true, true, []string{"bay"}, inForm(""), "bay", "not cached"},
			{false, false, []string{"bay"}, inForm(""), "bay", "not started"},
			{true, true, []string{"bay"}, unknown, "sea", "no match"},
			{true, true, nil, unknown, "sea", "not cached"},
			{false, true, nil, unknown, "sea", "no match"},
		} {
			opts := cache.Options{ReaderFailOnMissingInformer: test.strict}
			for _, namespace := range test.in {
				opts.DefaultNamespaces = map[string]cache.Config{namespace: {}}
			}
			c := unstarted(t, newCache, config, opts)
			if test.started {
				run(t, c)
			}
			list := &unstructured.UnstructuredList{}
			gvk, err := apiutil.GVKForObject(test.read, scheme.Scheme)
			if err != nil {
				t.Fatal(err)
			}
			list.SetGroupVersionKind(gvk)
			for what, failed := range map[string]error{
				"Get":  c.Get(t.Context(), client.ObjectKey{Namespace: test.namespace, Name: "a"}, test.read.DeepCopyObject().(client.Object)),
				"List": c.List(t.Context(), list, client.InNamespace(test.namespace)),
			} {
				got := errorKind(failed)
				if strings.Contains(got, "unknown namespace") {
					got = "unknown namespace"
				}
				equal(t, fmt.Sprintf("%s, %+v", what, test), got, test.want)
			}
		}
	})
}

// A list cannot be continued, whatever else is wrong with it, if its kind has namespaces in the options.
func TestOrderOfContinue(t *testing.T) {
	onBoth(t, func(t *testing.T, newCache cache.NewCacheFunc) {
		_, config, _ := fleet(t)
		unknown := &unstructured.UnstructuredList{}
		unknown.SetGroupVersionKind(web.WithKind("Ship"))
		bay := map[string]cache.Config{"bay": {}}
		const continued = "continue list option is not supported by the cache"
		for name, test := range map[string]struct {
			opts cache.Options
			list client.ObjectList
			want string
		}{
			"all namespaces":                    {cache.Options{}, &corev1.ConfigMapList{}, "not started"},
			"namespaces, unknown":               {cache.Options{DefaultNamespaces: bay}, unknown, continued},
			"namespaces":                        {cache.Options{DefaultNamespaces: bay}, &corev1.ConfigMapList{}, continued},
			"namespaces of others":              {cache.Options{DefaultNamespaces: bay}, &corev1.NodeList{}, continued},
			"namespaces of others, its options": {cache.Options{DefaultNamespaces: bay, ByObject: map[client.Object]cache.ByObject{&corev1.Node{}: {}}}, &corev1.NodeList{}, "not started"},
		} {
			c := unstarted(t, newCache, config, test.opts)
			equal(t, name, errorKind(c.List(t.Context(), test.list, client.Continue("x"))), test.want)
		}
	})
}

// An unknown kind cannot be removed from a cache of some namespaces.
func TestRemoveUnknownKind(t *testing.T) {
	onBoth(t, func(t *testing.T, newCache cache.NewCacheFunc) {
		_, config, _ := fleet(t)
		unknown := &unstructured.Unstructured{}
		unknown.SetGroupVersionKind(web.WithKind("Ship"))
		for namespace, want := range map[string]string{"": "ok", "bay": "no match"} {
			opts := cache.Options{}
			if namespace != "" {
				opts.DefaultNamespaces = map[string]cache.Config{namespace: {}}
			}
			c := startWith(t, newCache, config, opts)
			equal(t, namespace, errorKind(c.RemoveInformer(t.Context(), unknown)), want)
		}
	})
}

// A Get without a namespace does not wait for the namespaces that have their own settings.
func TestGetWithoutNamespace(t *testing.T) {
	onBoth(t, func(t *testing.T, newCache cache.NewCacheFunc) {
		srv, config, _ := fleet(t, "bay/a")
		slow := srv.Faults().Inject(embedded.Rule{Match: embedded.Match{Namespace: "bay"}, Delay: time.Hour})
		defer slow.Remove()
		c := startWith(t, newCache, config, cache.Options{DefaultNamespaces: map[string]cache.Config{"": {}, "bay": {}}})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		equal(t, "error", errorKind(c.Get(ctx, client.ObjectKey{Name: "a"}, inForm(""))), "not found")
	})
}

// Without bookmarks, the cache lists. controller-runtime's waits for the bookmark that ends a list by watch.
func TestWithoutBookmarks(t *testing.T) {
	for name, test := range map[string]struct {
		newCache cache.NewCacheFunc
		want     string
	}{"controller-runtime": {cache.New, "not synced"}, "listwatch": {controllerruntime.NewCache, "ok"}} {
		t.Run(name, func(t *testing.T) {
			_, config, _ := fleet(t, "bay/a")
			no := false
			c := startWith(t, test.newCache, config, cache.Options{DefaultEnableWatchBookmarks: &no})
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			if test.want != "ok" {
				ctx, cancel = context.WithTimeout(t.Context(), impatience)
				defer cancel()
			}
			equal(t, "error", errorKind(c.List(ctx, listInForm(""))), test.want)
		})
	}
}

// A read without copies is one also if the kind has no namespaces and the cache has. controller-runtime's copies then.
func TestUncopiedGet(t *testing.T) {
	for name, test := range map[string]struct {
		newCache cache.NewCacheFunc
		shared   bool
	}{"controller-runtime": {cache.New, false}, "listwatch": {controllerruntime.NewCache, true}} {
		t.Run(name, func(t *testing.T) {
			_, config, _ := fleet(t, "bay/a")
			c := startWith(t, test.newCache, config, cache.Options{DefaultNamespaces: map[string]cache.Config{"bay": {}}})
			var first, second corev1.Namespace
			for _, into := range []*corev1.Namespace{&first, &second} {
				if err := c.Get(t.Context(), client.ObjectKey{Name: "bay"}, into, client.UnsafeDisableDeepCopy); err != nil {
					t.Fatal(err)
				}
			}
			first.Labels["changed"] = "yes"
			equal(t, "shared", second.Labels["changed"] == "yes", test.shared)
		})
	}
}

// Reads go on when the definition of their kind is deleted. With namespaces, controller-runtime's cache fails as soon as its
// mapper has noticed that.
func TestReadsWithoutDefinition(t *testing.T) {
	for name, test := range map[string]struct {
		newCache cache.NewCacheFunc
		want     string
	}{"controller-runtime": {cache.New, "no match"}, "listwatch": {controllerruntime.NewCache, "ok"}} {
		t.Run(name, func(t *testing.T) {
			srv, config, direct := fleet(t, "bay/a")
			crd := shipCRD()
			if err := srv.Apply(t.Context(), crd); err != nil {
				t.Fatal(err)
			}
			c := startWith(t, test.newCache, config, cache.Options{DefaultNamespaces: map[string]cache.Config{"bay": {}}})
			ships := &unstructured.UnstructuredList{}
			ships.SetGroupVersionKind(schema.GroupVersionKind{Group: crd.Spec.Group, Version: "v1", Kind: "ShipList"})
			if err := c.List(t.Context(), ships); err != nil {
				t.Fatal(err)
			}
			definition := &unstructured.Unstructured{}
			definition.SetGroupVersionKind(schema.GroupVersionKind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"})
			definition.SetName(crd.Name)
			if err := direct.Delete(t.Context(), definition); err != nil {
				t.Fatal(err)
			}
			other := &unstructured.Unstructured{}
			other.SetGroupVersionKind(schema.GroupVersionKind{Group: crd.Spec.Group, Version: "v1", Kind: "Boat"})
			for deadline := time.Now().Add(patience); ; time.Sleep(lag) { // until the server does not serve it
				if err := c.Get(t.Context(), client.ObjectKey{Namespace: "bay", Name: "a"}, other); !meta.IsNoMatchError(err) {
					t.Fatal(err)
				}
				got := errorKind(c.List(t.Context(), ships))
				if got == test.want && (got != "ok" || errorKind(direct.List(t.Context(), ships.DeepCopy())) != "ok") {
					return
				}
				if time.Now().After(deadline) {
					t.Fatalf("error %s, want %s", got, test.want)
				}
			}
		})
	}
}

// WaitForCacheSync waits for all namespaces of a kind of which one was read. In controller-runtime's cache, each has an
// informer, which a read of the namespace creates.
func TestWaitForSyncOfAllNamespaces(t *testing.T) {
	for name, test := range map[string]struct {
		newCache cache.NewCacheFunc
		synced   bool
	}{"controller-runtime": {cache.New, true}, "listwatch": {controllerruntime.NewCache, false}} {
		t.Run(name, func(t *testing.T) {
			srv, _, admin := fleet(t, "bay/a", "sea/a")
			allow(t, admin, "bay", "list", "watch")
			c := startWith(t, test.newCache, clientgo.ToConfig(srv.ConfigFor("sailor")), cache.Options{
				Mapper: admin.RESTMapper(), DefaultNamespaces: map[string]cache.Config{"bay": {}, "sea": {}},
			})
			if err := c.Get(t.Context(), client.ObjectKey{Namespace: "bay", Name: "a"}, inForm("")); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), impatience)
			defer cancel()
			equal(t, "synced", c.WaitForCacheSync(ctx), test.synced)
		})
	}
}
