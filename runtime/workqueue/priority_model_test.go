package workqueue_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/listwatch/listwatch/runtime/workqueue"
)

// priorityModel is what a queue with priorities is to do.
type priorityModel struct {
	line       []*modelItem // in the order in which they became queued
	held       []*modelItem
	processing []byte
	delayed    map[byte]*modelItem
	counter    int // of positions
	passed     int
}

type modelItem struct {
	item     byte
	priority int
	position int // among the items of its priority
	until    time.Time
}

func findItem(items []*modelItem, item byte) *modelItem {
	for _, it := range items {
		if it.item == item {
			return it
		}
	}
	return nil
}

func (m *priorityModel) next() int { m.counter++; return m.counter }

func (m *priorityModel) add(item byte, priority int, now time.Time, delay time.Duration) {
	queued, held := findItem(m.line, item), findItem(m.held, item)
	switch {
	case queued != nil:
		if priority > queued.priority {
			queued.priority, queued.position = priority, m.next()
		}
	case held != nil:
		held.priority = max(held.priority, priority)
	case delay > 0:
		it := &modelItem{item: item, priority: priority, until: now.Add(delay)}
		if old := m.delayed[item]; old != nil {
			it.priority = max(it.priority, old.priority)
			if old.until.Before(it.until) {
				it.until = old.until
			}
		}
		m.delayed[item] = it
	default:
		if old := m.delayed[item]; old != nil {
			priority = max(priority, old.priority)
			delete(m.delayed, item)
		}
		if slices.Contains(m.processing, item) {
			m.held = append(m.held, &modelItem{item: item, priority: priority})
			return
		}
		m.line = append(m.line, &modelItem{item: item, priority: priority, position: m.next()})
	}
}

func (m *priorityModel) advance(now time.Time) {
	for {
		var first *modelItem
		for _, it := range m.delayed {
			if first == nil || it.until.Before(first.until) {
				first = it
			}
		}
		if first == nil || first.until.After(now) {
			return
		}
		delete(m.delayed, first.item)
		m.add(first.item, first.priority, now, 0)
	}
}

func (m *priorityModel) get() (item byte, priority int) {
	best := m.line[0]
	for _, it := range m.line {
		if it.priority > best.priority || it.priority == best.priority && it.position < best.position {
			best = it
		}
	}
	if m.passed == 15 {
		best = m.line[0]
	}
	m.passed++
	if best == m.line[0] {
		m.passed = 0
	}
	m.line = slices.DeleteFunc(m.line, func(it *modelItem) bool { return it == best })
	m.processing = append(m.processing, best.item)
	return best.item, best.priority
}

func (m *priorityModel) done(item byte) {
	i := slices.Index(m.processing, item)
	if i < 0 {
		return
	}
	m.processing = slices.Delete(m.processing, i, i+1)
	if held := findItem(m.held, item); held != nil {
		m.held = slices.DeleteFunc(m.held, func(it *modelItem) bool { return it == held })
		held.position = m.next()
		m.line = append(m.line, held)
	}
}

// checkPriorities does what ops say to a queue and to the model: of each two bytes, the first is the operation and
// the item, the second the priority and the delay.
func checkPriorities(t *testing.T, ops []byte) {
	synctest.Test(t, func(t *testing.T) {
		q := workqueue.NewTypedPriorityQueue(workqueue.DefaultTypedItemBasedRateLimiter[byte]())
		defer q.ShutDown()
		m := priorityModel{delayed: map[byte]*modelItem{}}
		for i := 0; i+1 < len(ops); i += 2 {
			item := ops[i] & 31
			switch ops[i] >> 5 {
			case 0, 1, 2:
				priority := int(ops[i+1]&7) - 3
				var delay time.Duration
				if seconds := ops[i+1] >> 3 & 7; seconds > 3 {
					// No two delays end at the same time.
					delay = time.Duration(seconds)*time.Second + time.Duration(i)
				}
				m.add(item, priority, time.Now(), delay)
				q.AddWithOpts(workqueue.AddOpts{Priority: &priority, After: delay}, item)
			case 3, 4:
				if len(m.line) == 0 {
					continue
				}
				want, wantPriority := m.get()
				if got, priority, shutdown := q.GetWithPriority(); shutdown || got != want || priority != wantPriority {
					t.Fatalf("operation %d: got %d with priority %d, %v, want %d with priority %d", i, got, priority, shutdown, want, wantPriority)
				}
			case 5, 6:
				m.done(item)
				q.Done(item)
			case 7:
				time.Sleep(time.Second)
				synctest.Wait()
				m.advance(time.Now())
			}
			if q.Len() != len(m.line) {
				t.Fatalf("operation %d: Len %d, want %d", i, q.Len(), len(m.line))
			}
		}
	})
}

func FuzzPriorityQueue(f *testing.F) {
	f.Add([]byte{0, 0, 1, 7, 96, 0, 0, 5, 160, 0, 96, 0})
	f.Add([]byte{0, 0, 0, 40, 224, 0, 224, 0, 1, 63, 1, 3, 224, 0, 96, 0, 96, 0})
	f.Fuzz(checkPriorities)
}

func TestRandomPriorities(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		ops := make([]byte, 20_000)
		for i := range ops {
			ops[i] = byte(random.Uint32())
		}
		checkPriorities(t, ops)
	}
}
