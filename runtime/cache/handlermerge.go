package cache

import (
	"sync"
	"time"
)

// mergeQueue holds what a handler with a bound has not been told of: up to the bound
// each event, then no more than one further event an object.
type mergeQueue struct {
	bound int

	mu      sync.Mutex         // guards what follows
	entries []mergeEntry       // in order; the first is the next to be told
	first   int                // position of entries[0], counted from the very first entry
	latest  map[ObjectName]int // position of the last entry of an object, unless it is being told
	waiting int                // entries with an event
	merged  int64

	reading segment // belongs to the reader
	telling [1]event
}

type mergeEntry struct {
	event
	name  ObjectName
	marks mark
	at    time.Time
}

func newMergeQueue(bound int) *mergeQueue {
	return &mergeQueue{bound: bound, latest: make(map[ObjectName]int)}
}

func (q *mergeQueue) publish(changes []change, at time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range changes {
		if e := eventOf(&changes[i]); e.kind != eventNone {
			q.push(mergeEntry{event: e, name: changes[i].name, at: at})
		}
	}
}

func (q *mergeQueue) mark(marks mark, at time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.entries = append(q.entries, mergeEntry{marks: marks, at: at})
}

// address adds an event of each object, and then marks.
func (q *mergeQueue) address(objects []any, as func(obj any) event, marks mark, at time.Time) {
	q.mu.Lock()
	for _, obj := range objects {
		q.push(mergeEntry{event: as(obj), name: nameOfObject(obj), at: at})
	}
	q.mu.Unlock()
	q.mark(marks, at)
}

func (q *mergeQueue) push(e mergeEntry) {
	at, ok := q.latest[e.name]
	if ok && q.waiting >= q.bound {
		pending := &q.entries[at-q.first]
		pending.event = mergeEvents(pending.event, e.event)
		q.merged++
		if pending.kind == eventNone {
			q.waiting--
			delete(q.latest, e.name)
		}
		return
	}
	if e.name != (ObjectName{}) {
		q.latest[e.name] = q.first + len(q.entries)
	}
	q.entries = append(q.entries, e)
	q.waiting++
}

// mergeEvents returns the event that leads to where a and then b lead, or none if
// that is where it began.
func mergeEvents(a, b event) event {
	gone := b.kind == eventDelete
	switch {
	case a.old == nil && a.kind == eventDelete:
		return b // nothing was there: what a tells is of no use to b
	case a.old == nil && gone:
		return event{}
	case a.old == nil:
		return event{kind: eventAdd, initial: a.initial, object: b.object}
	case gone:
		return event{kind: eventDelete, object: b.object, old: a.old}
	default:
		return event{kind: eventUpdate, object: b.object, old: a.old}
	}
}

func (q *mergeQueue) next() *segment {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.entries) > 0 && q.entries[0].kind == eventNone && q.entries[0].marks == 0 {
		q.drop()
	}
	if len(q.entries) == 0 {
		return nil
	}
	e := &q.entries[0]
	if q.reading.marks = e.marks; e.marks != 0 {
		q.reading.events = nil
		return &q.reading
	}
	if q.latest[e.name] == q.first {
		delete(q.latest, e.name) // what is being told cannot be merged with
	}
	q.telling[0] = e.event
	q.reading.events = q.telling[:]
	return &q.reading
}

func (q *mergeQueue) done(*segment) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.entries[0].kind != eventNone {
		q.waiting--
	}
	q.drop()
	q.telling[0] = event{}
}

// drop removes the first entry.
func (q *mergeQueue) drop() {
	q.entries[0] = mergeEntry{}
	q.entries = q.entries[1:]
	q.first++
}

func (q *mergeQueue) release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.entries, q.latest = nil, nil
	q.telling[0] = event{}
}

// state returns how many events wait and since when the first does.
func (q *mergeQueue) state() (waiting int, oldest time.Time, merged int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, e := range q.entries {
		if e.kind != eventNone {
			oldest = e.at
			break
		}
	}
	return q.waiting, oldest, q.merged
}

// nameOfObject returns the name of an object, or none: then it is never merged.
func nameOfObject(obj any) ObjectName {
	if m := metadataOf(obj); m != nil {
		return MetaObjectToName(m)
	}
	return ObjectName{}
}
