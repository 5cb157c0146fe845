package shards_test

import (
	"context"
	"errors"
	"fmt"
	"sync"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	coordinationv1client "github.com/listwatch/listwatch/kubernetes/typed/coordination/v1"
)

var resource = schema.GroupResource{Group: "coordination.k8s.io", Resource: "leases"}

// server stores Leases in memory.
type server struct {
	mu       sync.Mutex // guards the fields below
	leases   map[string]*coordinationv1.Lease
	version  int
	requests map[string]int              // by client
	wrote    func(*coordinationv1.Lease) // is called after each write of one
	disturb  func(client string, lease *coordinationv1.Lease) fault
	asked    func(client string) // is called before each Get, List, Create and Update
	watches  map[*watching]bool  // nil if the server refuses to watch
}

func newServer() *server {
	return &server{leases: map[string]*coordinationv1.Lease{}, requests: map[string]int{}}
}

func (s *server) get(name string) (*coordinationv1.Lease, error) {
	if s.leases[name] == nil {
		return nil, apierrors.NewNotFound(resource, name)
	}
	return s.leases[name].DeepCopy(), nil
}

func (s *server) set(lease *coordinationv1.Lease) (*coordinationv1.Lease, error) {
	s.version++
	lease = lease.DeepCopy()
	lease.ResourceVersion = fmt.Sprint(s.version)
	if lease.UID == "" {
		lease.UID = types.UID(lease.ResourceVersion)
	}
	s.leases[lease.Name] = lease
	s.notify(watch.Modified, lease)
	if s.wrote != nil {
		s.wrote(lease)
	}
	return lease.DeepCopy(), nil
}

func (s *server) create(lease *coordinationv1.Lease) (*coordinationv1.Lease, error) {
	if s.leases[lease.Name] != nil {
		return nil, apierrors.NewAlreadyExists(resource, lease.Name)
	}
	return s.set(lease)
}

func (s *server) update(lease *coordinationv1.Lease) (*coordinationv1.Lease, error) {
	switch stored := s.leases[lease.Name]; {
	case stored == nil:
		return nil, apierrors.NewNotFound(resource, lease.Name)
	case lease.ResourceVersion != "" && stored.ResourceVersion != lease.ResourceVersion, stored.UID != lease.UID:
		return nil, apierrors.NewConflict(resource, lease.Name, errors.New("the object has been modified"))
	}
	return s.set(lease)
}

func (s *server) delete(name string, options metav1.DeleteOptions) error {
	stored, err := s.get(name)
	if err != nil {
		return err
	}
	if p := options.Preconditions; p != nil && (*p.UID != stored.UID || *p.ResourceVersion != stored.ResourceVersion) {
		return apierrors.NewConflict(resource, name, errors.New("the precondition failed"))
	}
	s.remove(name)
	return nil
}

func (s *server) remove(name string) {
	s.notify(watch.Deleted, s.leases[name])
	delete(s.leases, name)
}

func (s *server) notify(kind watch.EventType, lease *coordinationv1.Lease) {
	for w := range s.watches {
		if w.isFor(lease) && !w.isCut() {
			select {
			case w.events <- watch.Event{Type: kind, Object: lease.DeepCopy()}:
			default: // as if it was cut
			}
		}
	}
}

// watching is a watch. It loses events while it is cut.
type watching struct {
	on     *server
	events chan watch.Event
	isFor  func(*coordinationv1.Lease) bool
	isCut  func() bool
}

func (w *watching) ResultChan() <-chan watch.Event { return w.events }

func (w *watching) Stop() { w.on.locked(func() { delete(w.on.watches, w) }) }

func (s *server) watch(options metav1.ListOptions, isCut func() bool) (watch.Interface, error) {
	if s.watches == nil {
		return nil, apierrors.NewForbidden(resource, "", errors.New("no watches"))
	}
	byLabel, err := labels.Parse(options.LabelSelector)
	if err != nil {
		return nil, err
	}
	byField, err := fields.ParseSelector(options.FieldSelector)
	if err != nil {
		return nil, err
	}
	w := &watching{on: s, events: make(chan watch.Event, 100), isCut: isCut, isFor: func(lease *coordinationv1.Lease) bool {
		return byLabel.Matches(labels.Set(lease.Labels)) && byField.Matches(fields.Set{"metadata.name": lease.Name})
	}}
	s.watches[w] = true
	for _, lease := range s.leases {
		if w.isFor(lease) {
			w.events <- watch.Event{Type: watch.Added, Object: lease.DeepCopy()}
		}
	}
	return w, nil
}

func (s *server) list(selector string) (*coordinationv1.LeaseList, error) {
	want, err := labels.Parse(selector)
	if err != nil {
		return nil, err
	}
	list := &coordinationv1.LeaseList{}
	for _, lease := range s.leases {
		if want.Matches(labels.Set(lease.Labels)) {
			list.Items = append(list.Items, *lease.DeepCopy())
		}
	}
	return list, nil
}

// locked calls f with mu.
func (s *server) locked(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// client sends requests through a network to the server. Only the verbs of Leases that rings use are there.
type client struct {
	coordinationv1client.LeaseInterface
	name string
	on   *server
	// send delivers a request by calling it, at any time, and returns when its response is there, or an error.
	send func(ctx context.Context, request func()) error
	// isCut reports whether watches of the client lose events.
	isCut func() bool
}

func (c *client) Leases(string) coordinationv1client.LeaseInterface { return c }

func do[T any](ctx context.Context, c *client, request func() (T, error)) (T, error) {
	type response struct {
		value T
		err   error
	}
	responses := make(chan response, 1) // the request may arrive after do has returned
	err := c.send(ctx, func() {
		c.on.locked(func() {
			c.on.requests[c.name]++
			value, err := request()
			responses <- response{value, err}
		})
	})
	if err != nil {
		var none T
		return none, err
	}
	r := <-responses
	return r.value, r.err
}

func (c *client) Get(ctx context.Context, name string, _ metav1.GetOptions) (*coordinationv1.Lease, error) {
	return do(ctx, c, func() (*coordinationv1.Lease, error) {
		c.asks()
		return c.on.get(name)
	})
}

func (c *client) Create(ctx context.Context, lease *coordinationv1.Lease, _ metav1.CreateOptions) (*coordinationv1.Lease, error) {
	return do(ctx, c, func() (*coordinationv1.Lease, error) {
		c.asks()
		return c.write(lease, c.on.create)
	})
}

func (c *client) Update(ctx context.Context, lease *coordinationv1.Lease, _ metav1.UpdateOptions) (*coordinationv1.Lease, error) {
	return do(ctx, c, func() (*coordinationv1.Lease, error) {
		c.asks()
		return c.write(lease, c.on.update)
	})
}

// fault is what happens to a write.
type fault int

const (
	none       fault = iota
	refused          // it is not carried out
	unanswered       // it is, but the client gets an error
)

// write is called with the server's mu.
func (c *client) write(lease *coordinationv1.Lease, by func(*coordinationv1.Lease) (*coordinationv1.Lease, error)) (*coordinationv1.Lease, error) {
	what := none
	if c.on.disturb != nil {
		what = c.on.disturb(c.name, lease)
	}
	if what == refused {
		return nil, apierrors.NewInternalError(errors.New("the write is refused"))
	}
	written, err := by(lease)
	if what == unanswered {
		return nil, apierrors.NewTimeoutError("the write is not answered", 0)
	}
	return written, err
}

func (c *client) Delete(ctx context.Context, name string, options metav1.DeleteOptions) error {
	_, err := do(ctx, c, func() (struct{}, error) { return struct{}{}, c.on.delete(name, options) })
	return err
}

func (c *client) List(ctx context.Context, options metav1.ListOptions) (*coordinationv1.LeaseList, error) {
	return do(ctx, c, func() (*coordinationv1.LeaseList, error) {
		c.asks()
		return c.on.list(options.LabelSelector)
	})
}

// asks is called with the server's mu.
func (c *client) asks() {
	if c.on.asked != nil {
		c.on.asked(c.name)
	}
}

func (c *client) Watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	return do(ctx, c, func() (watch.Interface, error) { return c.on.watch(options, c.isCut) })
}
