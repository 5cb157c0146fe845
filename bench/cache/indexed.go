package main

import (
	"fmt"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	v1 "github.com/listwatch/listwatch/bench/apis/fleet/v1"
	"github.com/listwatch/listwatch/bench/internal/contest"
)

// machine returns an object with only metadata, in a version.
func machine(number, version int) *v1.Machine {
	return &v1.Machine{ObjectMeta: metav1.ObjectMeta{
		Name:            fmt.Sprintf("worker-%06d", number),
		Namespace:       fmt.Sprintf("namespace-%02d", number%namespaces),
		UID:             types.UID(fmt.Sprintf("5d8c1f0e-7a64-4b1b-9c3d-%012x", number)),
		ResourceVersion: fmt.Sprint(1_000_000*version + number),
		Labels: map[string]string{
			"app.kubernetes.io/name": "worker",
			instanceLabel:            fmt.Sprintf("worker-%d", number%instances),
			"fleet.example.com/zone": fmt.Sprintf("zone-%c", 'a'+number%3),
		},
	}}
}

func machines(n, version int) []any {
	objects := make([]any, n)
	for i := range objects {
		objects[i] = machine(i, version)
	}
	return objects
}

// filled is an indexer with all objects, and the data of the works on it.
type filled struct {
	indexer
	lister
	// objects are its objects, and changed the same objects in another version.
	objects, changed []any
	keys             []string
}

// newFilled returns n objects, without an indexer.
func newFilled(n int) *filled {
	f := &filled{objects: machines(n, 1), changed: machines(n, 2)}
	for _, o := range f.objects {
		m := o.(*v1.Machine)
		f.keys = append(f.keys, m.Namespace+"/"+m.Name)
	}
	return f
}

// fill adds the objects to a new indexer.
func (f *filled) fill(c *contender) error {
	f.indexer = c.indexer()
	f.lister = c.lister(f.indexer)
	return repeat(len(f.objects), func(i int) error { return f.Add(f.objects[i]) })
}

// onIndexer returns a start that fills an indexer first.
func onIndexer(do func(f *filled, n int, o *contest.Observer) error) func(int, contest.Env) (contest.Run, error) {
	return func(c int, _ contest.Env) (contest.Run, error) {
		f := newFilled(cached)
		if err := f.fill(contenders[c]); err != nil {
			return nil, err
		}
		return func(n int, o *contest.Observer) (any, error) { return f, do(f, n, o) }, nil
	}
}

// expect returns an error unless a list has n objects.
func expect(n, want int, err error) error {
	if err == nil && n != want {
		err = fmt.Errorf("got %d objects, want %d", n, want)
	}
	return err
}

// repeat calls do n times, until it fails.
func repeat(n int, do func(i int) error) error {
	for i := range n {
		if err := do(i); err != nil {
			return err
		}
	}
	return nil
}

func listAll(f *filled, n int, _ *contest.Observer) error {
	return repeat(n, func(int) error { return expect(len(f.List()), cached, nil) })
}

func byNamespace(f *filled, n int, _ *contest.Observer) error {
	return repeat(n, func(i int) error {
		objects, err := f.ByIndex("namespace", f.namespaceOf(i))
		return expect(len(objects), cached/namespaces, err)
	})
}

func (f *filled) namespaceOf(i int) string { return f.objects[i%cached].(*v1.Machine).Namespace }

func replaceAll(f *filled, n int, _ *contest.Observer) error {
	return repeat(n, func(i int) error { return f.Replace(f.version(i), "1") })
}

// version returns the objects in one of the two versions, in turns.
func (f *filled) version(i int) []any {
	if i%2 == 0 {
		return f.changed
	}
	return f.objects
}

func updateEach(f *filled, n int, _ *contest.Observer) error {
	return repeat(n, func(i int) error { return f.Update(f.version(i / cached)[i%cached]) })
}

func addEach(c int, _ contest.Env) (contest.Run, error) {
	objects := machines(cached, 1)
	return func(n int, _ *contest.Observer) (any, error) {
		i := contenders[c].indexer()
		return i, repeat(n, func(k int) error { return i.Add(objects[k%cached]) })
	}, nil
}

func getEach(f *filled, n int, _ *contest.Observer) error {
	return repeat(n, func(i int) error {
		_, exists, err := f.GetByKey(f.keys[i*31%len(f.keys)])
		if err == nil && !exists {
			err = fmt.Errorf("object %d is not there", i)
		}
		return err
	})
}

const writes, reads = "writes per second", "reads per second"

// writeBesideReader updates objects for n milliseconds while they are read.
func writeBesideReader(f *filled, n int, o *contest.Observer) error {
	var stop atomic.Bool
	var read int
	var readErr error
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ; !stop.Load() && readErr == nil; read += 1_000 {
			readErr = getEach(f, 1_000, o)
		}
	}()
	start, written := time.Now(), 0
	var err error
	for ; time.Since(start) < time.Duration(n)*time.Millisecond && err == nil; written += 1_000 {
		err = repeat(1_000, func(i int) error {
			i += written
			return f.Update(f.version(i / cached)[i%cached])
		})
	}
	stop.Store(true)
	<-done
	seconds := time.Since(start).Seconds()
	o.Figure(writes, float64(written)/seconds)
	o.Figure(reads, float64(read)/seconds)
	if err != nil {
		return err
	}
	return readErr
}

func listerAll(f *filled, n int, _ *contest.Observer) error {
	return repeat(n, func(int) error {
		objects, err := f.list(labels.Everything())
		return expect(len(objects), cached, err)
	})
}

func listerNamespace(f *filled, n int, _ *contest.Observer) error {
	return repeat(n, func(i int) error {
		objects, err := f.namespace(f.namespaceOf(i)).List(labels.Everything())
		return expect(len(objects), cached/namespaces, err)
	})
}

func listerSelector(f *filled, n int, _ *contest.Observer) error {
	selector, err := labels.Parse("app.kubernetes.io/name=worker,app.kubernetes.io/instance in (worker-1,worker-2)")
	if err != nil {
		return err
	}
	return repeat(n, func(int) error {
		objects, err := f.list(selector)
		return expect(len(objects), 2*cached/instances, err)
	})
}

func listerGet(f *filled, n int, _ *contest.Observer) error {
	return repeat(n, func(i int) error {
		m := f.objects[i*31%cached].(*v1.Machine)
		_, err := f.namespace(m.Namespace).Get(m.Name)
		return err
	})
}
