package controllerruntime_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/clientgo"
	"github.com/listwatch/listwatch/controllerruntime"
	ours "github.com/listwatch/listwatch/runtime/cache"
)

var _ cache.NewCacheFunc = controllerruntime.NewCache

// fleet starts a server with config maps, and returns its config and a client without a cache.
func fleet(t *testing.T, keys ...string) (*embedded.Server, *rest.Config, client.Client) {
	t.Helper()
	srv := embedded.Start(t)
	config := clientgo.ToConfig(srv.Config())
	direct, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		create(t, direct, configMap(key))
	}
	return srv, config, direct
}

// configMap returns the config map of a key, which is its label, too.
func configMap(key string) *corev1.ConfigMap {
	namespace, name, _ := strings.Cut(key, "/")
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"name": name}},
		Data:       map[string]string{"namespace": namespace, "name": name},
	}
}

func create(t *testing.T, c client.Client, objects ...client.Object) {
	t.Helper()
	for _, object := range objects {
		if namespace := object.GetNamespace(); namespace != "" {
			err := c.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}})
			if err != nil && !apierrors.IsAlreadyExists(err) {
				t.Fatal(err)
			}
		}
		if err := c.Create(t.Context(), object); err != nil {
			t.Fatal(err)
		}
	}
}

// run runs a cache until the end of the test.
func run(t *testing.T, c cache.Cache) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- c.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	})
	if !c.WaitForCacheSync(t.Context()) {
		t.Fatal("the cache has not synced")
	}
}

// start creates a cache and runs it until the end of the test.
func start(t *testing.T, config *rest.Config, opts cache.Options) cache.Cache {
	t.Helper()
	c, err := controllerruntime.NewCache(config, opts)
	if err != nil {
		t.Fatal(err)
	}
	run(t, c)
	return c
}

// keys returns the sorted keys of a list of config maps.
func keys(list *corev1.ConfigMapList) []string {
	var out []string
	for _, item := range list.Items {
		out = append(out, item.Namespace+"/"+item.Name)
	}
	slices.Sort(out)
	return out
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// A manager with our cache reads what the server has.
func TestManager(t *testing.T) {
	_, config, _ := fleet(t)
	manager, err := ctrl.NewManager(config, ctrl.Options{
		NewCache: controllerruntime.NewCache,
		Metrics:  server.Options{BindAddress: "0"},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- manager.Start(ctx) }()
	defer func() {
		cancel()
		if err := <-stopped; err != nil {
			t.Error(err)
		}
	}()
	if !manager.GetCache().WaitForCacheSync(ctx) {
		t.Fatal("the cache has not synced")
	}
	written := configMap("default/a")
	create(t, manager.GetClient(), written)
	read := &corev1.ConfigMap{}
	if err := manager.GetClient().Get(ctx, client.ObjectKeyFromObject(written), read); err != nil {
		t.Fatal(err)
	}
	equal(t, "UID", read.UID, written.UID)
	read.Data["name"] = "changed"
	again := &corev1.ConfigMap{}
	if err := manager.GetClient().Get(ctx, client.ObjectKeyFromObject(written), again); err != nil {
		t.Fatal(err)
	}
	equal(t, "name after a change of a copy", again.Data["name"], "a")
}

// Each namespace has its own selectors, transform and copying; the empty one is of all others.
func TestNamespaces(t *testing.T) {
	_, config, _ := fleet(t, "bay/a", "bay/b", "sea/a", "sea/b", "lake/a", "lake/b")
	yes := true
	c := start(t, config, cache.Options{DefaultNamespaces: map[string]cache.Config{
		"bay": {LabelSelector: labels.SelectorFromSet(labels.Set{"name": "a"})},
		"sea": {Transform: func(obj any) (any, error) {
			obj.(*corev1.ConfigMap).Data["transformed"] = "yes"
			return obj, nil
		}},
		cache.AllNamespaces: {
			FieldSelector:         fields.OneTermEqualSelector("metadata.name", "b"),
			UnsafeDisableDeepCopy: &yes,
		},
	}})
	list := &corev1.ConfigMapList{}
	if err := c.List(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	equal(t, "all", keys(list), []string{"bay/a", "lake/b", "sea/a", "sea/b"})
	for _, item := range list.Items {
		equal(t, item.Namespace+" transformed", item.Data["transformed"] == "yes", item.Namespace == "sea")
		equal(t, item.Namespace+" has its kind", item.Kind == "ConfigMap", item.Namespace != "lake") // set in copies
	}
	if err := c.List(t.Context(), list, client.InNamespace("sea"), client.Limit(1)); err != nil {
		t.Fatal(err)
	}
	equal(t, "items with a limit", len(list.Items), 1)
	var a, b corev1.ConfigMap
	for _, one := range []*corev1.ConfigMap{&a, &b} {
		if err := c.Get(t.Context(), client.ObjectKey{Namespace: "lake", Name: "b"}, one); err != nil {
			t.Fatal(err)
		}
	}
	a.Data["shared"] = "yes"
	equal(t, "data of one that is not copied", b.Data["shared"], "yes")
	nodes := &corev1.NodeList{}
	if err := c.List(t.Context(), nodes); err != nil {
		t.Errorf("kind without namespaces: %v", err)
	}
}

// A read of a namespace that is not cached is an error.
func TestUnknownNamespace(t *testing.T) {
	_, config, _ := fleet(t, "bay/a", "sea/a")
	c := start(t, config, cache.Options{ByObject: map[client.Object]cache.ByObject{
		&corev1.ConfigMap{}: {Namespaces: map[string]cache.Config{"bay": {}}},
	}})
	if err := c.Get(t.Context(), client.ObjectKey{Namespace: "bay", Name: "a"}, &corev1.ConfigMap{}); err != nil {
		t.Error(err)
	}
	for what, err := range map[string]error{
		"get":  c.Get(t.Context(), client.ObjectKey{Namespace: "sea", Name: "a"}, &corev1.ConfigMap{}),
		"list": c.List(t.Context(), &corev1.ConfigMapList{}, client.InNamespace("sea")),
	} {
		if err == nil || !strings.Contains(err.Error(), "unknown namespace") {
			t.Errorf("%s: error %v, want that the namespace is unknown", what, err)
		}
	}
}

// A kind has an informer in each form; fields are indexes of one.
func TestForms(t *testing.T) {
	_, config, _ := fleet(t, "bay/a", "bay/b", "sea/a")
	c, err := controllerruntime.NewCache(config, cache.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"namespace", "name"} {
		err := c.IndexField(t.Context(), &corev1.ConfigMap{}, "data."+field, func(obj client.Object) []string {
			return []string{obj.(*corev1.ConfigMap).Data[field]}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := c.List(t.Context(), &corev1.ConfigMapList{}); !errors.As(err, new(*cache.ErrCacheNotStarted)) {
		t.Errorf("before the start: error %v", err)
	}
	run(t, c)
	kind := corev1.SchemeGroupVersion.WithKind("ConfigMap")
	untyped, partial := &unstructured.Unstructured{}, &metav1.PartialObjectMetadata{}
	for _, obj := range []client.Object{untyped, partial} {
		obj.GetObjectKind().SetGroupVersionKind(kind)
		if err := c.Get(t.Context(), client.ObjectKey{Namespace: "bay", Name: "b"}, obj); err != nil {
			t.Fatal(err)
		}
		equal(t, "kind", obj.GetObjectKind().GroupVersionKind(), kind)
		equal(t, "name", obj.GetName(), "b")
	}
	data, _, _ := unstructured.NestedString(untyped.Object, "data", "name")
	equal(t, "untyped data", data, "b")
	lists := &unstructured.UnstructuredList{}
	lists.SetGroupVersionKind(kind.GroupVersion().WithKind("ConfigMapList"))
	if err := c.List(t.Context(), lists, client.InNamespace("bay")); err != nil {
		t.Fatal(err)
	}
	equal(t, "untyped items", len(lists.Items), 2)

	for _, test := range []struct {
		selector string
		in       client.InNamespace
		want     []string
	}{
		{"data.name=a", "", []string{"bay/a", "sea/a"}},
		{"data.name=a", "sea", []string{"sea/a"}},
		{"data.name=a,data.namespace=bay", "", []string{"bay/a"}},
		{"data.name=a,data.namespace=lake", "", nil},
	} {
		list := &corev1.ConfigMapList{}
		selected := client.MatchingFieldsSelector{Selector: fields.ParseSelectorOrDie(test.selector)}
		if err := c.List(t.Context(), list, selected, test.in); err != nil {
			t.Fatal(err)
		}
		equal(t, test.selector, keys(list), test.want)
	}
	for selector, want := range map[string]string{
		"data.name!=a":                 "non-exact",
		"data.other=a":                 "data.other",
		"data.name=a,data.other=a":     "field:data.other does not exist",
		"data.name=a,data.namespace!=": "non-exact",
	} {
		err := c.List(t.Context(), &corev1.ConfigMapList{}, client.MatchingFieldsSelector{Selector: fields.ParseSelectorOrDie(selector)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", selector, err, want)
		}
	}
	if err := c.List(t.Context(), &corev1.ConfigMapList{}, client.Continue("x")); err == nil {
		t.Error("a list is continued")
	}
}

// An informer stops when it is removed, and a later one replaces it, also in metrics and on the debug page.
func TestRemoveInformer(t *testing.T) {
	_, config, _ := fleet(t, "bay/a")
	c := start(t, config, cache.Options{})
	for range 2 {
		informer, err := c.GetInformer(t.Context(), &corev1.ConfigMap{})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, one := range ours.All() {
			if state := ours.StateOf(one); strings.HasSuffix(state.Owner, config.Host) {
				found = append(found, state.Name+" "+state.Resource.Resource)
			}
		}
		equal(t, "informers", found, []string{"controller-runtime configmaps"})
		if err := c.RemoveInformer(t.Context(), &corev1.ConfigMap{}); err != nil {
			t.Fatal(err)
		}
		waitStopped(informer)
	}
	if err := c.RemoveInformer(t.Context(), &corev1.ConfigMap{}); err != nil {
		t.Errorf("removing none: %v", err)
	}
	if err := c.Start(t.Context()); err == nil {
		t.Error("the cache starts twice")
	}
}

// Reads of kinds without an informer fail if that is requested.
func TestReaderFailOnMissingInformer(t *testing.T) {
	_, config, _ := fleet(t, "bay/a")
	c := start(t, config, cache.Options{ReaderFailOnMissingInformer: true})
	missing := new(*cache.ErrResourceNotCached)
	if err := c.List(t.Context(), &corev1.ConfigMapList{}); !errors.As(err, missing) {
		t.Errorf("error %v, want that the kind is not cached", err)
	}
	if _, err := c.GetInformer(t.Context(), &corev1.ConfigMap{}); err != nil {
		t.Fatal(err)
	}
	if err := c.List(t.Context(), &corev1.ConfigMapList{}); err != nil {
		t.Error(err)
	}
}

// waitStopped waits until an informer has stopped. It has a connection, which synctest cannot contain.
func waitStopped(informer cache.Informer) {
	for !informer.IsStopped() {
		time.Sleep(time.Millisecond)
	}
}

// What all caches have in common is created once: managers of hundreds of clusters exist.
func TestCostOfCaches(t *testing.T) {
	config := &rest.Config{Host: "https://cluster.example.com"}
	opts := cache.Options{Mapper: meta.NewDefaultRESTMapper(nil), HTTPClient: http.DefaultClient}
	cost := func(newCache cache.NewCacheFunc) float64 {
		return testing.AllocsPerRun(10, func() {
			if _, err := newCache(config, opts); err != nil {
				t.Fatal(err)
			}
		})
	}
	if ours, theirs := cost(controllerruntime.NewCache), cost(cache.New); ours > 2*theirs {
		t.Errorf("a cache takes %v allocations, controller-runtime's %v", ours, theirs)
	}
}
