package cache_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/listwatch/listwatch/runtime/cache"
)

// handlerConfig configures a handler of the model.
type handlerConfig struct {
	Slow       time.Duration // duration of a call
	PanicEvery int           // number of events; 0 is never
	Resync     time.Duration // 0 is never
	Bound      int           // of its backlog, 0 for none
	As         handlerForm   // how it is added
	Quits      int           // number of events after which it removes itself; 0 is never
}

// handlerForm is a kind of event handler.
type handlerForm int

const (
	asHandler handlerForm = iota
	asFuncs
	asTyped
	handlerForms
)

// modelHandler is an event handler that compares its calls with the truth. The contract, for each
// object: the first event is an add, followed by updates from the last received state to a later
// one, or a deletion, and after a deletion an add again; each state is one that the object had;
// events of several objects are in order of arrival from the source.
type modelHandler struct {
	world  *modelWorld
	id     int
	config handlerConfig

	registration atomic.Pointer[cache.ResourceEventHandlerRegistration]
	busy         atomic.Bool // in a call
	over         atomic.Bool // further calls are errors
	removed      bool        // by an operation; only used by operations

	mu       sync.Mutex // guards the fields below
	joined   int64      // version of the server's state when it was added; 0 if before the start
	view     map[cache.ObjectName]*modelObject
	position []int // by source: the handler's position in its deliveries
	told     map[cache.ObjectName]bool
	resynced map[cache.ObjectName]int // how often
	events   int
	gate     chan struct{} // not nil while it is blocked: calls wait until it is closed
}

func newModelHandler(w *modelWorld, id int, config handlerConfig) *modelHandler {
	return &modelHandler{
		world: w, id: id, config: config,
		view: map[cache.ObjectName]*modelObject{}, told: map[cache.ObjectName]bool{}, resynced: map[cache.ObjectName]int{},
		position: make([]int, len(w.server.sources)),
	}
}

func (h *modelHandler) name() string { return fmt.Sprint("handler ", h.id) }

func (h *modelHandler) String() string { return fmt.Sprintf("%s %+v", h.name(), h.config) }

func (h *modelHandler) OnAdd(obj any, isInInitialList bool) {
	h.call(func() {
		o := h.known(obj)
		if o == nil {
			return
		}
		name := nameOf(o)
		if held := h.view[name]; held != nil {
			h.fail("add of %s at %s, which it has at %s", name, o.ResourceVersion, held.ResourceVersion)
		}
		h.checkInitial(o, isInInitialList)
		late := h.joined > 0 && isInInitialList
		if !late {
			h.advance("add", o)
		}
		h.checkStored(o)
		h.view[name], h.told[name] = o, true
	})
}

func (h *modelHandler) OnUpdate(oldObj, newObj any) {
	h.call(func() {
		older, newer := h.known(oldObj), h.known(newObj)
		if older == nil || newer == nil {
			return
		}
		name := nameOf(newer)
		held := h.view[name]
		switch {
		case nameOf(older) != name:
			h.fail("updated %s to %s", nameOf(older), name)
		case held == nil:
			h.fail("updated %s from %s to %s, which it does not hold", name, older.ResourceVersion, newer.ResourceVersion)
		case held.ResourceVersion != older.ResourceVersion:
			h.fail("update of %s from %s to %s, which it has at %s", name, older.ResourceVersion, newer.ResourceVersion, held.ResourceVersion)
		case parseRV(newer.ResourceVersion) < parseRV(older.ResourceVersion):
			h.fail("updated %s back from %s to %s", name, older.ResourceVersion, newer.ResourceVersion)
		case newer.ResourceVersion == older.ResourceVersion:
			h.checkResync(name)
		default:
			h.advance("update", newer)
		}
		h.checkStored(newer)
		h.view[name] = newer
	})
}

func (h *modelHandler) OnDelete(obj any) {
	h.call(func() {
		if tombstone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
			h.onTombstone(tombstone)
			return
		}
		o, ok := obj.(*modelObject)
		if !ok {
			h.fail("deleted a %T", obj)
			return
		}
		name := nameOf(o)
		held := h.view[name]
		w, known := h.world.server.at(parseRV(o.ResourceVersion))
		switch {
		case held == nil:
			h.fail("deleted %s at %s, which it does not hold", name, o.ResourceVersion)
		case !known || w.name != name || !w.gone:
			h.fail("deletion of %s at %s, at which it was not deleted", name, o.ResourceVersion)
		case w.rv <= parseRV(held.ResourceVersion):
			h.fail("deletion of %s at %s, which it has at %s", name, o.ResourceVersion, held.ResourceVersion)
		}
		h.checkTransformed(o)
		h.advance("delete", o)
		h.checkAbsent(name, w.rv)
		delete(h.view, name)
	})
}

func (h *modelHandler) onTombstone(tombstone cache.DeletedFinalStateUnknown) {
	o, ok := tombstone.Obj.(*modelObject)
	if !ok {
		h.fail("deleted %s with a %T for its last state", tombstone.Key, tombstone.Obj)
		return
	}
	name := nameOf(o)
	held := h.view[name]
	switch {
	case name.String() != tombstone.Key:
		h.fail("deleted %s with the last state of %s", tombstone.Key, name)
	case held == nil:
		h.fail("deleted %s, which it does not hold, by a tombstone", name)
	case h.config.Bound > 0 && parseRV(held.ResourceVersion) < parseRV(o.ResourceVersion): // an update was merged with it
	case held.ResourceVersion != o.ResourceVersion:
		h.fail("deletion of %s at %s by a tombstone with %s", name, held.ResourceVersion, o.ResourceVersion)
	}
	source := h.world.sourceOf(name)
	at, ok := source.findGone(h.position[source.index], name)
	if !ok {
		h.fail("deletion of %s by a tombstone, without a deletion before", name)
		return
	}
	h.moveTo(source, at)
	h.checkAbsent(name, parseRV(o.ResourceVersion))
	delete(h.view, name)
}

// call runs the body of a callback, with the checks common to all.
func (h *modelHandler) call(body func()) {
	if !h.busy.CompareAndSwap(false, true) {
		h.fail("concurrent calls")
	}
	defer h.busy.Store(false)
	if h.over.Load() {
		h.fail("called after its end")
	}
	h.mu.Lock()
	body()
	h.events++
	events, gate := h.events, h.gate
	h.mu.Unlock()

	if h.config.Slow > 0 {
		time.Sleep(h.config.Slow)
	}
	if gate != nil {
		<-gate
	}
	if h.config.Quits > 0 && events == h.config.Quits {
		if registration := h.registration.Load(); registration != nil {
			if err := h.world.informer.RemoveEventHandler(*registration); err != nil {
				h.fail("cannot remove itself: %v", err)
			}
			h.over.Store(true)
		}
	}
	if every := h.config.PanicEvery; every > 0 && events%every == 0 {
		panic("the model wants it")
	}
}

// known returns an object as one that existed on the server.
func (h *modelHandler) known(obj any) *modelObject {
	o, ok := obj.(*modelObject)
	if !ok {
		h.fail("received a %T", obj)
		return nil
	}
	w, ok := h.world.server.at(parseRV(o.ResourceVersion))
	switch name := nameOf(o); {
	case !ok || w.name != name:
		h.fail("received %s at %s, a state that it never had", name, o.ResourceVersion)
		return nil
	case w.gone || w.color == colorUnreadable:
		h.fail("received %s at %s, when it was deleted or undecodable", name, o.ResourceVersion)
		return nil
	case w.uid != o.UID || w.color != o.Labels[colorLabel]:
		h.fail("received %s at %s as %s and %s, was %s and %s", name, o.ResourceVersion, o.UID, o.Labels[colorLabel], w.uid, w.color)
	}
	h.checkTransformed(o)
	return o
}

func (h *modelHandler) checkTransformed(o *modelObject) {
	if want := h.world.transformations(); o.Annotations[transformedAnnotation] != want {
		h.fail("received %s with %q transformations, want %q", nameOf(o), o.Annotations[transformedAnnotation], want)
	}
}

// advance advances to where the source delivered a state.
func (h *modelHandler) advance(what string, o *modelObject) {
	source := h.world.sourceOf(nameOf(o))
	at, ok := source.find(h.position[source.index], parseRV(o.ResourceVersion))
	if !ok {
		h.fail("%s of %s at %s is out of order", what, nameOf(o), o.ResourceVersion)
		return
	}
	h.moveTo(source, at)
}

// moveTo records the handler's position, unless its events are merged: then there is no order
// between objects.
func (h *modelHandler) moveTo(source *modelSource, at int) {
	if h.config.Bound == 0 {
		h.position[source.index] = at
	}
}

// checkInitial compares isInInitialList of an add with the first list, and with whether the handler
// has synced.
func (h *modelHandler) checkInitial(o *modelObject, initial bool) {
	name := nameOf(o)
	if initial && h.synced() {
		h.fail("reports sync, and then receives %s of the first list", name)
	}
	w, listed := h.world.sourceOf(name).first()[name]
	listed = listed && w.rv == parseRV(o.ResourceVersion)
	switch {
	case h.joined > 0 || h.config.Bound > 0: // objects that existed when it was added are initial too
	case initial != listed:
		h.fail("added %s at %s with initial=%v", name, o.ResourceVersion, initial)
	}
}

// checkResync checks an update that changes nothing.
func (h *modelHandler) checkResync(name cache.ObjectName) {
	h.resynced[name]++
	switch {
	case h.config.Resync == 0:
		h.fail("received %s again without requesting resyncs", name)
	case h.registration.Load() != nil && !h.synced():
		h.fail("received %s again before it has synced", name)
	}
}

func (h *modelHandler) synced() bool {
	registration := h.registration.Load()
	return registration != nil && (*registration).HasSynced()
}

// checkStored checks that the store contains the received state, or a later one.
func (h *modelHandler) checkStored(o *modelObject) {
	name, rv := nameOf(o), parseRV(o.ResourceVersion)
	stored, ok := h.world.stored(name)
	switch {
	case ok && parseRV(stored.ResourceVersion) < rv:
		h.fail("received %s at %s before the store, which has %s", name, o.ResourceVersion, stored.ResourceVersion)
	case !ok && !h.world.server.goneAfter(name, rv):
		h.fail("received %s at %s, which is not in the store", name, o.ResourceVersion)
	}
}

// checkAbsent checks that the store contains no state of a deleted object up to rv.
func (h *modelHandler) checkAbsent(name cache.ObjectName, rv int64) {
	if stored, ok := h.world.stored(name); ok && parseRV(stored.ResourceVersion) <= rv {
		h.fail("received the deletion of %s at %d, but the store has it at %s", name, rv, stored.ResourceVersion)
	}
}

// checkView compares the handler, which has received everything, with the truth.
func (h *modelHandler) checkView(truth map[cache.ObjectName]write) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for name, w := range truth {
		switch held := h.view[name]; {
		case held == nil:
			h.fail("never received %s at %d", name, w.rv)
		case parseRV(held.ResourceVersion) != w.rv:
			h.fail("last received %s at %s, which is at %d", name, held.ResourceVersion, w.rv)
		}
	}
	for name := range h.view {
		if _, ok := truth[name]; !ok {
			h.fail("did not receive the deletion of %s", name)
		}
	}
}

// checkTold checks that it has received each of the objects. A bound may merge an add with the
// following deletion to nothing.
func (h *modelHandler) checkTold(objects map[cache.ObjectName]write) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for name, w := range objects {
		if !h.told[name] && (h.config.Bound == 0 || !h.world.server.goneAfter(name, w.rv)) {
			h.fail("reports sync, but has not received %s", name)
		}
	}
}

// block makes calls wait, or lets them continue.
func (h *modelHandler) block(blocked bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case blocked && h.gate == nil:
		h.gate = make(chan struct{})
	case !blocked && h.gate != nil:
		close(h.gate)
		h.gate = nil
	}
}

func (h *modelHandler) fail(format string, args ...any) {
	h.world.fail("%s: %s", h, fmt.Sprintf(format, args...))
}

func nameOf(o metav1.Object) cache.ObjectName {
	return cache.ObjectName{Namespace: o.GetNamespace(), Name: o.GetName()}
}
