package cache

import "hash/maphash"

// cell is an object's place in a store.
//
// The object is written with the store's lock and that of the cell's shard both held,
// and read with either. The key never changes while the cell is in use. The rest is the
// writer's. A cell is as large as a cache line.
type cell struct {
	key    string
	object any
	pos    uint32 // where it is in contents.objects and contents.cells
	seen   uint32 // the last replacement that it was in
	refs   []ref  // where it is in the indexes, in the order of contents.indexes
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

// table finds cells by their keys: open addressing with linear probing.
//
//	0 <= used <= len(slots)*3/4, and len(slots) is 0 or a power of two
//
// It is written with its shard's lock held and read with it, or by the writer.
type table struct {
	slots []slot
	used  int
}

type slot struct {
	hash uint64
	cell *cell // nil in an empty slot
}

const smallestTable = 4

// find returns the cell with a key, or nil.
func find[K string | []byte](t *table, hash uint64, key K) *cell {
	mask := uint64(len(t.slots) - 1)
	if t.used == 0 {
		return nil
	}
	for i := hash & mask; ; i = (i + 1) & mask {
		s := &t.slots[i&mask]
		if s.cell == nil {
			return nil
		}
		if s.hash == hash && s.cell.key == string(key) {
			return s.cell
		}
	}
}

// insert adds a cell whose key is not in the table.
func (t *table) insert(hash uint64, c *cell) {
	if (t.used+1)*4 > len(t.slots)*3 {
		t.resize(max(2*len(t.slots), smallestTable))
	}
	t.put(slot{hash, c})
	t.used++
}

func (t *table) put(s slot) {
	mask := uint64(len(t.slots) - 1)
	i := s.hash & mask
	for t.slots[i].cell != nil {
		i = (i + 1) & mask
	}
	t.slots[i] = s
}

// remove takes a cell out that is in the table.
func (t *table) remove(hash uint64, c *cell) {
	mask := uint64(len(t.slots) - 1)
	i := hash & mask
	for t.slots[i].cell != c {
		i = (i + 1) & mask
	}
	// What follows may have been pushed on by what is gone: let it move up.
	for j := (i + 1) & mask; t.slots[j].cell != nil; j = (j + 1) & mask {
		if home := t.slots[j].hash & mask; (j-home)&mask >= (j-i)&mask {
			t.slots[i] = t.slots[j]
			i = j
		}
	}
	t.slots[i] = slot{}
	t.used--
	if len(t.slots) > smallestTable && t.used*8 < len(t.slots) {
		t.resize(len(t.slots) / 2)
	}
}

// resize makes it a table of n slots.
func (t *table) resize(n int) {
	old := t.slots
	t.slots = make([]slot, n)
	for _, s := range old {
		if s.cell != nil {
			t.put(s)
		}
	}
}
