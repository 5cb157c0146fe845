// A controller of one custom resource, using client-go.
package main

import (
	"context"
	"fmt"
	"os"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	clientset "github.com/listwatch/listwatch/golden/client-go/one-group/clientset/versioned"
	informers "github.com/listwatch/listwatch/golden/client-go/one-group/informers/externalversions"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

func main() {
	if err := run(context.Background(), &rest.Config{Host: os.Args[1]}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run prints the titles of books when they are added or changed.
func run(ctx context.Context, config *rest.Config) error {
	clients, err := clientset.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(clients, 0)
	books := factory.Library().V1().Books()
	lister := books.Lister()
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName]())
	defer queue.ShutDown()
	add := func(book *libraryv1.Book) { queue.Add(cache.MetaObjectToName(book)) }
	_, err = books.TypedInformer().AddTypedEventHandler(cache.TypedResourceEventHandlerFuncs[*libraryv1.Book]{
		AddFunc:    add,
		UpdateFunc: func(_, book *libraryv1.Book) { add(book) },
	})
	if err != nil {
		return err
	}
	factory.StartWithContext(ctx)
	if err := factory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		return err
	}
	for {
		name, shutdown := queue.Get()
		if shutdown {
			return nil
		}
		book, err := lister.Books(name.Namespace).Get(name.Name)
		if err == nil {
			fmt.Println(book.Name)
		}
		queue.Forget(name)
		queue.Done(name)
	}
}
