package cache

import (
	"fmt"
	"maps"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/packing"
)

// MutationDetector finds modifications of shared objects.
type MutationDetector interface {
	// AddObject starts watching an object. Anything but a [runtime.Object] is ignored.
	AddObject(obj any)
	// Run checks the objects until stopCh is closed, and a last time then.
	Run(stopCh <-chan struct{})
}

// Mutation reports that a shared object was modified.
type Mutation struct {
	// Informer describes the informer whose store contains the object.
	Informer string
	// Name is the name that the object had before.
	Name ObjectName
	// Object is the modified object; it is still shared.
	Object any
	// Fields are the JSON paths of the modified fields, such as spec.tolerations[0].key.
	Fields []string
	// Diff has a line for each modified field: its path and its value before and after.
	Diff string
	// Handlers are the names of the event handlers that may have modified the object: if DuringCall is true, those that
	// were running when it changed, otherwise all of the informer. A reader of the store may have modified it, too.
	Handlers []string
	// DuringCall reports whether the object changed during a call of one of Handlers with it.
	DuringCall bool
}

// Error describes the modification.
func (m Mutation) Error() string {
	text := fmt.Sprintf("cache %s modified: %T %s is shared and must not be modified:\n%s", m.Informer, m.Object, m.Name, m.Diff)
	switch {
	case m.DuringCall:
		text += "\nduring a call of handler " + strings.Join(m.Handlers, " or ")
	case len(m.Handlers) > 0:
		text += "\nby a reader, or one of the handlers " + strings.Join(m.Handlers, ", ")
	}
	return text
}

// mutationDetectorEnv is the variable that makes all informers watch their objects, if it has a
// true value.
const mutationDetectorEnv = "KUBE_CACHE_MUTATION_DETECTOR"

// NewCacheMutationDetector returns a detector that panics with a [Mutation] when it
// finds one, if the environment variable KUBE_CACHE_MUTATION_DETECTOR has a true value, and
// otherwise one that does nothing.
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
	// mutationCheckPeriod is how often objects are checked.
	mutationCheckPeriod = time.Second
	// mutationCheckTime is how long one check takes at most; the rest is checked later.
	mutationCheckTime = 20 * time.Millisecond
	// mutationGrace is how many checks an object is watched after it has left the store, as
	// handlers may still get it.
	mutationGrace = 2
)

// mutationDetector compares objects with copies of them, a few at a time: the objects of the store,
// and those that have just left it.
type mutationDetector struct {
	name     string
	report   func(Mutation)
	handlers func() []string // the names of the informer's handlers, nil if it has none

	mu      sync.Mutex // guards the fields below
	calls   map[*handlerCall]bool
	watched map[any]*watchedObject
	order   []*watchedObject // the same as in watched
	next    int              // the index in order to check next
	found   []Mutation       // to be reported
}

// watchedObject is an object with its copy.
type watchedObject struct {
	object, copy runtime.Object
	left         bool // the store
	grace        int  // checks that are left since then
}

// newMutationDetector returns a detector that calls report, or, if report is nil, one that panics
// if the environment variable is set, otherwise nil.
func newMutationDetector(name string, report func(Mutation)) *mutationDetector {
	if report == nil {
		if on, _ := strconv.ParseBool(os.Getenv(mutationDetectorEnv)); !on {
			return nil
		}
		report = func(m Mutation) { panic(m.Error()) }
	}
	return &mutationDetector{name: name, report: report, calls: map[*handlerCall]bool{}, watched: map[any]*watchedObject{}}
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

// observe starts watching objects that deltas bring into the store, and gives those that leave it
// their grace.
func (d *mutationDetector) observe(changes []delta.Delta) {
	for i := range changes {
		c := &changes[i]
		// Packed objects stay decoded as long as they are watched.
		if old := packing.Open(c.Old); delta.IsPointer(old) && c.Old != c.Object { // other objects are not watched, and may not be comparable
			d.leave(old)
		}
		if c.Kind == delta.Set {
			d.AddObject(packing.Open(c.Object))
		}
	}
}

// leave records that an object, a pointer, is no longer in the store.
func (d *mutationDetector) leave(obj any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if w, ok := d.watched[obj]; ok {
		w.left, w.grace = true, mutationGrace
	}
}

// check compares an object with its copy. during is the call that ends, or nil. A change that another check finds while a call with
// the object runs is of that call. d.mu is held.
func (d *mutationDetector) check(w *watchedObject, during *handlerCall) {
	if reflect.DeepEqual(w.object, w.copy) {
		return
	}
	name, _ := ObjectToName(w.copy)
	m := Mutation{Informer: d.name, Name: name, Object: w.object}
	m.Fields, m.Diff = describeDifference(w.copy, w.object)
	for c := range d.calls {
		if during == nil && slices.Contains(c.objects, any(w.object)) {
			during = c
		}
	}
	if during != nil {
		m.DuringCall, m.Handlers = true, slices.Compact(slices.Sorted(maps.Values(during.running)))
	}
	d.found = append(d.found, m)
	w.copy = w.object.DeepCopyObject()
}

// handlerCall is a call of a handler.
type handlerCall struct {
	name    string
	objects []any
	running map[*handlerCall]string // the calls that run now, its own included, with the handlers' names
}

// begin is called before a handler is called for an event.
func (d *mutationDetector) begin(name string, e *event) *handlerCall {
	c := &handlerCall{name: name, objects: []any{e.object, e.old}, running: map[*handlerCall]string{}}
	c.running[c] = name
	if tombstone, ok := e.object.(DeletedFinalStateUnknown); ok {
		c.objects[0] = tombstone.Obj
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.checkObjects(c, nil)
	for other := range d.calls {
		other.running[c], c.running[other] = name, other.name
	}
	d.calls[c] = true
	return c
}

// end is called when the handler has returned.
func (d *mutationDetector) end(c *handlerCall) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.checkObjects(c, c)
	delete(d.calls, c)
	for other := range d.calls {
		d.checkObjects(other, other)
		delete(other.running, c) // what happens from here on is not its doing
	}
}

// checkObjects checks the objects of a call. d.mu is held.
func (d *mutationDetector) checkObjects(c, during *handlerCall) {
	for _, obj := range c.objects {
		if !delta.IsPointer(obj) {
			continue
		}
		if w, ok := d.watched[obj]; ok {
			d.check(w, during)
		}
	}
}

// Run implements [MutationDetector].
func (d *mutationDetector) Run(stopCh <-chan struct{}) {
	ticker := time.NewTicker(mutationCheckPeriod)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			d.checkAll(mutationCheckTime)
		case <-stopCh:
			d.checkAll(math.MaxInt64)
			return
		}
	}
}

// checkAll checks objects, each at most once, for at most limit, and reports mutations.
func (d *mutationDetector) checkAll(limit time.Duration) {
	d.checkSome(limit)
	d.mu.Lock()
	found := d.found
	d.found = nil
	d.mu.Unlock()
	for _, m := range found {
		if !m.DuringCall && d.handlers != nil {
			m.Handlers = d.handlers()
		}
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
		d.check(w, nil)
		d.next++
		if w.left {
			if w.grace--; w.grace < 0 {
				d.forget(w)
			}
		}
	}
}

// forget stops watching the object that was just checked. d.mu is held.
func (d *mutationDetector) forget(w *watchedObject) {
	delete(d.watched, w.object)
	d.next--
	last := len(d.order) - 1
	d.order[d.next], d.order[last] = d.order[last], nil
	d.order = d.order[:last]
}

// observedSink passes deltas to a detector before the handlers get them.
type observedSink struct {
	deltaSink
	detector *mutationDetector
}

func (s observedSink) publish(changes []delta.Delta) {
	s.detector.observe(changes)
	s.deltaSink.publish(changes)
}
