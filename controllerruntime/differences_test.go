package controllerruntime_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	theircache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/listwatch/listwatch/apitest"
	"github.com/listwatch/listwatch/clientgo"
	"github.com/listwatch/listwatch/controllerruntime"
	ours "github.com/listwatch/listwatch/runtime/cache"
)

// onBoth runs a test with controller-runtime's cache and with ours.
func onBoth(t *testing.T, f func(t *testing.T, newCache cache.NewCacheFunc)) {
	t.Run("controller-runtime", func(t *testing.T) { f(t, cache.New) })
	t.Run("listwatch", func(t *testing.T) { f(t, controllerruntime.NewCache) })
}

func startWith(t *testing.T, newCache cache.NewCacheFunc, srv *apitest.Server, opts cache.Options) cache.Cache {
	t.Helper()
	c, err := newCache(clientgo.ToConfig(srv.Config()), opts)
	if err != nil {
		t.Fatal(err)
	}
	run(t, c)
	return c
}

// Raw options of reads, which are for servers, have no effect on reads of the cache.
func TestRawOptions(t *testing.T) {
	onBoth(t, func(t *testing.T, newCache cache.NewCacheFunc) {
		srv, _, _ := fleet(t, "bay/a")
		c := startWith(t, newCache, srv, cache.Options{})
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
		srv, _, _ := fleet(t, "bay/a", "bay/b")
		c := startWith(t, newCache, srv, cache.Options{})
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
			busy := srv.Faults().Inject(apitest.Rule{Match: apitest.Match{Resource: "configmaps"}, Error: apierrors.NewBadRequest("broken"), Times: 2})
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
		held := srv.Faults().Inject(apitest.Rule{Match: apitest.Match{Verb: verb}, Delay: time.Hour})
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
	held := srv.Faults().Inject(apitest.Rule{Match: apitest.Match{Resource: "configmaps"}, Delay: time.Hour})
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
