package cache

import (
	"sync"
	"time"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/packing"
)

// mergeQueue is the backlog of a handler with a bound: up to the bound every event, then at most
// one more event for each object. Events that merge to nothing leave the queue.
type mergeQueue struct {
	bound int

	mu          sync.Mutex // guards the fields below
	first, last *mergeEntry
	latest      map[delta.Name]*mergeEntry // the last entry of an object
	waiting     int                        // entries with an event, the one that is being delivered included
	merged      int64

	// reading is what is being delivered. Only the reader writes it, with mu held, and reads it
	// without.
	reading segment
	telling [1]event
}

// mergeEntry is an event, or sync markers.
type mergeEntry struct {
	event
	name           delta.Name
	marks          mark
	at             time.Time
	previous, next *mergeEntry
}

func newMergeQueue(bound int) *mergeQueue {
	return &mergeQueue{bound: bound, latest: make(map[delta.Name]*mergeEntry)}
}

func (q *mergeQueue) publish(changes []delta.Delta, at time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range changes {
		if e := eventOf(&changes[i]); e.kind != eventNone {
			q.push(e, changes[i].Name, at)
		}
	}
}

func (q *mergeQueue) mark(marks mark, at time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.append(&mergeEntry{marks: marks, at: at})
}

// address adds an event of each object, and then markers.
func (q *mergeQueue) address(objects []any, as func(obj any) event, marks mark, at time.Time) {
	q.mu.Lock()
	for _, obj := range objects {
		q.push(as(obj), nameOfObject(obj), at)
	}
	q.mu.Unlock()
	q.mark(marks, at)
}

func (q *mergeQueue) push(e event, name delta.Name, at time.Time) {
	if pending := q.latest[name]; pending != nil && q.waiting >= q.bound {
		q.merged++
		if pending.event = mergeEvents(pending.event, e); pending.kind == eventNone {
			q.remove(pending)
			q.waiting--
		}
		return
	}
	entry := &mergeEntry{event: e, name: name, at: at}
	q.append(entry)
	q.waiting++
	if name != (delta.Name{}) {
		q.latest[name] = entry
	}
}

func (q *mergeQueue) append(e *mergeEntry) {
	if e.previous = q.last; q.last == nil {
		q.first = e
	} else {
		q.last.next = e
	}
	q.last = e
}

// remove removes an entry.
func (q *mergeQueue) remove(e *mergeEntry) {
	if e.previous == nil {
		q.first = e.next
	} else {
		e.previous.next = e.next
	}
	if e.next == nil {
		q.last = e.previous
	} else {
		e.next.previous = e.previous
	}
	if q.latest[e.name] == e {
		delete(q.latest, e.name) // what is being delivered cannot be merged with
	}
}

// mergeEvents returns the event with the effect of a and then b, or none if they have no effect.
func mergeEvents(a, b event) event {
	gone := b.kind == eventDelete || b.kind == eventRelease
	switch {
	case a.old == nil && a.kind == eventDelete:
		return b // the object did not exist: b does not depend on a
	case a.old == nil && gone:
		return event{}
	case a.old == nil:
		return event{kind: eventAdd, initial: a.initial, object: b.object}
	case gone:
		return event{kind: b.kind, object: b.object, old: a.old}
	default:
		return event{kind: eventUpdate, object: b.object, old: a.old}
	}
}

func (q *mergeQueue) next() *segment {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.first
	if e == nil {
		return nil
	}
	q.remove(e)
	q.reading.marks, q.reading.at, q.reading.events = e.marks, e.at, nil
	if e.kind != eventNone {
		q.telling[0] = e.event
		q.reading.events = q.telling[:]
	}
	return &q.reading
}

func (q *mergeQueue) done(s *segment) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting -= len(s.events)
	s.events = nil
	q.telling[0] = event{}
}

func (q *mergeQueue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.first, q.last, q.latest = nil, nil, nil
	q.waiting = len(q.reading.events)
}

func (q *mergeQueue) release() { q.done(&q.reading) }

// state returns how many events wait, and when the first of them was added.
func (q *mergeQueue) state() (waiting int, oldest time.Time, merged int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.reading.events) > 0 {
		return q.waiting, q.reading.at, q.merged
	}
	for e := q.first; e != nil; e = e.next {
		if e.kind != eventNone {
			oldest = e.at
			break
		}
	}
	return q.waiting, oldest, q.merged
}

// nameOfObject returns the name of an object. Objects without a name are never merged.
func nameOfObject(obj any) delta.Name {
	if packed, ok := obj.(*packing.Object); ok {
		return delta.Name{Namespace: packed.GetNamespace(), Name: packed.Name()}
	}
	if m := delta.MetadataOf(obj); m != nil {
		return delta.NameOf(m)
	}
	return delta.Name{}
}
