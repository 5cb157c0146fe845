package objectstore

import (
	"hash/maphash"
	"math"
	"sync/atomic"
)

// hashSeed differs in each process, so that nobody can choose colliding names.
var hashSeed = maphash.MakeSeed()

// hashOf and hashOfBytes return the hash of a key.
func hashOf(key string) uint32      { return uint32(maphash.String(hashSeed, key) >> 32) }
func hashOfBytes(key []byte) uint32 { return uint32(maphash.Bytes(hashSeed, key) >> 32) }

// table finds entries by key: open addressing with linear probing, in slots of one word. Any goroutine
// may read while one writes: a slot belongs to one hash permanently, and that of a removed entry stays
// marked as removed, until the others move to new slots.
//
//	live <= taken <= 3/4 of the slots
//	cells[c.id] == c for every cell in the table, otherwise nil
type table struct {
	directory atomic.Pointer[directory] // stored by the writer, loaded by readers
	cells     []*cell                   // by the number of their entry; used by the writer
	live      int                       // entries that can be found; used by the writer
	taken     int                       // their slots and those of removed entries; used by the writer
}

// directory is where the entries of a table are. It is replaced when the table is resized.
type directory struct {
	slots []slot
	// chunks have perChunk entries each, or there is only one, with fewer. They are written before the
	// slots of their entries.
	chunks [][]entry
}

// slot is 0 if it was never used, otherwise a hash and the number of the entry, from 1 on, or removed.
type slot struct{ atomic.Uint64 }

const (
	smallestTable = 4
	perChunk      = 512 // 32 KiB
	removed       = math.MaxUint32
)

// newTable returns a table for n entries.
func newTable(n int) *table {
	t := &table{}
	t.resize(n)
	return t
}

// home returns the slot where the search for a hash starts. It grows with the hash, so that slots are
// moved to new ones in order.
func (d *directory) home(hash uint32) int {
	return int(uint64(hash) * uint64(len(d.slots)) >> 32)
}

// entry returns the entry of a number from 1 on.
func (d *directory) entry(number uint32) *entry {
	return &d.chunks[(number-1)/perChunk][(number-1)%perChunk]
}

// find returns the entry with a key, and its number; nil and 0 if there is none.
func find[K string | []byte](d *directory, hash uint32, key K) (*entry, uint32) {
	for i := d.home(hash); ; i++ {
		if i >= len(d.slots) {
			i = 0
		}
		s := d.slots[i].Load()
		if s == 0 {
			return nil, 0
		}
		if number := uint32(s); uint32(s>>32) == hash && number != removed {
			if e := d.entry(number); isKey(e, key) {
				return e, number
			}
		}
	}
}

// cell returns the cell with a key, or nil.
func (t *table) cell(hash uint32, key []byte) *cell {
	if _, number := find(t.directory.Load(), hash, key); number > 0 {
		return t.cells[number-1]
	}
	return nil
}

// insert makes a new cell the one of a key and an object. If the table has another one with this key, it
// must be removed next, and readers find either.
func (t *table) insert(hash uint32, key []byte, object any, c *cell) {
	d := t.directory.Load()
	if (t.taken+1)*4 > len(d.slots)*3 || len(t.cells) == d.room() {
		t.resize(t.live + t.live/2 + 1)
		d = t.directory.Load()
	}
	c.hash = hash
	t.add(d, c).init(key, object)
	d.put(c)
	t.live++
	t.taken++
}

// add gives a cell the next entry.
func (t *table) add(d *directory, c *cell) *entry {
	c.id = uint32(len(t.cells))
	t.cells = append(t.cells, c)
	if chunk := &d.chunks[c.id/perChunk]; *chunk == nil {
		*chunk = make([]entry, min(perChunk, d.limit()))
	}
	c.entry = d.entry(c.id + 1)
	return c.entry
}

// put stores a cell's hash and number in an empty slot.
func (d *directory) put(c *cell) {
	i := d.home(c.hash)
	for d.slots[i].Load() != 0 {
		if i++; i == len(d.slots) {
			i = 0
		}
	}
	d.slots[i].Store(uint64(c.hash)<<32 | uint64(c.id+1))
}

// remove removes a cell of the table.
func (t *table) remove(c *cell) {
	d := t.directory.Load()
	i := d.home(c.hash)
	for uint32(d.slots[i].Load()) != c.id+1 {
		if i++; i == len(d.slots) {
			i = 0
		}
	}
	d.slots[i].Store(uint64(c.hash)<<32 | removed)
	c.latest.Clear() // after the slot: a reader that sees this searches again
	t.cells[c.id] = nil
	t.live--
	if size := len(d.slots); size > smallestTable && t.live*8 < size {
		t.resize(t.live)
	}
}

// limit returns how many slots can be taken.
func (d *directory) limit() int { return len(d.slots) * 3 / 4 }

// room returns how many entries there can be.
func (d *directory) room() int {
	if len(d.chunks) == 1 {
		return min(perChunk, d.limit())
	}
	return len(d.chunks) * perChunk
}

// resize moves the cells to new slots, with room for n. It moves the entries only if many were removed,
// or they fit into a chunk; readers may use the old ones meanwhile, which no longer change.
// Storing the directory publishes all of it: a reader that loads it sees the entries and slots that were written before.
func (t *table) resize(n int) {
	old := t.directory.Load()
	d := &directory{slots: make([]slot, smallestTable+n*3/2)}
	entries := d.limit()
	move := old == nil || len(old.chunks) == 1 || (len(t.cells)-t.live)*4 > len(t.cells)
	if !move {
		entries += len(t.cells) - t.live
	}
	d.chunks = make([][]entry, (entries+perChunk-1)/perChunk)
	cells := t.cells
	if move {
		t.cells = make([]*cell, 0, entries)
	} else {
		copy(d.chunks, old.chunks)
	}
	for _, c := range cells {
		if c != nil {
			if move {
				e := c.entry
				t.add(d, c).copy(e)
			}
			d.put(c)
		}
	}
	t.taken = t.live
	t.directory.Store(d)
}
