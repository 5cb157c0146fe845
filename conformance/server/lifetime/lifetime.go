// Package lifetime measures the duration of a controller's test, from the start of its API server
// to the end of everything it started, without compilation: with a server in memory and with the
// real one.
//
// The controller is conformance/runtime/migration's. [Test] is the same for both servers.
package lifetime

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/listwatch/listwatch/conformance/runtime/migration/librarian"
	"github.com/listwatch/listwatch/golden/one-group/clientset/versioned"
	"github.com/listwatch/listwatch/golden/one-group/informers/externalversions"
	"github.com/listwatch/listwatch/runtime/rest"
	libraryv1 "github.com/listwatch/listwatch/testdata/apis/one-group/library/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Server is the server that a test uses. It serves books and shelves of library.example.com/v1.
type Server interface {
	Config() *rest.Config
	Stop() error
}

// Times are the durations of a test's parts.
type Times struct{ Start, Work, Stop time.Duration }

// Whole returns the total duration.
func (t Times) Whole() time.Duration { return t.Start + t.Work + t.Stop }

func (t Times) String() string {
	round := func(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }
	return fmt.Sprintf("%s (start %s, work %s, stop %s)", round(t.Whole()), round(t.Start), round(t.Work), round(t.Stop))
}

// Median returns the median of an odd number of times by their total duration.
func Median(times []Times) Times {
	slices.SortFunc(times, func(a, b Times) int { return int(a.Whole() - b.Whole()) })
	return times[len(times)/2]
}

// Test starts a server and a controller, creates a shelf and a book, waits until the book's status
// names the shelf, and stops everything.
func Test(ctx context.Context, start func() (Server, error)) (times Times, err error) {
	begin := time.Now()
	server, err := start()
	if err != nil {
		return times, err
	}
	times.Start = time.Since(begin)

	begin = time.Now()
	stop, err := work(ctx, server.Config())
	times.Work = time.Since(begin)

	begin = time.Now()
	stop()
	err = errors.Join(err, server.Stop())
	times.Stop = time.Since(begin)
	return times, err
}

func work(ctx context.Context, config *rest.Config) (stop func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	client, err := versioned.NewForConfig(config)
	if err != nil {
		return cancel, err
	}
	factory := externalversions.NewSharedInformerFactory(client, 0)
	controller, err := librarian.NewController(client, factory, &librarian.Journal{})
	if err != nil {
		return cancel, err
	}
	factory.StartWithContext(ctx)
	var running sync.WaitGroup
	running.Go(func() { _ = controller.Run(ctx, 2) })
	stop = func() {
		cancel()
		factory.Shutdown()
		running.Wait()
	}

	books := client.LibraryV1().Books(metav1.NamespaceDefault)
	changes, err := books.Watch(ctx, metav1.ListOptions{})
	if err != nil {
		return stop, err
	}
	defer changes.Stop()
	if _, err := client.LibraryV1().Shelves(metav1.NamespaceDefault).Create(ctx, &libraryv1.Shelf{
		ObjectMeta: metav1.ObjectMeta{Name: "high"}, Spec: libraryv1.ShelfSpec{Length: 1000},
	}, metav1.CreateOptions{}); err != nil {
		return stop, err
	}
	if _, err := books.Create(ctx, &libraryv1.Book{
		ObjectMeta: metav1.ObjectMeta{Name: "walden"}, Spec: libraryv1.BookSpec{Title: "Walden", Pages: 300},
	}, metav1.CreateOptions{}); err != nil {
		return stop, err
	}
	for change := range changes.ResultChan() {
		if book, ok := change.Object.(*libraryv1.Book); ok && book.Status.Shelf == "high" {
			return stop, nil
		}
	}
	return stop, errors.New("the watch ended before the book was on its shelf")
}
