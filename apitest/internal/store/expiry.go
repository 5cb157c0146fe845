package store

import (
	"container/heap"
	"slices"
	"time"
	"weak"
)

// maxStale is the number of deadlines that a table may retain beyond two for each of its objects:
// writing an object again leaves its old deadline behind.
const maxStale = 64

// expiry deletes a table's objects when their time is over. The table's lock guards it.
type expiry struct {
	due   byTime
	timer *time.Timer
}

// add adds the deadline of a new record.
func (e *expiry) add(t *table, r *record) {
	if r.expires.IsZero() {
		return
	}
	heap.Push(&e.due, deadline{r.expires, r.key, r.version})
	if len(e.due) > 2*t.live+maxStale {
		e.tidy(t)
	}
	if e.due[0].version == r.version {
		e.schedule(t)
	}
}

// tidy drops the deadlines of records that were replaced.
func (e *expiry) tidy(t *table) {
	e.due = slices.DeleteFunc(e.due, func(d deadline) bool {
		r, _ := t.tree.Get(&record{key: d.key})
		return r.alive() == nil || r.version != d.version
	})
	heap.Init(&e.due)
}

// schedule sets the timer for the first record. A timer does not keep a table alive.
func (e *expiry) schedule(t *table) {
	if t.backend.clock.Still() {
		return
	}
	wait := e.due[0].at.Sub(t.backend.clock.Now())
	if e.timer != nil {
		e.timer.Reset(wait)
		return
	}
	table := weak.Make(t)
	e.timer = time.AfterFunc(wait, func() {
		if t := table.Value(); t != nil {
			t.expire()
		}
	})
}

// expire deletes the objects whose deadlines have passed.
func (t *table) expire() {
	t.mu.Lock()
	defer t.mu.Unlock()
	e := &t.expiry
	for now := t.backend.clock.Now(); len(e.due) > 0 && !e.due[0].at.After(now); {
		d := heap.Pop(&e.due).(deadline)
		if r, _ := t.tree.Get(&record{key: d.key}); r.alive() != nil && r.version == d.version {
			t.append(change{key: r.key, old: r}, r)
		}
	}
	if len(e.due) > 0 {
		e.schedule(t)
	}
}

// deadline is the time at which an object expires, unless it is written again.
type deadline struct {
	at      time.Time
	key     string
	version uint64
}

// byTime is a heap of deadlines, the earliest first.
type byTime []deadline

func (b byTime) Len() int           { return len(b) }
func (b byTime) Less(i, j int) bool { return b[i].at.Before(b[j].at) }
func (b byTime) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *byTime) Push(d any)        { *b = append(*b, d.(deadline)) }
func (b *byTime) Pop() any {
	last := len(*b) - 1
	d := (*b)[last]
	*b = (*b)[:last]
	return d
}
