package cache

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/packing"
)

// event is what a handler is called for.
type event struct {
	kind    eventKind
	initial bool // of an add
	object  any
	old     any // the state before, nil if there is none
}

// opened returns e with decoded objects, if they are packed.
func (e event) opened() event {
	if tombstone, ok := e.object.(DeletedFinalStateUnknown); ok {
		tombstone.Obj = packing.Open(tombstone.Obj)
		e.object = tombstone
		return e
	}
	e.object = packing.Open(e.object)
	if e.kind == eventUpdate { // after the object, so that both are the same if they were, as in a resync
		e.old = packing.Open(e.old)
	}
	return e
}

type eventKind uint8

const (
	eventNone eventKind = iota
	eventAdd
	eventUpdate
	eventDelete
	eventRelease
)

// eventOf returns the event of a delta that the store has applied: eventNone if it concerns no
// object.
func eventOf(c *delta.Delta) event {
	switch {
	case c.Kind == delta.Set && c.Old == nil:
		return event{kind: eventAdd, initial: c.Initial, object: c.Object}
	case c.Kind == delta.Set:
		return event{kind: eventUpdate, object: c.Object, old: c.Old}
	case c.Lost && c.Old == nil:
		return event{}
	case c.Lost:
		return event{kind: eventRelease, object: c.Old, old: c.Old}
	case c.Kind == delta.Delete:
		if tombstone, ok := c.Object.(DeletedFinalStateUnknown); ok && tombstone.Obj == nil {
			return eventOfStateless(tombstone, c.Old)
		}
		return event{kind: eventDelete, object: c.Object, old: c.Old}
	default:
		return event{}
	}
}

// eventOfStateless returns the event of a deletion without a state: it has the last stored state,
// and is eventNone if there was none.
func eventOfStateless(tombstone DeletedFinalStateUnknown, old any) event {
	if old == nil {
		return event{}
	}
	tombstone.Obj = old
	return event{kind: eventDelete, object: tombstone, old: old}
}

// segmentSize is the maximum number of events in a segment: what handlers have read is freed by the
// segment.
const segmentSize = 256

// mark is a sync marker: a handler that has read the segment has reached it.
type mark uint8

const (
	markSynced   mark = 1 << iota // the initial objects
	markResynced                  // a resync
)

// segment is a part of the log: events that arrived together, or a marker. It does not change after
// it is linked, except next and what the last reader frees.
type segment struct {
	next   atomic.Pointer[segment] // set once, when the next one is appended; loaded by cursors without a lock
	events []event
	marks  mark
	at     time.Time // when it was appended
	to     []*cursor // the cursors that read it; nil means all
	copies *copies   // of its objects; nil if handlers get none

	// readers is how many cursors have not read events yet; the last one frees them, since an idle
	// handler retains the segment.
	readers atomic.Int32
}

// read records that one of the readers has read the events, or never will.
func (s *segment) read() {
	if s.readers.Add(-1) == 0 {
		clear(s.events)
		s.events, s.copies = nil, nil
	}
}

// newSegment returns a segment with room for n events, in one allocation for a single event, the
// usual case when little happens.
func newSegment(n int, at time.Time) *segment {
	if n == 1 {
		lone := &struct {
			segment
			event [1]event
		}{segment: segment{at: at}}
		lone.events = lone.event[:0]
		return &lone.segment
	}
	return &segment{events: make([]event, 0, n), at: at}
}

func (s *segment) concerns(c *cursor) bool {
	return s.to == nil || slices.Contains(s.to, c)
}

// handlerLog stores each event once, for all handlers: a handler is a cursor, and segments that all
// cursors have passed are freed. A removed handler releases at once what it has not started to read.
// Objects for a handler that is added late, and resyncs, are segments for some handlers only. Sync
// markers define "synced": a handler has synced when it has read past the marker. A handler with a
// bound has a queue of its own, which merges events by name.
//
// It is a list of segments, of which it only refers to the last: the others are referenced
// by cursors that have not read them yet. It is guarded by the processor's lock; reading needs no
// lock.
type handlerLog struct {
	tail    *segment
	copying bool // handlers get copies
	cursors int  // number of cursors
	total   int  // number of events that were appended for all cursors
}

func newHandlerLog(copying bool) handlerLog { return handlerLog{tail: new(segment), copying: copying} }

// append appends the events of deltas, for all cursors.
func (l *handlerLog) append(changes []delta.Delta, at time.Time) {
	if l.cursors == 0 {
		return
	}
	for chunk := range slices.Chunk(changes, segmentSize) {
		s := newSegment(len(chunk), at)
		for i := range chunk {
			if e := eventOf(&chunk[i]); e.kind != eventNone {
				s.events = append(s.events, e)
			}
		}
		if len(s.events) > 0 {
			l.link(s)
		}
	}
}

// mark appends marks for all cursors.
func (l *handlerLog) mark(marks mark, at time.Time) {
	l.link(&segment{marks: marks, at: at})
}

// address appends an event of each object for some cursors, and then marks.
func (l *handlerLog) address(to []*cursor, objects []any, as func(obj any) event, marks mark, at time.Time) {
	for chunk := range slices.Chunk(objects, segmentSize) {
		s := newSegment(len(chunk), at)
		s.to = to
		for _, obj := range chunk {
			s.events = append(s.events, as(obj))
		}
		l.link(s)
	}
	for _, c := range to {
		c.expected += len(objects)
	}
	l.link(&segment{marks: marks, to: to, at: at})
}

func (l *handlerLog) link(s *segment) {
	if l.copying && len(s.events) > 0 {
		s.copies = new(copies)
	}
	if s.to == nil {
		l.total += len(s.events)
		s.readers.Store(int32(l.cursors))
	} else {
		s.readers.Store(int32(len(s.to)))
	}
	l.tail.next.Store(s)
	l.tail = s
}

// join returns a cursor that reads what is appended from now on.
func (l *handlerLog) join() *cursor {
	l.cursors++
	c := &cursor{expected: -l.total}
	c.after.Store(l.tail)
	return c
}

// leave ends a cursor whose reader was stopped: the reader may be at its next segment, and starts
// no other, so that these are not retained for it. It is called once.
func (l *handlerLog) leave(c *cursor) {
	l.cursors--
	c.final = c.unread()
	for s := c.final; s != nil; {
		if s = s.next.Load(); s != nil && s.concerns(c) {
			s.read()
		}
	}
}

// cursor is a handler's position in the log.
type cursor struct {
	after    atomic.Pointer[segment] // read to its end; only written by the reader, nil at the end
	final    *segment                // the segment that the reader may be at when it leaves, or nil; guarded by the processor's lock
	expected int                     // events for it alone less those before it joined; guarded by the processor's lock
}

// next returns the first unread segment, or nil.
func (c *cursor) next() *segment {
	for {
		s := c.after.Load().next.Load()
		if s == nil || s.concerns(c) {
			return s
		}
		c.after.Store(s)
	}
}

// done records that s, which was returned by next, has been read.
func (c *cursor) done(s *segment) {
	s.read()
	c.after.Store(s)
}

// release is called by the reader at its end, after leave.
func (c *cursor) release() {
	if c.final != nil && c.after.Load() != c.final {
		c.final.read()
	}
	c.after.Store(nil)
	c.final = nil
}

// unread returns the first segment that was not read to its end, or nil. Any goroutine may call it.
func (c *cursor) unread() *segment {
	s := c.after.Load()
	for s != nil {
		if s = s.next.Load(); s != nil && s.concerns(c) {
			return s
		}
	}
	return nil
}

// oldest returns when the oldest unread segment was appended, zero if all were read. Any goroutine
// may call it.
func (c *cursor) oldest() time.Time {
	if s := c.unread(); s != nil {
		return s.at
	}
	return time.Time{}
}
