package workqueue

import (
	"cmp"
	"slices"
)

// agingInterval limits waiting: every 16th item that is handed out is the oldest, whatever its priority.
const agingInterval = 16

// priorityLine is a line in the order of priorities, and of arrival among items of a priority. It also remembers
// the priorities of items that are dirty or being processed and not in the line.
//
// Items are in two lists: one of their priority, in order of arrival there, and one of all items, in the order
// in which they became queued.
type priorityLine[T comparable] struct {
	items  *items[T]
	places []place // slot s is places[s-1]
	levels []level // the priorities with queued items, the highest last
	ages   list
	n      int // the number of queued items
	passed int // how often the oldest item was passed over
}

// place is the state of a slot in a [priorityLine].
type place struct {
	priority int
	queued   bool
	inLevel  link
	inAges   link
}

// level is the list of the queued items of a priority. It is not empty.
type level struct {
	priority int
	list     list
}

// link is the position of a slot in a list, and list are the ends of one.
type (
	link struct{ earlier, later slot }
	list struct{ first, last slot }
)

// raise sets the priority of an item that becomes dirty, or raises that of one that is dirty. An item that is
// queued moves to the end of its new priority.
func (l *priorityLine[T]) raise(slot slot, dirty bool, priority int) {
	if len(l.places) > len(l.items.slots) {
		l.places = nil // items freed its slots
	}
	for len(l.places) < int(slot) {
		l.places = append(l.places, place{})
	}
	p := l.at(slot)
	if dirty && priority <= p.priority {
		return
	}
	if p.queued {
		l.leaveLevel(slot)
	}
	p.priority = priority
	if p.queued {
		l.joinLevel(slot)
	}
}

// priority returns the priority of an item that raise was called for.
func (l *priorityLine[T]) priority(slot slot) int { return l.at(slot).priority }

func (*priorityLine[T]) touch(T) {}

func (l *priorityLine[T]) push(slot slot, _ T) {
	l.at(slot).queued = true
	l.joinLevel(slot)
	l.append(&l.ages, slot, inAges)
	l.n++
}

func (l *priorityLine[T]) len() int { return l.n }

// pop takes the first item of the highest priority, or, if it is its turn, the oldest one.
func (l *priorityLine[T]) pop() slot {
	oldest, next := l.ages.first, l.levels[len(l.levels)-1].list.first
	l.passed++
	if l.passed == agingInterval {
		next = oldest
	}
	if next == oldest {
		l.passed = 0
	}
	l.leaveLevel(next)
	l.unlink(&l.ages, next, inAges)
	l.at(next).queued = false
	l.n--
	return next
}

func (l *priorityLine[T]) at(slot slot) *place { return &l.places[slot-1] }

// find returns the index of a priority in levels, and whether it is there.
func (l *priorityLine[T]) find(priority int) (int, bool) {
	return slices.BinarySearchFunc(l.levels, priority, func(level level, priority int) int {
		return cmp.Compare(level.priority, priority)
	})
}

func (l *priorityLine[T]) joinLevel(slot slot) {
	priority := l.at(slot).priority
	i, found := l.find(priority)
	if !found {
		l.levels = slices.Insert(l.levels, i, level{priority: priority})
	}
	l.append(&l.levels[i].list, slot, inLevel)
}

func (l *priorityLine[T]) leaveLevel(slot slot) {
	i, _ := l.find(l.at(slot).priority)
	l.unlink(&l.levels[i].list, slot, inLevel)
	if l.levels[i].list.first == 0 {
		l.levels = slices.Delete(l.levels, i, i+1)
	}
}

func inLevel(p *place) *link { return &p.inLevel }
func inAges(p *place) *link  { return &p.inAges }

// append adds a slot to the end of a list, by the links that of returns.
func (l *priorityLine[T]) append(to *list, slot slot, of func(*place) *link) {
	*of(l.at(slot)) = link{earlier: to.last}
	if to.last != 0 {
		of(l.at(to.last)).later = slot
	} else {
		to.first = slot
	}
	to.last = slot
}

func (l *priorityLine[T]) unlink(from *list, slot slot, of func(*place) *link) {
	at := *of(l.at(slot))
	if at.earlier != 0 {
		of(l.at(at.earlier)).later = at.later
	} else {
		from.first = at.later
	}
	if at.later != 0 {
		of(l.at(at.later)).earlier = at.earlier
	} else {
		from.last = at.earlier
	}
}
