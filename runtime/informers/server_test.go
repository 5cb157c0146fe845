package informers_test

import (
	"context"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/listwatch/listwatch/runtime/cache"
	"github.com/listwatch/listwatch/runtime/informers"
)

// object and list are what the tests list and watch.
type (
	object = metav1.PartialObjectMetadata
	list   = metav1.PartialObjectMetadataList
)

// other is another type of object.
type other struct{ object }

var boats = schema.GroupVersionResource{Group: "harbour.example.com", Version: "v1", Resource: "boats"}

// server responds to lists with the objects of a namespace, and sends nothing on watches. It is its
// own client of one namespace and of the cluster scope.
type server struct {
	objects []object

	mu       sync.Mutex // guards the fields below
	err      error      // of lists
	requests []request
}

// request is a list or a watch.
type request struct {
	verb, namespace string
	options         metav1.ListOptions
}

// take records a request and returns the error for lists.
func (s *server) take(r request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	return s.err
}

// recover makes lists succeed from now on.
func (s *server) recover() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = nil
}

// lists returns the recorded lists.
func (s *server) lists() (lists []request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.requests {
		if r.verb == "list" {
			lists = append(lists, r)
		}
	}
	return lists
}

// silent reports whether there were no requests.
func (s *server) silent() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests) == 0
}

// IsWatchListSemanticsUnSupported makes informers list.
func (s *server) IsWatchListSemanticsUnSupported() bool { return true }

// client is the typed client of a namespace.
type client struct {
	*server
	namespace string
}

func (c client) List(_ context.Context, options metav1.ListOptions) (*list, error) {
	if err := c.take(request{"list", c.namespace, options}); err != nil {
		return nil, err
	}
	answer := &list{ListMeta: metav1.ListMeta{ResourceVersion: "10"}}
	for _, o := range c.objects {
		if c.namespace == "" || o.Namespace == c.namespace {
			answer.Items = append(answer.Items, o)
		}
	}
	return answer, nil
}

func (c client) Watch(_ context.Context, options metav1.ListOptions) (watch.Interface, error) {
	_ = c.take(request{"watch", c.namespace, options})
	return watch.NewFake(), nil
}

// informer returns an informer as generated code creates it.
func (s *server) informer(example runtime.Object, namespace string, options informers.Options) cache.SharedIndexInformer {
	return informers.NewNamespaced(s, example, boats, namespace, options, func(namespace string, tweak informers.Tweak) cache.ListerWatcher {
		return cache.ListWatchFor(client{s, namespace}, tweak)
	})
}

// factory is like a generated factory.
type factory struct {
	*informers.Factory
	server *server
}

func (f factory) boats() cache.SharedIndexInformer { return f.of(&object{}) }

func (f factory) of(example runtime.Object) cache.SharedIndexInformer {
	return f.InformerFor(example, func(resync time.Duration) cache.SharedIndexInformer {
		return f.server.informer(example, "", informers.OptionsFor(f, example, informers.Options{ResyncPeriod: resync}))
	})
}

func named(namespace string, names ...string) (objects []object) {
	for _, name := range names {
		objects = append(objects, object{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, UID: "u", ResourceVersion: "1"}})
	}
	return objects
}

// keys returns the keys of the objects in an informer's store.
func keys(informer cache.SharedIndexInformer) []string {
	return slices.Sorted(slices.Values(informer.GetStore().ListKeys()))
}
