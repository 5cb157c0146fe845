package dynamicinformer_test

import (
	"context"
	"fmt"
	"log"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/dynamic/dynamicinformer"
	"github.com/listwatch/listwatch/runtime/dynamic/fake"
)

// A factory has an informer for every resource that it is asked for.
func Example() {
	resource := schema.GroupVersionResource{Group: "library.dev", Version: "v1", Resource: "books"}
	client := fake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), // in a program, dynamic.NewForConfig
		map[schema.GroupVersionResource]string{resource: "BookList"},
		&unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "library.dev/v1",
			"kind":       "Book",
			"metadata":   map[string]any{"namespace": "default", "name": "emma"},
		}})

	ctx, cancel := context.WithCancel(context.Background())
	factory := dynamicinformer.NewDynamicSharedInformerFactory(client, 0)
	defer factory.Shutdown() // waits until the informers have stopped, after cancel
	defer cancel()
	books := factory.ForResource(resource)
	events := make(chan string)
	_, err := books.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) { events <- "added " + obj.(*unstructured.Unstructured).GetName() },
	})
	if err != nil {
		log.Fatal(err)
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())

	fmt.Println(<-events)
	obj, err := books.Lister().ByNamespace("default").Get("emma")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listed", obj.(*unstructured.Unstructured).GetName())
	// Output:
	// added emma
	// listed emma
}
