package untyped_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/apitest/embedded"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/dynamic"
	"github.com/listwatch/listwatch/runtime/dynamic/dynamicinformer"
	"github.com/listwatch/listwatch/runtime/metadata"
	"github.com/listwatch/listwatch/runtime/metadata/metadatainformer"
	"github.com/listwatch/listwatch/runtime/rest"
)

func TestManagedFieldsOnApitest(t *testing.T) {
	compareManaged(t, embedded.Start(t, embedded.WithCRDs(definitions(t))).Config())
}

// accepts notes the Accept headers of requests.
type accepts struct {
	http.RoundTripper
	mu   sync.Mutex // guards seen
	seen map[string]bool
}

func (a *accepts) RoundTrip(r *http.Request) (*http.Response, error) {
	a.mu.Lock()
	a.seen[r.Header.Get("Accept")] = true
	a.mu.Unlock()
	return a.RoundTripper.RoundTrip(r)
}

// compareManaged runs informers that drop managedFields. A server that does not know the parameter ignores it.
func compareManaged(t *testing.T, config *rest.Config) {
	config = rest.CopyConfig(config)
	a := &accepts{seen: map[string]bool{}}
	config.Wrap(func(rt http.RoundTripper) http.RoundTripper { a.RoundTripper = rt; return a })
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	metadataClient, err := metadata.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	c := client.Resource(books).Namespace("default")
	for i := range 3 {
		made, err := c.Create(t.Context(), book(fmt.Sprint("managed-", i)), metav1.CreateOptions{FieldManager: "test"})
		if err != nil || len(made.GetManagedFields()) == 0 {
			t.Fatalf("created with managedFields %v, %v", made.GetManagedFields(), err)
		}
	}
	for name, informer := range map[string]cache.SharedIndexInformer{
		"objects":  dynamicinformer.NewDynamicSharedInformerFactory(client, 0).ForResource(books).Informer(),
		"metadata": metadatainformer.NewSharedInformerFactory(metadataClient, 0).ForResource(books).Informer(),
	} {
		t.Run(name, func(t *testing.T) {
			if err := informer.SetTransform(cache.DropManagedFields); err != nil {
				t.Fatal(err)
			}
			updated := make(chan metav1.Object, 10)
			if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
				UpdateFunc: func(_, obj any) { updated <- obj.(metav1.Object) },
			}); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			var running sync.WaitGroup
			running.Go(func() { informer.RunWithContext(ctx) })
			defer running.Wait()
			defer cancel()
			cache.WaitForCacheSync(ctx.Done(), informer.HasSynced)
			patch := fmt.Sprintf(`{"metadata":{"labels":{"by":%q}}}`, name)
			if _, err := c.Patch(t.Context(), "managed-0", types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
				t.Fatal(err)
			}
			if obj := <-updated; obj.GetLabels()["by"] != name || obj.GetManagedFields() != nil {
				t.Errorf("updated: labels %v, managedFields %v", obj.GetLabels(), obj.GetManagedFields())
			}
			n := 0
			for _, obj := range informer.GetStore().List() {
				o := obj.(metav1.Object)
				if strings.HasPrefix(o.GetName(), "managed-") {
					n++
				}
				if o.GetUID() == "" || o.GetManagedFields() != nil {
					t.Errorf("%s has UID %q and managedFields %v", o.GetName(), o.GetUID(), o.GetManagedFields())
				}
			}
			if n != 3 {
				t.Errorf("%d objects", n)
			}
		})
	}
	asked := 0
	for accept := range a.seen {
		if strings.HasPrefix(accept, "application/json;drop=metadata.managedFields") || strings.Contains(accept, "protobuf;drop=metadata.managedFields;as=") {
			asked++
		}
	}
	if asked < 2 { // those of metadata, and of objects
		t.Errorf("requests accept %v", a.seen)
	}
}
