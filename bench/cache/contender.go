package main

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	v1 "github.com/listwatch/listwatch/bench/apis/fleet/v1"
)

// contender is one of the two implementations that are compared. Their types share only
// method signatures.
type contender struct {
	// name is its name in the table's header.
	name string
	// indexer returns an empty indexer with the indexes of namespaces and of instances.
	indexer func() indexer
	// lister returns the emitted lister on an indexer that indexer returned.
	lister func(indexer) lister
	// inform returns a shared informer of machines that are listed and watched by functions.
	inform func(source) informer
	// factory starts the generated informer of machines on a server, with the transform unless it is nil, and returns it
	// when it has synced.
	factory func(host string, transform transform, h handler) (any, error)
	// untyped starts the dynamic informer of machines on a server, and returns it when it has synced.
	untyped func(host string, h func(*unstructured.Unstructured)) (any, error)
	// withoutManaged is the transform of informers whose objects have no managedFields.
	withoutManaged transform
	// queue returns a work queue with a rate limiter that always returns 0.
	queue func() queue
}

// contenders run in this order, the peer first.
var contenders = []*contender{clientGo(), ours()}

// indexer is the common interface of both indexers.
type indexer interface {
	Add(obj any) error
	Update(obj any) error
	Replace(objects []any, resourceVersion string) error
	List() []any
	ByIndex(index, value string) ([]any, error)
	GetByKey(key string) (any, bool, error)
}

// lister is the common interface of both listers.
type lister struct {
	list      func(labels.Selector) ([]*v1.Machine, error)
	namespace func(namespace string) namespaceLister
}

type namespaceLister interface {
	List(labels.Selector) ([]*v1.Machine, error)
	Get(name string) (*v1.Machine, error)
}

// source provides the objects of an informer.
type source struct {
	list  func(metav1.ListOptions) (runtime.Object, error)
	watch func(metav1.ListOptions) (watch.Interface, error)
}

// IsWatchListSemanticsUnSupported makes informers list before they watch.
func (source) IsWatchListSemanticsUnSupported() bool { return true }

// transform changes objects before they are stored.
type transform func(any) (any, error)

// handler receives existing, new and changed machines.
type handler func(*v1.Machine)

// informer is the common interface of both shared informers.
type informer struct {
	// handle adds a handler and returns a function that reports whether it has synced.
	handle func(handler) (synced func() bool, err error)
	run    func(context.Context)
	held   any
}

// queue is the common interface of both work queues.
type queue interface {
	Add(string)
	AddRateLimited(string)
	Get() (string, bool)
	Done(string)
	Forget(string)
	ShutDown()
}

// never is the delay of a rate limiter without delays.
type never struct{}

func (never) When(string) time.Duration { return 0 }
func (never) Forget(string)             {}
func (never) NumRequeues(string) int    { return 0 }

// byInstance are the index values of a machine.
func byInstance(obj any) ([]string, error) {
	return []string{obj.(*v1.Machine).Labels[instanceLabel]}, nil
}

const (
	instanceIndex = "instance"
	instanceLabel = "app.kubernetes.io/instance"
)
