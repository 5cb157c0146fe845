package objectstore

import (
	"hash/maphash"
	"reflect"
	"sync/atomic"
)

// cell contains an object of a store. Its key never changes; its object is read at any time. The
// other fields are only used by the writer. What finding an object reads comes first, in one line of
// the processor's cache.
type cell struct {
	latest     atomic.Value // the object; all of a cell's objects are of one type
	long       string       // the key, if it is longer than short
	short      [31]byte     // the key otherwise
	length     uint8        // of the key in short
	pos        uint32       // its position in contents.objects and contents.cells
	generation uint32       // of the last list that contained it
	refs       []ref        // its positions in the indexes, in the order of contents.indexes
}

// cell1 and cell2 are cells with memory for their first refs.
type (
	cell1 struct {
		cell
		few [1]ref
	}
	cell2 struct {
		cell
		few [2]ref
	}
)

// newCell returns a cell with room for so many refs.
func newCell[K string | []byte](key K, object any, refs int) *cell {
	var c *cell
	switch refs {
	case 0:
		c = &cell{}
	case 1:
		c1 := &cell1{}
		c1.refs = c1.few[:0]
		c = &c1.cell
	case 2:
		c2 := &cell2{}
		c2.refs = c2.few[:0]
		c = &c2.cell
	default:
		c = &cell{refs: make([]ref, 0, refs)}
	}
	if len(key) <= len(c.short) {
		c.length = uint8(copy(c.short[:], key))
	} else {
		c.long = string(key)
	}
	if object != nil {
		c.latest.Store(object)
	}
	return c
}

// key returns the cell's key.
func (c *cell) key() string {
	if c.long != "" {
		return c.long
	}
	return string(c.short[:c.length])
}

// appendKey appends the cell's key.
func (c *cell) appendKey(to []byte) []byte {
	return append(append(to, c.long...), c.short[:c.length]...)
}

// keys returns the keys of n cells, which are parts of one string.
func keys(n int, at func(i int) *cell) []string {
	var text []byte
	ends := make([]int, n)
	for i := range ends {
		text = at(i).appendKey(text)
		ends[i] = len(text)
	}
	all, start := string(text), 0
	out := make([]string, n)
	for i, end := range ends {
		out[i], start = all[start:end], end
	}
	return out
}

// object returns the cell's object.
func (c *cell) object() any { return c.latest.Load() }

// set replaces the cell's object, unless the new one is of another type: a cell cannot store
// that.
func (c *cell) set(object any) bool {
	if stored := c.object(); object == nil || reflect.TypeOf(stored) != reflect.TypeOf(object) {
		return stored == object
	}
	c.latest.Store(object)
	return true
}

// hashSeed differs in each process, so that nobody can choose colliding names.
var hashSeed = maphash.MakeSeed()

// table finds cells by key: open addressing with linear probing. Any goroutine may read while one
// writes: a slot belongs to one hash permanently, and a removed cell stays in it, marked as
// removed, until the others move to new slots.
//
//	live <= taken <= len(slots)/2, and len(slots) is a power of two
type table struct {
	slots atomic.Pointer[[]slot]
	live  int // slots of cells that can be found; used by the writer
	taken int // those and the slots of removed cells; used by the writer
}

type slot struct {
	hash uint64               // written before cell is
	cell atomic.Pointer[cell] // nil in a slot that was never used
}

// removed is in the slots of cells that were removed.
var removed cell

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
		if s.hash == hash && isKey(c, key) && c != &removed {
			return c
		}
	}
}

// isKey reports whether a cell has a key.
func isKey[K string | []byte](c *cell, key K) bool {
	if len(key) > len(c.short) {
		return c.long == string(key)
	}
	return int(c.length) == len(key) && string(c.short[:c.length&31]) == string(key) && c.long == ""
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

// change replaces a cell of the table with one that has the same key.
func (t *table) change(hash uint64, from, to *cell) {
	slots := *t.slots.Load()
	mask := uint64(len(slots) - 1)
	i := hash & mask
	for slots[i].cell.Load() != from {
		i = (i + 1) & mask
	}
	slots[i].cell.Store(to)
}

// remove removes a cell of the table.
func (t *table) remove(hash uint64, c *cell) {
	t.change(hash, c, &removed)
	t.live--
	if size := len(*t.slots.Load()); size > smallestTable && t.live*8 < size {
		t.resize(t.live)
	}
}

// resize moves the cells to new slots, with room for n.
func (t *table) resize(n int) {
	size := smallestTable
	for size*2 < n*5 {
		size *= 2
	}
	slots := make([]slot, size)
	if old := t.slots.Load(); old != nil {
		for i := range *old {
			s := &(*old)[i]
			if c := s.cell.Load(); c != nil && c != &removed {
				put(slots, s.hash, c)
			}
		}
	}
	t.taken = t.live
	t.slots.Store(&slots)
}
