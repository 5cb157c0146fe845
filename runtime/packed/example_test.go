package packed_test

import (
	"context"
	"fmt"
	"log"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned/fake"
	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/packed"
	v1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
)

// A factory has this option for single types: see informers.WithTypeOptions.
func Example() {
	emma := &v1.Book{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "emma"}, Spec: v1.BookSpec{Title: "Emma"}}
	ctx, cancel := context.WithCancel(context.Background())
	books := fake.NewClientset(emma).LibraryV1().Books("default")
	informer := cache.NewSharedIndexInformerWithOptions(cache.ListWatchFor(books, nil), &v1.Book{}, cache.SharedIndexInformerOptions{
		Packed: packed.S2,
	})

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
	fmt.Println(stored.(*v1.Book).Spec.Title)
	// Output: Emma
}
