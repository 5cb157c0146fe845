package informers_test

import (
	"context"
	"fmt"
	"log"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned/fake"
	"github.com/listwatch/listwatch/golden/one-group/informers/externalversions"
	libraryinformers "github.com/listwatch/listwatch/golden/one-group/informers/externalversions/library/v1"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/informers"
	v1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// A generated factory has one informer of each kind, with a typed handler and a lister.
func Example() {
	emma := &v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "emma"}}
	client := fake.NewClientset(emma) // in a program, versioned.NewForConfig

	ctx, cancel := context.WithCancel(context.Background())
	factory := externalversions.NewSharedInformerFactory(client, 0)
	defer factory.Shutdown() // waits until the informers have stopped, after cancel
	defer cancel()
	books := factory.Library().V1().Books()
	events := make(chan string)
	_, err := books.TypedInformer().AddTypedEventHandler(libraryinformers.BookHandlerFuncs{
		AddFunc: func(book *v1.Book) { events <- "added " + book.Name },
	})
	if err != nil {
		log.Fatal(err)
	}

	factory.StartWithContext(ctx)
	fmt.Println(<-events)
	if err = factory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		log.Fatal(err) // names the kinds that have not synced, with their causes
	}
	all, err := books.Lister().List(labels.Everything())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(all), "book")
	// Output:
	// added emma
	// 1 book
}

// With WithNamespaces, a factory needs permissions only in some namespaces.
func ExampleWithNamespaces() {
	client := fake.NewClientset(
		&v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "north", Name: "emma"}},
		&v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "south", Name: "persuasion"}},
		&v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "secret", Name: "diary"}},
	)
	ctx, cancel := context.WithCancel(context.Background())
	factory := externalversions.NewSharedInformerFactoryWithOptions(client, 0,
		externalversions.WithNamespaces("north", "south"),
		externalversions.WithTransform(cache.DropManagedFields))
	defer factory.Shutdown()
	defer cancel()
	lister := factory.Library().V1().Books().Lister()
	factory.StartWithContext(ctx)
	if err := factory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		log.Fatal(err)
	}
	for _, namespace := range []string{"north", "south", "secret"} {
		books, err := lister.Books(namespace).List(labels.Everything())
		fmt.Println(namespace, len(books), err)
	}
	// Output:
	// north 1 <nil>
	// south 1 <nil>
	// secret 0 <nil>
}

// Acquire runs an informer while it is needed, for example during one request.
func ExampleFactory_Acquire() {
	emma := &v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "emma"}}
	factory := externalversions.NewSharedInformerFactory(fake.NewClientset(emma), 0)
	defer factory.Shutdown()
	ctx := context.Background()

	books := factory.Library().V1().Books()
	informer, lister := books.Informer(), books.Lister()
	release, err := factory.Acquire(ctx, &v1.Book{})
	if err != nil {
		log.Fatal(err)
	}
	defer release() // stops the informer, unless others use it
	if err = cache.WaitForSync(ctx, informer); err != nil {
		log.Fatal(err)
	}
	all, err := lister.List(labels.Everything())
	fmt.Println(len(all), "book", err)
	// Output: 1 book <nil>
}

// Single types can have options of their own.
func ExampleWithTypeOptions() {
	client := fake.NewClientset(
		&v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "emma", Labels: map[string]string{"genre": "novel"}}},
		&v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "elements"}},
		&v1.Shelf{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "one"}},
	)
	ctx, cancel := context.WithCancel(context.Background())
	factory := externalversions.NewSharedInformerFactoryWithOptions(client, 0,
		externalversions.WithTypeOptions(&v1.Book{}, informers.Options{LabelSelector: labels.Set{"genre": "novel"}.AsSelector()}))
	defer factory.Shutdown()
	defer cancel()
	books, shelves := factory.Library().V1().Books().Lister(), factory.Library().V1().Shelves().Lister()
	factory.StartWithContext(ctx)
	if err := factory.WaitForCacheSyncWithContext(ctx).AsError(); err != nil {
		log.Fatal(err)
	}
	novels, err := books.List(labels.Everything())
	fmt.Println(len(novels), "book", err)
	all, err := shelves.List(labels.Everything())
	fmt.Println(len(all), "shelf", err)
	// Output:
	// 1 book <nil>
	// 1 shelf <nil>
}
