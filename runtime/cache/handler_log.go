package cache

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// event is what a handler is told.
type event struct {
	kind    eventKind
	initial bool // of an add
	object  any
	old     any // what was held before, nil if nothing
}

type eventKind uint8

const (
	eventNone eventKind = iota
	eventAdd
	eventUpdate
	eventDelete
)

// eventOf returns what is to be told of c, which the store has been through. It is
// eventNone for what concerns no object.
func eventOf(c *delta.Delta) event {
	switch {
	case c.Kind == delta.Set && c.Old == nil:
		return event{kind: eventAdd, initial: c.Initial, object: c.Object}
	case c.Kind == delta.Set:
		return event{kind: eventUpdate, object: c.Object, old: c.Old}
	case c.Kind == delta.Delete:
		if tombstone, ok := c.Object.(DeletedFinalStateUnknown); ok && tombstone.Obj == nil {
			return eventOfStateless(tombstone, c.Old)
		}
		return event{kind: eventDelete, object: c.Object, old: c.Old}
	default:
		return event{}
	}
}

// eventOfStateless is what is to be told of a deletion that came without a state: the last
// state that was held, or nothing if nobody was ever told of the object.
func eventOfStateless(tombstone DeletedFinalStateUnknown, old any) event {
	if old == nil {
		return event{}
	}
	tombstone.Obj = old
	return event{kind: eventDelete, object: tombstone, old: old}
}

// segmentSize is how many events a segment holds at most: what a handler has read is
// freed by the segment.
const segmentSize = 256

// mark is what a handler has got through when it has read a segment.
type mark uint8

const (
	markSynced   mark = 1 << iota // the initial objects
	markResynced                  // a resync
)

// segment is a piece of the log: events that came together, or a mark. All but next
// and what the last reader does is done before it is linked.
type segment struct {
	next   atomic.Pointer[segment]
	events []event
	marks  mark
	at     time.Time // when it was appended
	to     []*cursor // who is to read it; nil is everybody

	// readers is how many have yet to read events; the last one forgets them, since an
	// idle handler goes on holding the segment.
	readers atomic.Int32
}

// read says that one of the readers has read the events, or never will.
func (s *segment) read() {
	if s.readers.Add(-1) == 0 {
		clear(s.events)
		s.events = nil
	}
}

// newSegment returns a segment with room for n events, in one allocation if there is
// just one, as there mostly is when little happens.
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

// handlerLog is a list of segments, of which it knows the end alone: the rest is held
// by those who have still to read it. It is guarded by the processor's lock; reading
// needs no lock.
type handlerLog struct {
	tail    *segment
	cursors int // how many read it
	total   int // how many events were appended for everybody
}

func newHandlerLog() handlerLog { return handlerLog{tail: new(segment)} }

// publish appends what changes are to be told, for all who read the log.
func (l *handlerLog) publish(changes []delta.Delta, at time.Time) {
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

// mark appends marks for all who read the log.
func (l *handlerLog) mark(marks mark, at time.Time) {
	l.link(&segment{marks: marks, at: at})
}

// address appends an event of each object for some only, and then marks.
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

// leave says that a cursor's reader was told to stop: it may be at its next segment, and
// begins none after that, for which these are not held any more. It is called once.
func (l *handlerLog) leave(c *cursor) {
	l.cursors--
	c.final = c.unread()
	for s := c.final; s != nil; {
		if s = s.next.Load(); s != nil && s.concerns(c) {
			s.read()
		}
	}
}

// cursor is a handler's place in the log.
type cursor struct {
	after    atomic.Pointer[segment] // read to its end; written by the reader alone, nil at the end
	final    *segment                // the one that the reader may be at when it leaves, nil for none; guarded by the processor's lock
	expected int                     // events for it alone less those before it joined; guarded by the processor's lock
}

// next returns the first segment that has not been read, or nil.
func (c *cursor) next() *segment {
	for {
		s := c.after.Load().next.Load()
		if s == nil || s.concerns(c) {
			return s
		}
		c.after.Store(s)
	}
}

// done says that s, which was the next, has been read.
func (c *cursor) done(s *segment) {
	s.read()
	c.after.Store(s)
}

// release is called by the reader at its end, when the cursor has left.
func (c *cursor) release() {
	if c.final != nil && c.after.Load() != c.final {
		c.final.read()
	}
	c.after.Store(nil)
	c.final = nil
}

// unread returns the first segment that was not read to its end, or nil. Others than the
// reader may call it.
func (c *cursor) unread() *segment {
	s := c.after.Load()
	for s != nil {
		if s = s.next.Load(); s != nil && s.concerns(c) {
			return s
		}
	}
	return nil
}

// oldest returns when the oldest segment that has not been read was appended, zero if
// all were read. Others than the reader may call it.
func (c *cursor) oldest() time.Time {
	if s := c.unread(); s != nil {
		return s.at
	}
	return time.Time{}
}
