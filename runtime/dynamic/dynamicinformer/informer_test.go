package dynamicinformer_test

import (
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"go.uber.org/goleak"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/dynamic/dynamicinformer"
	"github.com/listwatch/listwatch/runtime/dynamic/fake"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var books = schema.GroupVersionResource{Group: "library.dev", Version: "v1", Resource: "books"}

func book(namespace, name string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "library.dev/v1", "kind": "Book",
		"metadata": map[string]any{"namespace": namespace, "name": name},
	}}
}

func TestFactory(t *testing.T) {
	for _, test := range []struct {
		name, namespace string
		want            []string // keys
	}{
		{"all namespaces", "", []string{"a/x", "b/y"}},
		{"one namespace", "b", []string{"b/y"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			client := fake.NewSimpleDynamicClient(runtime.NewScheme(), book("a", "x"), book("b", "y"))
			tweaked := make(chan struct{}, 100)
			factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, test.namespace, func(*metav1.ListOptions) { tweaked <- struct{}{} })
			stop := make(chan struct{})
			defer factory.Shutdown()
			defer close(stop)

			informer := factory.ForResource(books)
			if factory.ForResource(books).Informer() != informer.Informer() {
				t.Error("the informer is not shared")
			}
			added := make(chan string, 10)
			if _, err := informer.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(obj any) {
				added <- obj.(*unstructured.Unstructured).GetName()
			}}); err != nil {
				t.Fatal(err)
			}
			factory.Start(stop)
			if synced := factory.WaitForCacheSync(stop); len(synced) != 1 || !synced[books] {
				t.Fatalf("synced %v", synced)
			}
			if got := slices.Sorted(slices.Values(informer.Informer().GetStore().ListKeys())); !slices.Equal(got, test.want) {
				t.Errorf("keys %v, want %v", got, test.want)
			}
			for range test.want {
				<-added
			}
			if len(tweaked) == 0 {
				t.Error("no request was tweaked")
			}

			if _, err := client.Resource(books).Namespace("b").Create(t.Context(), book("b", "new"), metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			if got := <-added; got != "new" {
				t.Errorf("added %s", got)
			}
			if obj, err := informer.Lister().ByNamespace("b").Get("new"); err != nil || obj.(*unstructured.Unstructured).GetName() != "new" {
				t.Errorf("lister: %v, %v", obj, err)
			}
			if objects, err := informer.Lister().List(labels.Everything()); err != nil || len(objects) != len(test.want)+1 {
				t.Errorf("lister: %v, %v", objects, err)
			}
		})
	}
}
