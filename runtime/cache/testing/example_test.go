package framework_test

import (
	"context"
	"fmt"
	"log"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache"
	framework "github.com/listwatch/listwatch/runtime/cache/testing"
)

// A test adds objects to the source, and an informer gets them as from a server.
func Example() {
	source := framework.NewFakeControllerSource()
	defer source.Shutdown()
	book := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "emma"}}
	source.Add(book)

	informer := cache.NewSharedIndexInformer(source, &metav1.PartialObjectMetadata{}, 0, nil)
	events := make(chan string)
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { events <- "added" },
		UpdateFunc: func(_, obj any) { events <- fmt.Sprint("updated: ", obj.(metav1.Object).GetLabels()) },
		DeleteFunc: func(any) { events <- "deleted" },
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { informer.RunWithContext(ctx) })
	defer running.Wait()
	defer cancel()

	fmt.Println(<-events)
	lent := book.DeepCopy()
	lent.Labels = map[string]string{"lent": "yes"}
	source.Modify(lent)
	fmt.Println(<-events)
	source.Delete(lent)
	fmt.Println(<-events)
	// Output:
	// added
	// updated: map[lent:yes]
	// deleted
}
