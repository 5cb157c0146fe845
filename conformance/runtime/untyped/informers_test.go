package untyped_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	theirdynamic "k8s.io/client-go/dynamic"
	theirdynamicinformer "k8s.io/client-go/dynamic/dynamicinformer"
	theirmetadata "k8s.io/client-go/metadata"
	theirmetadatainformer "k8s.io/client-go/metadata/metadatainformer"
	theirrest "k8s.io/client-go/rest"
	theircache "k8s.io/client-go/tools/cache"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/dynamic"
	"github.com/listwatch/listwatch/runtime/dynamic/dynamicinformer"
	"github.com/listwatch/listwatch/runtime/metadata"
	"github.com/listwatch/listwatch/runtime/metadata/metadatainformer"
	"github.com/listwatch/listwatch/runtime/rest"
)

// observer collects the events that a handler receives, with the objects.
type observer struct {
	mu     sync.Mutex // guards events
	events []string
	more   chan struct{}
}

func (o *observer) add(event string, objects ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, obj := range objects {
		if u, ok := obj.(*unstructured.Unstructured); ok {
			obj = u.Object
		}
		event += fmt.Sprintf(" %+v", obj)
	}
	o.events = append(o.events, event)
	o.more <- struct{}{}
}

func newObserver() *observer { return &observer{more: make(chan struct{}, 1000)} }

func (o *observer) added(obj any, initial bool) { o.add(fmt.Sprint("add ", initial), obj) }
func (o *observer) updated(before, after any)   { o.add("update", before, after) }
func (o *observer) deleted(obj any)             { o.add("delete", obj) }

// wait waits for n events and returns all.
func (o *observer) wait(t *testing.T, n int) []string {
	t.Helper()
	for i := range n {
		select {
		case <-o.more:
		case <-time.After(time.Minute):
			o.mu.Lock()
			defer o.mu.Unlock()
			t.Fatalf("event %d of %d did not come within a minute; there are %q", i+1, n, o.events)
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.events
}

// informerSide starts informers of a resource for the objects and their metadata, and returns what they list.
type informerSide func(t *testing.T, resource schema.GroupVersionResource, objects, metadata *observer) (listed func() []runtime.Object)

// compareInformers runs informers of both sides on a server, which changes.
func compareInformers(t *testing.T, config *rest.Config) {
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	writer, err := dynamic.NewForConfigAndClient(config, httpClient)
	if err != nil {
		t.Fatal(err)
	}
	c := writer.Resource(books).Namespace("default")
	write := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range 20 {
		write(c.Create(t.Context(), book(fmt.Sprint("initial-", i)), metav1.CreateOptions{}))
	}

	var observers [2][2]*observer
	var listed [2]func() []runtime.Object
	for i, start := range []informerSide{theirInformers(config.Host, httpClient), ourInformers(config.Host, httpClient)} {
		observers[i] = [2]*observer{newObserver(), newObserver()}
		listed[i] = start(t, books, observers[i][0], observers[i][1])
	}
	const initial, later = 20, 4
	for _, side := range observers {
		for _, o := range side {
			o.wait(t, initial)
			o.mu.Lock()
			o.events = nil // their order is not defined
			o.mu.Unlock()
		}
	}
	write(c.Create(t.Context(), book("new"), metav1.CreateOptions{}))
	write(c.Patch(t.Context(), "new", types.MergePatchType, []byte(`{"spec":{"pages":7}}`), metav1.PatchOptions{}))
	write(c.Patch(t.Context(), "initial-0", types.MergePatchType, []byte(`{"metadata":{"labels":{"k":"v"}}}`), metav1.PatchOptions{}))
	write(nil, c.Delete(t.Context(), "initial-1", metav1.DeleteOptions{}))
	for i, what := range []string{"objects", "metadata"} {
		want, got := observers[0][i].wait(t, later), observers[1][i].wait(t, later)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("events of %s (-client-go +ours)\n%s", what, diff)
		}
	}
	if diff := cmp.Diff(byName(listed[0]()), byName(listed[1]())); diff != "" {
		t.Errorf("listed (-client-go +ours)\n%s", diff)
	}
}

func byName(objects []runtime.Object) map[string]runtime.Object {
	named := map[string]runtime.Object{}
	for _, obj := range objects {
		named[fmt.Sprintf("%T %s", obj, obj.(metav1.Object).GetName())] = obj
	}
	return named
}

func theirInformers(host string, client *http.Client) informerSide {
	return func(t *testing.T, resource schema.GroupVersionResource, objects, partial *observer) func() []runtime.Object {
		config := &theirrest.Config{Host: host, QPS: -1}
		dynamicClient, err := theirdynamic.NewForConfigAndClient(config, client)
		if err != nil {
			t.Fatal(err)
		}
		metadataClient, err := theirmetadata.NewForConfigAndClient(config, client)
		if err != nil {
			t.Fatal(err)
		}
		whole := theirdynamicinformer.NewDynamicSharedInformerFactory(dynamicClient, 0)
		parts := theirmetadatainformer.NewSharedInformerFactory(metadataClient, 0)
		for informer, o := range map[theircache.SharedIndexInformer]*observer{whole.ForResource(resource).Informer(): objects, parts.ForResource(resource).Informer(): partial} {
			if _, err := informer.AddEventHandler(theircache.ResourceEventHandlerDetailedFuncs{AddFunc: o.added, UpdateFunc: o.updated, DeleteFunc: o.deleted}); err != nil {
				t.Fatal(err)
			}
		}
		run(t, whole)
		run(t, parts)
		return func() []runtime.Object {
			return append(all(t, whole.ForResource(resource).Lister()), all(t, parts.ForResource(resource).Lister())...)
		}
	}
}

func ourInformers(host string, client *http.Client) informerSide {
	return func(t *testing.T, resource schema.GroupVersionResource, objects, partial *observer) func() []runtime.Object {
		config := &rest.Config{Host: host}
		dynamicClient, err := dynamic.NewForConfigAndClient(config, client)
		if err != nil {
			t.Fatal(err)
		}
		metadataClient, err := metadata.NewForConfigAndClient(config, client)
		if err != nil {
			t.Fatal(err)
		}
		whole := dynamicinformer.NewDynamicSharedInformerFactory(dynamicClient, 0)
		parts := metadatainformer.NewSharedInformerFactory(metadataClient, 0)
		for informer, o := range map[cache.SharedIndexInformer]*observer{whole.ForResource(resource).Informer(): objects, parts.ForResource(resource).Informer(): partial} {
			if _, err := informer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{AddFunc: o.added, UpdateFunc: o.updated, DeleteFunc: o.deleted}); err != nil {
				t.Fatal(err)
			}
		}
		run(t, whole)
		run(t, parts)
		return func() []runtime.Object {
			return append(all(t, whole.ForResource(resource).Lister()), all(t, parts.ForResource(resource).Lister())...)
		}
	}
}

// run starts a factory, waits until it has synced, and stops it when the test ends.
func run(t *testing.T, factory interface {
	Start(stop <-chan struct{})
	WaitForCacheSync(stop <-chan struct{}) map[schema.GroupVersionResource]bool
	Shutdown()
}) {
	stop := make(chan struct{})
	t.Cleanup(func() {
		close(stop)
		factory.Shutdown()
	})
	factory.Start(stop)
	for resource, synced := range factory.WaitForCacheSync(stop) {
		if !synced {
			t.Fatalf("%v has not synced", resource)
		}
	}
}

// all returns the objects of a lister.
func all(t *testing.T, lister interface {
	List(labels.Selector) ([]runtime.Object, error)
}) []runtime.Object {
	t.Helper()
	objects, err := lister.List(labels.Everything())
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

func TestInformers(t *testing.T) {
	compareInformers(t, embedded.Start(t, embedded.WithCRDs(definitions(t))).Config())
}
