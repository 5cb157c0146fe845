package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	v1 "github.com/listwatch/listwatch/bench/apis/fleet/v1"
	"github.com/listwatch/listwatch/bench/internal/contest"
)

// watched is the number of objects in in-memory informers.
const watched = 10_000

// informed is an informer that has synced, with handlers that count.
type informed struct {
	events   chan watch.Event
	versions [2][]any // of the objects
	sent     int
	next     []v1.Machine // objects to send, with their resource versions
	handlers []*counter
	held     any
}

// counter counts the events of a handler, and calls reached at a certain count.
type counter struct {
	count   atomic.Int64
	at      atomic.Int64
	reached func()
}

func (c *counter) handle(*v1.Machine) {
	if c.count.Add(1) == c.at.Load() {
		c.reached()
	}
}

// onInformer returns a start that syncs an informer with some handlers. The informer runs until
// the process ends.
func onInformer(handlers int, do func(f *informed, n int, o *contest.Observer) error) func(int, contest.Env) (contest.Run, error) {
	return func(c int, _ contest.Env) (contest.Run, error) {
		f, err := newInformed(contenders[c], handlers)
		return func(n int, o *contest.Observer) (any, error) { return f, do(f, n, o) }, err
	}
}

// newInformed returns an informer that has synced.
func newInformed(c *contender, handlers int) (*informed, error) {
	f := &informed{events: make(chan watch.Event, 1_000), versions: [2][]any{machines(watched, 1), machines(watched, 2)}}
	i := c.inform(source{
		list: func(metav1.ListOptions) (runtime.Object, error) {
			list := &v1.MachineList{ListMeta: metav1.ListMeta{ResourceVersion: "1"}}
			for _, o := range f.versions[0] {
				list.Items = append(list.Items, *o.(*v1.Machine))
			}
			return list, nil
		},
		watch: func(metav1.ListOptions) (watch.Interface, error) { return stream(f.events), nil },
	})
	var synced []func() bool
	for range handlers {
		h := &counter{}
		f.handlers = append(f.handlers, h)
		s, err := i.handle(h.handle)
		if err != nil {
			return nil, err
		}
		synced = append(synced, s)
	}
	go i.run(context.Background())
	for slices.ContainsFunc(synced, func(synced func() bool) bool { return !synced() }) {
		time.Sleep(time.Millisecond)
	}
	f.held = i.held
	return f, nil
}

// stream is a watch of events that are sent to a channel.
type stream chan watch.Event

func (stream) Stop()                            {}
func (s stream) ResultChan() <-chan watch.Event { return s }

// send sends an update. Its resource version is a number that grows, as a server's.
func (f *informed) send() {
	const batch, digits = 1_000, 10
	f.sent++
	if len(f.next) == 0 { // one allocation for many, so that they do not count
		f.next = make([]v1.Machine, batch)
		text := make([]byte, 0, batch*digits)
		for i := range batch {
			text = fmt.Appendf(text, "%0*d", digits, 1_000_000_000+f.sent+i)
		}
		for i, all := 0, string(text); i < batch; i++ {
			f.next[i].ResourceVersion = all[i*digits : (i+1)*digits]
		}
	}
	object := &f.next[0]
	f.next = f.next[1:]
	version := object.ResourceVersion
	*object = *f.versions[(f.sent/watched+1)%2][f.sent%watched].(*v1.Machine)
	object.ResourceVersion = version
	f.events <- watch.Event{Type: watch.Modified, Object: object}
}

// expect returns a function that waits until all handlers have received n more events.
func (f *informed) expect(n int) (wait func()) {
	var all sync.WaitGroup
	all.Add(len(f.handlers))
	for _, h := range f.handlers {
		h.reached = all.Done
		h.at.Store(h.count.Load() + int64(n))
	}
	return all.Wait
}

func updates(f *informed, n int, _ *contest.Observer) error {
	wait := f.expect(n)
	for range n {
		f.send()
	}
	wait()
	return nil
}

const p50, p99 = "p50, µs", "p99, µs"

// latencies sends one event after the other.
func latencies(f *informed, n int, o *contest.Observer) error {
	took := make([]time.Duration, n)
	for i := range took {
		wait := f.expect(1)
		start := time.Now()
		f.send()
		wait()
		took[i] = time.Since(start)
	}
	slices.Sort(took)
	o.Figure(p50, float64(took[n/2].Nanoseconds())/1e3)
	o.Figure(p99, float64(took[n*99/100].Nanoseconds())/1e3)
	return nil
}

// overHTTP returns a start that runs a generated informer on the server until its handler has been called for
// every object. The informer has a transform unless newTransform is nil.
func overHTTP(path string, newTransform func(*contender) transform) func(int, contest.Env) (contest.Run, error) {
	return func(c int, env contest.Env) (contest.Run, error) {
		return func(n int, o *contest.Observer) (any, error) {
			var transform transform
			if newTransform != nil {
				transform = newTransform(contenders[c])
			}
			told, all := 0, make(chan struct{})
			informer, err := contenders[c].factory(fmt.Sprint(env.URL, path, "/", n), transform, func(m *v1.Machine) {
				o.See(m)
				if told++; told == n {
					close(all)
				}
			})
			if err != nil {
				return nil, err
			}
			<-all
			return informer, nil
		}, nil
	}
}

// untypedOverHTTP runs a dynamic informer on the server until its handler has been called for every object.
func untypedOverHTTP(c int, env contest.Env) (contest.Run, error) {
	return func(n int, o *contest.Observer) (any, error) {
		told, all := 0, make(chan struct{})
		informer, err := contenders[c].untyped(fmt.Sprint(env.URL, "/sync/", n), func(m *unstructured.Unstructured) {
			o.See(m)
			if told++; told == n {
				close(all)
			}
		})
		if err != nil {
			return nil, err
		}
		<-all
		return informer, nil
	}, nil
}
