package cache_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
)

// thing is an object for reflectors.
type thing = metav1.PartialObjectMetadata

// newThing returns an object of namespace ns.
func newThing(name, rv string) *thing {
	return &thing{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, ResourceVersion: rv}}
}

// newThings returns a list of objects, each written name@rv.
func newThings(rv string, things ...*thing) *metav1.PartialObjectMetadataList {
	list := &metav1.PartialObjectMetadataList{ListMeta: metav1.ListMeta{ResourceVersion: rv}}
	for _, t := range things {
		list.Items = append(list.Items, *t)
	}
	return list
}

// initialEnd returns the bookmark that ends the initial objects of a watch.
func initialEnd(rv string) *thing {
	return &thing{ObjectMeta: metav1.ObjectMeta{
		ResourceVersion: rv,
		Annotations:     map[string]string{metav1.InitialEventsAnnotationKey: "true"},
	}}
}

// server is a ListerWatcher with given functions that records requests.
type server struct {
	list      func(n int, ctx context.Context, o metav1.ListOptions) (runtime.Object, error)  // the n-th list, from 1
	watch     func(n int, ctx context.Context, o metav1.ListOptions) (watch.Interface, error) // the n-th watch, from 1
	watchList bool                                                                            // it supports WatchList

	mu      sync.Mutex // guards the fields below
	asked   []string   // such as "list rv= limit=500"
	lists   int
	watches int
}

func (s *server) IsWatchListSemanticsUnSupported() bool { return !s.watchList }

func (s *server) note(verb string, o metav1.ListOptions) {
	text := fmt.Sprintf("%s rv=%s", verb, o.ResourceVersion)
	if o.Limit != 0 {
		text += fmt.Sprintf(" limit=%d", o.Limit)
	}
	if o.Continue != "" {
		text += " continue=" + o.Continue
	}
	if o.SendInitialEvents != nil {
		text += " initial " + string(o.ResourceVersionMatch)
	}
	s.asked = append(s.asked, text)
}

func (s *server) List(o metav1.ListOptions) (runtime.Object, error) {
	return s.ListWithContext(context.Background(), o)
}

func (s *server) ListWithContext(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	s.mu.Lock()
	s.lists++
	n := s.lists
	s.note("list", o)
	s.mu.Unlock()
	if s.list == nil {
		return newThings("1"), nil
	}
	return s.list(n, ctx, o)
}

func (s *server) Watch(o metav1.ListOptions) (watch.Interface, error) {
	return s.WatchWithContext(context.Background(), o)
}

func (s *server) WatchWithContext(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	s.mu.Lock()
	s.watches++
	n := s.watches
	s.note("watch", o)
	s.mu.Unlock()
	if s.watch == nil {
		return newStream(ctx), nil
	}
	return s.watch(n, ctx, o)
}

// requests returns the requests since the last call.
func (s *server) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.asked
	s.asked = nil
	return asked
}

// stream is a watch that sends events, and stays open until it is stopped or its context is done;
// with closed set it ends after the events.
type stream struct {
	events chan watch.Event
	stop   context.CancelFunc
}

func newStream(ctx context.Context, events ...watch.Event) *stream {
	return openStream(ctx, false, events)
}

func newShortStream(ctx context.Context, events ...watch.Event) *stream {
	return openStream(ctx, true, events)
}

func openStream(ctx context.Context, short bool, events []watch.Event) *stream {
	return feedStream(ctx, func(ctx context.Context, send func(watch.Event)) {
		for _, event := range events {
			send(event)
		}
		if !short {
			<-ctx.Done()
		}
	})
}

// feedStream returns a watch that sends what feed sends, until feed returns. It should return when
// ctx is done; what is sent after that is dropped.
func feedStream(ctx context.Context, feed func(ctx context.Context, send func(watch.Event))) *stream {
	ctx, stop := context.WithCancel(ctx)
	s := &stream{events: make(chan watch.Event), stop: stop}
	go func() {
		defer close(s.events)
		feed(ctx, func(event watch.Event) {
			select {
			case s.events <- event:
			case <-ctx.Done():
			}
		})
	}()
	return s
}

func (s *stream) Stop()                          { s.stop() }
func (s *stream) ResultChan() <-chan watch.Event { return s.events }

// running is a reflector that runs in a synctest bubble.
type running struct {
	*cache.Reflector
	server *server
	store  cache.Store
	stop   func()
}

// reflect runs a reflector until the test ends.
func reflect(t *testing.T, s *server, options cache.ReflectorOptions, change ...func(*cache.Reflector)) *running {
	t.Helper()
	store := cache.NewStore(cache.MetaNamespaceKeyFunc)
	return reflectInto(t, s, store, store, options, change...)
}

func reflectInto(t *testing.T, s cache.ListerWatcher, store cache.Store, into cache.ReflectorStore, options cache.ReflectorOptions, change ...func(*cache.Reflector)) *running {
	t.Helper()
	if options.Name == "" {
		options.Name = "test"
	}
	r := &running{Reflector: cache.NewReflectorWithOptions(s, &thing{}, into, options), store: store}
	r.server, _ = s.(*server)
	for _, f := range change {
		f(r.Reflector)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.RunWithContext(ctx)
	}()
	r.stop = func() {
		cancel()
		<-done
	}
	t.Cleanup(r.stop)
	synctest.Wait()
	return r
}

// wait lets time pass.
func (r *running) wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// have returns the objects of the store, as name@rv, sorted.
func (r *running) have() []string { return sortedThings(r.store.List()) }

// expiring returns a server's watch function of which the first n watches expire.
func expiring(n int) func(int, context.Context, metav1.ListOptions) (watch.Interface, error) {
	expired := watch.Event{Type: watch.Error, Object: &apierrors.NewResourceExpired("too old").ErrStatus}
	return func(i int, ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
		if i <= n {
			return newStream(ctx, expired), nil
		}
		return newStream(ctx), nil
	}
}
