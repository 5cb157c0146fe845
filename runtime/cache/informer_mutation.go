package cache

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"strconv"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// MutationDetector watches shared objects for being changed.
type MutationDetector interface {
	// AddObject begins to watch an object. What is no [runtime.Object] is left out.
	AddObject(obj any)
	// Run looks after the objects until stopCh is closed, and a last time then.
	Run(stopCh <-chan struct{})
}

// Mutation is the change of an object that is shared and must not be changed.
type Mutation struct {
	// Informer says in whose store the object is.
	Informer string
	// Name says which object it is, by what it was called before.
	Name ObjectName
	// Object is the object, as it was found; it is still shared.
	Object any
	// Diff has a line for each field that was changed: its path and its value before
	// and after.
	Diff string
}

// Error says what was changed.
func (m Mutation) Error() string {
	return fmt.Sprintf("cache %s modified: %T %s was changed by who must only read it:\n%s", m.Informer, m.Object, m.Name, m.Diff)
}

// mutationDetectorEnv is the variable that, set to a true value, makes all informers
// watch their objects.
const mutationDetectorEnv = "KUBE_CACHE_MUTATION_DETECTOR"

// NewCacheMutationDetector returns a detector that panics with a [Mutation] when it
// finds one, if the environment variable KUBE_CACHE_MUTATION_DETECTOR has a true value,
// and otherwise one that does nothing.
func NewCacheMutationDetector(name string) MutationDetector {
	if d := newMutationDetector(name, nil); d != nil {
		return d
	}
	return noMutationDetector{}
}

type noMutationDetector struct{}

func (noMutationDetector) AddObject(any)       {}
func (noMutationDetector) Run(<-chan struct{}) {}

const (
	// mutationCheckPeriod is how often objects are looked at.
	mutationCheckPeriod = time.Second
	// mutationCheckTime is for how long they are then; the rest has its turn later.
	mutationCheckTime = 20 * time.Millisecond
	// mutationGrace is how many rounds an object that has left the store is watched
	// on, as handlers may yet be given it.
	mutationGrace = 2
)

// mutationDetector compares objects with copies of them: those of the store, and those
// that have just left it, by turns that take little time.
type mutationDetector struct {
	name   string
	report func(Mutation)

	mu      sync.Mutex // guards what follows
	watched map[any]*watchedObject
	order   []*watchedObject // those of watched
	next    int              // which of order has its turn next
	found   []Mutation       // to be reported
}

// watchedObject is an object and what it is to be equal to.
type watchedObject struct {
	object, copy runtime.Object
	left         bool // the store
	grace        int  // rounds that are left since
}

// newMutationDetector returns a detector that calls report, or panics if the
// environment says so; otherwise nil.
func newMutationDetector(name string, report func(Mutation)) *mutationDetector {
	if report == nil {
		if on, _ := strconv.ParseBool(os.Getenv(mutationDetectorEnv)); !on {
			return nil
		}
		report = func(m Mutation) { panic(m.Error()) }
	}
	return &mutationDetector{name: name, report: report, watched: map[any]*watchedObject{}}
}

// AddObject implements [MutationDetector].
func (d *mutationDetector) AddObject(obj any) {
	o, ok := obj.(runtime.Object)
	if !ok || !delta.IsPointer(obj) {
		return
	}
	w := &watchedObject{object: o, copy: o.DeepCopyObject()}
	d.mu.Lock()
	defer d.mu.Unlock()
	if again, ok := d.watched[obj]; ok {
		again.left = false
		return
	}
	d.watched[obj] = w
	d.order = append(d.order, w)
}

// observe watches what changes bring into the store, and what they take out for a little
// longer.
func (d *mutationDetector) observe(changes []delta.Delta) {
	for i := range changes {
		c := &changes[i]
		if delta.IsPointer(c.Old) && c.Old != c.Object { // others are not watched, and may not be comparable
			d.leave(c.Old)
		}
		if c.Kind == delta.Set {
			d.AddObject(c.Object)
		}
	}
}

// leave notes that an object, a pointer, is no longer in the store.
func (d *mutationDetector) leave(obj any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if w, ok := d.watched[obj]; ok {
		w.left, w.grace = true, mutationGrace
	}
}

// check compares an object with its copy. d.mu is held.
func (d *mutationDetector) check(w *watchedObject) {
	if reflect.DeepEqual(w.object, w.copy) {
		return
	}
	name, _ := ObjectToName(w.copy)
	d.found = append(d.found, Mutation{
		Informer: d.name, Name: name, Object: w.object, Diff: describeDifference(w.copy, w.object),
	})
	w.copy = w.object.DeepCopyObject()
}

// Run implements [MutationDetector].
func (d *mutationDetector) Run(stopCh <-chan struct{}) {
	ticker := time.NewTicker(mutationCheckPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			d.round(mutationCheckTime)
		case <-stopCh:
			d.round(math.MaxInt64)
			return
		}
	}
}

// round checks objects, each at most once, for as long as it may, and reports what was
// found.
func (d *mutationDetector) round(limit time.Duration) {
	d.checkSome(limit)
	d.mu.Lock()
	found := d.found
	d.found = nil
	d.mu.Unlock()
	for _, m := range found {
		d.report(m)
	}
}

func (d *mutationDetector) checkSome(limit time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	start := time.Now()
	for range len(d.order) {
		if len(d.order) == 0 || time.Since(start) > limit {
			return
		}
		d.next %= len(d.order)
		w := d.order[d.next]
		d.check(w)
		d.next++
		if w.left {
			if w.grace--; w.grace < 0 {
				d.forget(w)
			}
		}
	}
}

// forget stops to watch the object that was just looked at. d.mu is held.
func (d *mutationDetector) forget(w *watchedObject) {
	delete(d.watched, w.object)
	d.next--
	last := len(d.order) - 1
	d.order[d.next], d.order[last] = d.order[last], nil
	d.order = d.order[:last]
}

// observedSink is a sink whose changes a detector sees before the handlers do.
type observedSink struct {
	deltaSink
	detector *mutationDetector
}

func (s observedSink) publish(changes []delta.Delta) {
	s.detector.observe(changes)
	s.deltaSink.publish(changes)
}
