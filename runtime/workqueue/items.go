package workqueue

import (
	"hash/maphash"
	"time"
)

// spared is the minimum number of slots that are retained for future items.
const spared = 1024

// wasteful reports whether to free the memory of so many slots when the last one is freed, given
// how many were taken since all were last in use. Allocating them again costs little in comparison.
func wasteful(places, taken int) bool { return places > spared && taken > 4*places }

// slot is the number of an item's entry in [items]. Slots are numbered from 1, so that 0 is none.
type slot int32

// item is the state of an item that is dirty or being processed.
type item[T comparable] struct {
	item              T
	hash              uint32 // of item
	dirty, processing bool
	// added is when it became dirty and started when it was handed out, both since the queue was
	// created, and only with metrics.
	added, started time.Duration
	// earlier and later link the items that are being processed, in the order in which they were
	// handed out. In a free slot, later is the next free one.
	earlier, later slot
}

// items stores the state of items. They are found by hash when they are added or done, and by slot in between.
// A slot belongs to an item until it is removed; pointers into it are valid until the next insert.
type items[T comparable] struct {
	slots []item[T] // slot s is slots[s-1]
	table []slot    // finds slots by hash: open addressing with linear probing, 0 is free
	live  int       // number of items; the length of table is 0, or a power of two and at least twice as much
	free  slot      // the first free slot
	taken int       // number of slots taken since there was no free one

	// The number of items being processed, the first and the last one handed out, and the sum of
	// the times at which they were handed out.
	processing  int
	first, last slot
	started     time.Duration
}

// at returns the entry of a slot.
func (s *items[T]) at(slot slot) *item[T] { return &s.slots[slot-1] }

// find returns the slot of an item, if it has one.
func (s *items[T]) find(item T) (slot, bool) {
	if s.live == 0 {
		return 0, false
	}
	place := s.findHash(hashOf(item), item)
	return place, place != 0
}

// hashSeed differs in each process, so that nobody can choose colliding items.
var hashSeed = maphash.MakeSeed()

func hashOf[T comparable](item T) uint32 { return uint32(maphash.Comparable(hashSeed, item)) }

// findHash returns the slot of an item with its hash, 0 if it has none. The table is not empty.
func (s *items[T]) findHash(hash uint32, item T) slot {
	mask := uint32(len(s.table) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		place := s.table[i&mask]
		if place == 0 {
			return 0
		}
		if it := s.at(place); it.hash == hash && it.item == item {
			return place
		}
	}
}

// findProcessing is find for an item that was probably handed out recently.
func (s *items[T]) findProcessing(item T) (slot, bool) {
	place := s.last
	for range 4 { // comparing is cheaper than hashing
		if place == 0 {
			break
		}
		it := s.at(place)
		if it.item == item {
			return place, true
		}
		place = it.earlier
	}
	return s.find(item)
}

// place returns the slot of an item, which gets one if it has none.
func (s *items[T]) place(item T) slot {
	hash := hashOf(item)
	if s.live > 0 {
		if place := s.findHash(hash, item); place != 0 {
			return place
		}
	}
	return s.insert(hash, item)
}

// insert gives a new item a slot.
func (s *items[T]) insert(hash uint32, it T) slot {
	place := s.free
	if place != 0 {
		s.free = s.at(place).later
		s.taken++
		s.at(place).item, s.at(place).hash = it, hash
	} else {
		s.taken = 0
		s.slots = append(s.slots, item[T]{item: it, hash: hash})
		place = slot(len(s.slots))
	}
	s.live++
	if 2*s.live > len(s.table) {
		s.grow()
	}
	s.enter(place)
	return place
}

// enter adds a slot to the table.
func (s *items[T]) enter(place slot) {
	mask := uint32(len(s.table) - 1)
	i := s.at(place).hash & mask
	for s.table[i] != 0 {
		i = (i + 1) & mask
	}
	s.table[i] = place
}

// grow moves the slots to a table of twice the length.
func (s *items[T]) grow() {
	old := s.table
	s.table = make([]slot, max(2*len(old), 16))
	for _, place := range old {
		if place != 0 {
			s.enter(place)
		}
	}
}

// leave removes a slot from the table. The slots after it that would not be found without it move up.
func (s *items[T]) leave(place slot) {
	mask := uint32(len(s.table) - 1)
	gap := s.at(place).hash & mask
	for s.table[gap] != place {
		gap = (gap + 1) & mask
	}
	for i := (gap + 1) & mask; s.table[i] != 0; i = (i + 1) & mask {
		if home := s.at(s.table[i]).hash & mask; (i-home)&mask >= (i-gap)&mask {
			s.table[gap] = s.table[i]
			gap = i
		}
	}
	s.table[gap] = 0
}

// remove frees the slot of an item that is neither dirty nor being processed.
func (s *items[T]) remove(place slot) {
	it := s.at(place)
	s.leave(place)
	s.live--
	if s.live == 0 && wasteful(len(s.slots), s.taken) {
		s.slots, s.table, s.free = nil, nil, 0
		return
	}
	var none T
	it.item, it.later = none, s.free
	s.free = place
}

// begin appends an item, handed out at a time, to those that are being processed.
func (s *items[T]) begin(place slot, started time.Duration) {
	it := s.at(place)
	it.processing = true
	it.started = started
	it.earlier, it.later = s.last, 0
	if s.last != 0 {
		s.at(s.last).later = place
	} else {
		s.first = place
	}
	s.last = place
	s.processing++
	s.started += started
}

// end removes an item from those that are being processed.
func (s *items[T]) end(place slot) {
	it := s.at(place)
	it.processing = false
	if it.earlier != 0 {
		s.at(it.earlier).later = it.later
	} else {
		s.first = it.later
	}
	if it.later != 0 {
		s.at(it.later).earlier = it.earlier
	} else {
		s.last = it.earlier
	}
	s.processing--
	s.started -= it.started
}

// unfinished returns how many items are being processed, the sum of the times at which they were handed out,
// and the earliest of these.
func (s *items[T]) unfinished() (n int, started, earliest time.Duration) {
	if s.first != 0 {
		earliest = s.at(s.first).started
	}
	return s.processing, s.started, earliest
}
