package cache

import (
	"hash/maphash"
	"reflect"
	"sync/atomic"
)

// cell is an object's place in a store. Its key never changes, its object is read at any
// time. The rest is the writer's.
type cell struct {
	key    string
	latest atomic.Value // the object; all that it ever holds are of one type
	pos    uint32       // where it is in contents.objects and contents.cells
	seen   uint32       // the last replacement that it was in
	refs   []ref        // where it is in the indexes, in the order of contents.indexes
}

func newCell(key string, object any) *cell {
	c := &cell{key: key}
	if object != nil {
		c.latest.Store(object)
	}
	return c
}

// object is what the cell holds.
func (c *cell) object() any { return c.latest.Load() }

// set makes object what the cell holds, unless it is of another type than what it held
// up to now. This it cannot hold.
func (c *cell) set(object any) bool {
	if held := c.object(); object == nil || reflect.TypeOf(held) != reflect.TypeOf(object) {
		return held == object
	}
	c.latest.Store(object)
	return true
}

// keyBuffer is where a key is put together that is only looked up: enough for most.
type keyBuffer [128]byte

// appendKey appends what String returns.
func (n ObjectName) appendKey(b []byte) []byte {
	if n.Namespace != "" {
		b = append(append(b, n.Namespace...), '/')
	}
	return append(b, n.Name...)
}

// hashSeed is the process's own, so that nobody can choose names that collide.
var hashSeed = maphash.MakeSeed()

// table finds cells by their keys: open addressing with linear probing. Anyone may find
// while one writes: a slot is given to one hash for good, and what is no longer found
// stays in it as gone, until the rest moves to other slots.
//
//	live <= taken <= len(slots)/2, and len(slots) is a power of two
type table struct {
	slots atomic.Pointer[[]slot]
	live  int // slots of cells that can be found; the writer's
	taken int // and those of cells that are gone; the writer's
}

type slot struct {
	hash uint64               // written before cell is
	cell atomic.Pointer[cell] // nil in a slot that was never taken
}

// gone is in the slots of cells that were taken out.
var gone cell

const smallestTable = 4

// newTable returns a table for n cells.
func newTable(n int) *table {
	t := &table{}
	t.resize(n)
	return t
}

// find returns the cell with a key, or nil.
func find[K string | []byte](t *table, hash uint64, key K) *cell {
	slots := *t.slots.Load()
	mask := uint64(len(slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := &slots[i&mask]
		c := s.cell.Load()
		if c == nil {
			return nil
		}
		if s.hash == hash && c.key == string(key) && c != &gone {
			return c
		}
	}
}

// insert adds a cell whose key is not in the table.
func (t *table) insert(hash uint64, c *cell) {
	if (t.taken+1)*2 > len(*t.slots.Load()) {
		t.resize(t.live + 1)
	}
	put(*t.slots.Load(), hash, c)
	t.live++
	t.taken++
}

func put(slots []slot, hash uint64, c *cell) {
	mask := uint64(len(slots) - 1)
	i := hash & mask
	for slots[i].cell.Load() != nil {
		i = (i + 1) & mask
	}
	slots[i].hash = hash
	slots[i].cell.Store(c)
}

// change puts a cell in the place of one that is in the table and has the same key.
func (t *table) change(hash uint64, from, to *cell) {
	slots := *t.slots.Load()
	mask := uint64(len(slots) - 1)
	i := hash & mask
	for slots[i].cell.Load() != from {
		i = (i + 1) & mask
	}
	slots[i].cell.Store(to)
}

// remove takes a cell out that is in the table.
func (t *table) remove(hash uint64, c *cell) {
	t.change(hash, c, &gone)
	t.live--
	if size := len(*t.slots.Load()); size > smallestTable && t.live*8 < size {
		t.resize(t.live)
	}
}

// resize moves the cells to slots of their own, with room for n.
func (t *table) resize(n int) {
	size := smallestTable
	for size*2 < n*5 {
		size *= 2
	}
	slots := make([]slot, size)
	if old := t.slots.Load(); old != nil {
		for i := range *old {
			s := &(*old)[i]
			if c := s.cell.Load(); c != nil && c != &gone {
				put(slots, s.hash, c)
			}
		}
	}
	t.taken = t.live
	t.slots.Store(&slots)
}
