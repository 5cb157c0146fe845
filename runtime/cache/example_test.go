package cache_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"slices"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned/fake"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/codec"
	"github.com/listwatch/listwatch/runtime/testing"
	"github.com/listwatch/listwatch/runtime/workqueue"
	v1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// An informer lists and watches books, keeps a copy of each, and calls a handler for every change.
func Example() {
	emma := &v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "emma"}}
	books := fake.NewClientset(emma).LibraryV1().Books("default") // in a program, a client of a server
	informer := cache.NewSharedIndexInformer(cache.ListWatchFor(books, nil), &v1.Book{}, 0, nil)

	events := make(chan string)
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { events <- "added " + obj.(*v1.Book).Name },
		UpdateFunc: func(_, obj any) { events <- "updated " + obj.(*v1.Book).Name },
		DeleteFunc: func(obj any) {
			key, _ := cache.DeletionHandlingObjectToName(obj) // obj may be a DeletedFinalStateUnknown
			events <- "deleted " + key.Name
		},
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
	if err = cache.WaitForSync(ctx, informer); err != nil {
		log.Fatal(err)
	}
	fmt.Println("stored:", informer.GetStore().ListKeys())
	if err = books.Delete(ctx, "emma", metav1.DeleteOptions{}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(<-events)
	// Output:
	// added emma
	// stored: [default/emma]
	// deleted emma
}

// A typed view of an informer needs no type assertions, neither in handlers nor in index functions.
func ExampleNewTypedSharedIndexInformer() {
	emma := &v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "emma"}, Status: v1.BookStatus{Shelf: "novels"}}
	books := fake.NewClientset(emma).LibraryV1().Books("default")
	informer := cache.NewTypedSharedIndexInformer[*v1.Book](
		cache.NewSharedIndexInformer(cache.ListWatchFor(books, nil), &v1.Book{}, 0, nil))

	err := informer.AddTypedIndexers(cache.TypedIndexers[*v1.Book]{
		"shelf": func(book *v1.Book) ([]string, error) { return []string{book.Status.Shelf}, nil },
	})
	if err != nil {
		log.Fatal(err)
	}
	handler, err := informer.AddTypedEventHandler(cache.TypedResourceEventHandlerFuncs[*v1.Book]{
		AddFunc: func(book *v1.Book) { fmt.Println("added", book.Name, "to", book.Status.Shelf) },
	})
	if err != nil {
		log.Fatal(err)
	}

	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { informer.RunWithContext(ctx) })
	defer running.Wait()
	defer cancel()

	cache.WaitFor(ctx, "", handler.HasSyncedChecker()) // the handler was called for the first list
	novels, err := informer.GetTypedIndexer().ByTypedIndex("shelf", "novels")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(novels), "novel:", novels[0].Name)
	// Output:
	// added emma to novels
	// 1 novel: emma
}

// WaitForSync returns the reason why an informer has not synced.
func ExampleWaitForSync() {
	client := fake.NewClientset()
	client.PrependReactor("list", "books", func(testing.Action) (bool, runtime.Object, error) {
		return true, nil, apierrors.NewForbidden(v1.Resource("books"), "", errors.New("only for librarians"))
	})
	informer := cache.NewSharedIndexInformer(cache.ListWatchFor(client.LibraryV1().Books("default"), nil), &v1.Book{}, 0, nil)
	patience, end := context.WithCancelCause(context.Background()) // often a timeout
	err := informer.SetWatchErrorHandlerWithContext(func(context.Context, *cache.Reflector, error) {
		end(errors.New("one failure is enough")) // the informer goes on trying
	})
	if err != nil {
		log.Fatal(err)
	}

	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { informer.RunWithContext(ctx) })
	defer running.Wait()
	defer cancel()
	fmt.Println(cache.WaitForSync(patience, informer))
	// Output:
	// *v1.Book has not synced: failed to list *v1.Book: books.library.example.com is forbidden: only for librarians
	// one failure is enough
}

// A store lags behind the server. To read your own write, wait for it.
func ExampleWaitForObject() {
	books := fake.NewClientset().LibraryV1().Books("default")
	informer := cache.NewSharedIndexInformer(cache.ListWatchFor(books, nil), &v1.Book{}, 0, nil)
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { informer.RunWithContext(ctx) })
	defer running.Wait()
	defer cancel()

	emma, err := books.Create(ctx, &v1.Book{ObjectMeta: metav1.ObjectMeta{Name: "emma"}}, metav1.CreateOptions{})
	if err != nil {
		log.Fatal(err)
	}
	if err = cache.WaitForObject(ctx, informer, emma); err != nil {
		log.Fatal(err)
	}
	_, exists, err := cache.GetObject[*v1.Book](informer.GetIndexer(), "default", "emma")
	fmt.Println(exists, err)
	// Output: true <nil>
}

// Writes make reads wait for a program's own writes, so that the writes need not.
func ExampleWrites() {
	books := fake.NewClientset().LibraryV1().Books("default")
	informer := cache.NewSharedIndexInformer(cache.ListWatchFor(books, nil), &v1.Book{}, 0, nil)
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { informer.RunWithContext(ctx) })
	defer running.Wait()
	defer cancel()
	if err := cache.WaitForSync(ctx, informer); err != nil {
		log.Fatal(err)
	}

	writes := cache.NewWrites(informer)
	for _, name := range []string{"emma", "persuasion"} {
		book, err := books.Create(ctx, &v1.Book{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		if err != nil {
			log.Fatal(err)
		}
		writes.Written(book)
	}

	if err := writes.Wait(ctx, "default", "emma"); err != nil {
		log.Fatal(err)
	}
	_, exists, err := informer.GetStore().GetByKey("default/emma")
	fmt.Println(exists, err)
	// Output: true <nil>
}

// A handler of a controller only adds the names of changed objects to a work queue.
func ExampleEnqueueKeys() {
	emma := &v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "emma"}}
	books := fake.NewClientset(emma).LibraryV1().Books("default")
	informer := cache.NewTypedSharedIndexInformer[*v1.Book](
		cache.NewSharedIndexInformer(cache.ListWatchFor(books, nil), &v1.Book{}, 0, nil))
	queue := workqueue.NewTyped[cache.ObjectName]()
	defer queue.ShutDown()
	if _, err := informer.AddTypedEventHandler(cache.EnqueueKeys[*v1.Book](queue.Add)); err != nil {
		log.Fatal(err)
	}

	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { informer.RunWithContext(ctx) })
	defer running.Wait()
	defer cancel()

	name, _ := queue.Get()
	fmt.Println("work on", name)
	queue.Done(name)
	// Output: work on default/emma
}

// An indexer is a store that finds objects by what a function computes for them.
func ExampleNewIndexer() {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{
		"shelf": func(obj any) ([]string, error) { return []string{obj.(*v1.Book).Status.Shelf}, nil },
	})
	for name, shelf := range map[string]string{"emma": "novels", "persuasion": "novels", "elements": "mathematics"} {
		err := indexer.Add(&v1.Book{
			ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name},
			Status:     v1.BookStatus{Shelf: shelf},
		})
		if err != nil {
			log.Fatal(err)
		}
	}

	keys, err := indexer.IndexKeys("shelf", "novels")
	if err != nil {
		log.Fatal(err)
	}
	slices.Sort(keys)
	fmt.Println(keys)

	mathematics, err := cache.ByIndex[*v1.Book](indexer, "default", "shelf", "mathematics")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mathematics[0].Name)
	// Output:
	// [default/emma default/persuasion]
	// elements
}

// Objects of a store are read with their type.
func ExampleListObjects() {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	for _, name := range []string{"emma", "elements"} {
		book := &v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
		if name == "emma" {
			book.Labels = map[string]string{"genre": "novel"}
		}
		if err := indexer.Add(book); err != nil {
			log.Fatal(err)
		}
	}

	novels, err := cache.ListObjects[*v1.Book](indexer, "default", labels.SelectorFromSet(labels.Set{"genre": "novel"}))
	if err != nil {
		log.Fatal(err)
	}
	for _, book := range novels {
		fmt.Println(book.Name)
	}
	// Output: emma
}

// A controller that reads shelves only keeps nothing else of books. What it has to write, it sends as a patch.
func ExampleKeep() {
	emma := &v1.Book{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "emma", Annotations: map[string]string{"text": "Emma Woodhouse, handsome, clever, and rich ..."}},
		Spec:       v1.BookSpec{Title: "Emma", Pages: 512},
		Status:     v1.BookStatus{Shelf: "novels"},
	}
	ctx, cancel := context.WithCancel(context.Background())
	books := fake.NewClientset(emma).LibraryV1().Books("default")
	informer := cache.NewSharedIndexInformer(cache.ListWatchFor(books, nil), &v1.Book{}, 0, nil)
	fmt.Println(informer.SetTransform(cache.Keep("status.shelf", "-metadata.annotations")))

	var running sync.WaitGroup
	running.Go(func() { informer.RunWithContext(ctx) })
	defer running.Wait()
	defer cancel()
	if err := cache.WaitForSync(ctx, informer); err != nil {
		log.Fatal(err)
	}
	stored, _, err := informer.GetStore().GetByKey("default/emma")
	if err != nil {
		log.Fatal(err)
	}
	book := stored.(*v1.Book).DeepCopy()
	fmt.Printf("%s: shelf %q, title %q, %d annotations\n", book.Name, book.Status.Shelf, book.Spec.Title, len(book.Annotations))

	book.Status.Shelf = "classics"
	_, err = books.UpdateStatus(ctx, book, metav1.UpdateOptions{})
	fmt.Println("refused:", errors.Is(err, codec.ErrCut))
	book, err = books.Patch(ctx, "emma", types.MergePatchType, []byte(`{"status":{"shelf":"classics"}}`), metav1.PatchOptions{}, "status")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("shelf %q, title %q\n", book.Status.Shelf, book.Spec.Title)
	// Output:
	// <nil>
	// emma: shelf "novels", title "", 0 annotations
	// refused: true
	// shelf "classics", title "Emma"
}

// StateOf reports what an informer is doing, for health checks and debugging.
func ExampleStateOf() {
	emma := &v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "emma"}}
	books := fake.NewClientset(emma).LibraryV1().Books("default")
	informer := cache.NewSharedIndexInformer(cache.ListWatchFor(books, nil), &v1.Book{}, 0, nil)
	state := cache.StateOf(informer)
	fmt.Println(state.Type, state.Started, state.Objects)

	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { informer.RunWithContext(ctx) })
	defer running.Wait()
	defer cancel()
	if err := cache.WaitForSync(ctx, informer); err != nil {
		log.Fatal(err)
	}
	state = cache.StateOf(informer)
	fmt.Println(state.Type, state.Started, state.Objects)
	// Output:
	// *v1.Book false 0
	// *v1.Book true 1
}

// A handler can be limited to some objects. An update that makes an object pass the filter is an add, one that
// makes it fail the filter a deletion.
func ExampleFilteringResourceEventHandler() {
	lent := cache.FilteringResourceEventHandler{
		FilterFunc: func(obj any) bool {
			book, ok := obj.(*v1.Book)
			return ok && book.Status.Lent
		},
		Handler: cache.ResourceEventHandlerFuncs{
			AddFunc:    func(obj any) { fmt.Println("lent:", obj.(*v1.Book).Name) },
			DeleteFunc: func(obj any) { fmt.Println("returned:", obj.(*v1.Book).Name) },
		},
	}

	// An informer makes these calls.
	home := &v1.Book{ObjectMeta: metav1.ObjectMeta{Name: "emma"}}
	away := home.DeepCopy()
	away.Status.Lent = true
	lent.OnAdd(home, true)
	lent.OnUpdate(home, away)
	lent.OnUpdate(away, home)
	// Output:
	// lent: emma
	// returned: emma
}
