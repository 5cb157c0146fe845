package cache

import (
	"fmt"
	"hash/maphash"
	"slices"
	"sync"
)

// contents is what a store holds. Objects lie dense, in no order, so that a list is a
// copy of memory; indexes refer to them by position, so that an object that changes
// without changing its values leaves them alone.
//
//	len(objects) == len(cells), cells[i].pos == i, cells[i].object == objects[i]
//	every ref r of cells[i]: r.bucket.members[r.at] == i
//
// It is written with the store's lock held and read with it, or by the writer. The
// tables and what they find are as said there.
type contents struct {
	objects []any
	cells   []*cell
	indexes []*objectIndex
	tables  [shards]table
	spare   []cell // allocated ahead, where many are coming
	ahead   int    // how many are still expected to come
}

// shards is how many locks the objects of a store share, so that those who read single
// objects do not meet the writer.
const (
	shardBits = 4
	shards    = 1 << shardBits
)

func shardOf(hash uint64) int { return int(hash >> (64 - shardBits)) }

// shardLocks guard finding single objects: for what is in one of the tables.
type shardLocks [shards]struct {
	sync.RWMutex
	_ [40]byte // no two share a cache line
}

func (l *shardLocks) lock() {
	for i := range l {
		l[i].Lock()
	}
}

func (l *shardLocks) unlock() {
	for i := range l {
		l[i].Unlock()
	}
}

// newContents returns empty contents for n objects, with the same indexes.
func newContents(indexes []*objectIndex, n int) *contents {
	t := &contents{objects: make([]any, 0, n), cells: make([]*cell, 0, n), ahead: n}
	for _, x := range indexes {
		t.indexes = append(t.indexes, newObjectIndex(x.name, x.f))
	}
	if perShard := n / shards; perShard > 0 {
		size := smallestTable
		for size*3 < perShard*5 {
			size *= 2
		}
		for i := range t.tables {
			t.tables[i].resize(size)
		}
	}
	return t
}

// find returns the cell of a name, or nil.
func (t *contents) find(name ObjectName) *cell {
	var buffer keyBuffer
	key := name.appendKey(buffer[:0])
	hash := maphash.Bytes(hashSeed, key)
	return find(&t.tables[shardOf(hash)], hash, key)
}

// index returns the index of a name, or nil.
func (t *contents) index(name string) *objectIndex {
	for _, x := range t.indexes {
		if x.name == name {
			return x
		}
	}
	return nil
}

// having returns the positions of what has one of the values in an index, each once. The
// slice must not be written to.
func (t *contents) having(indexName string, values []string) ([]uint32, error) {
	x := t.index(indexName)
	if x == nil {
		return nil, fmt.Errorf("index %q does not exist", indexName)
	}
	if len(values) == 1 {
		if b := x.buckets[values[0]]; b != nil {
			return b.members, nil
		}
		return nil, nil
	}
	var positions []uint32
	for _, value := range values {
		if b := x.buckets[value]; b != nil {
			positions = append(positions, b.members...)
		}
	}
	slices.Sort(positions)
	return slices.Compact(positions), nil
}

// write does what change c says and fills in what was held before. Values are the
// object's in each index. Locks guard those who look single objects up; they are nil
// where nobody can, or all are held.
func (t *contents) write(c *change, values []indexed, locks *shardLocks) {
	var buffer keyBuffer
	key := c.name.appendKey(buffer[:0])
	hash := maphash.Bytes(hashSeed, key)
	shard := shardOf(hash)
	held := find(&t.tables[shard], hash, key)
	if held != nil {
		c.old = held.object
	}
	switch {
	case c.kind == changeSet && held == nil:
		held = t.newCell()
		held.key, held.object = string(key), c.object
		t.append(held)
		t.reindex(held, values)
		locks.guard(shard, func() { t.tables[shard].insert(hash, held) })
	case c.kind == changeSet:
		t.objects[held.pos] = c.object
		locks.guard(shard, func() { held.object = c.object })
		t.reindex(held, values)
	case c.kind == changeDelete && held != nil:
		locks.guard(shard, func() { t.tables[shard].remove(hash, held) })
		t.remove(held)
	}
}

// guard calls f with the lock of a shard held.
func (l *shardLocks) guard(shard int, f func()) {
	if l == nil {
		f()
		return
	}
	l[shard].Lock()
	f()
	l[shard].Unlock()
}

// adopt takes a cell over from contents with the same indexes that nobody will write any
// more. What their readers see of it stays as it is.
func (t *contents) adopt(c *cell, from *contents) {
	hash := maphash.String(hashSeed, c.key)
	t.append(c)
	for i, r := range c.refs {
		c.refs[i] = t.index(r.bucket.index.name).link(c, r.bucket.value)
	}
	for i, x := range from.indexes {
		if err := x.failed[c]; err != nil {
			t.indexes[i].record(c, err)
		}
	}
	t.tables[shardOf(hash)].insert(hash, c)
}

func (t *contents) newCell() *cell {
	if len(t.spare) == 0 {
		n := max(1, min(t.ahead, 256))
		t.spare = make([]cell, n)
		t.ahead -= n
	}
	c := &t.spare[0]
	t.spare = t.spare[1:]
	return c
}

// append gives a cell the last position.
func (t *contents) append(c *cell) {
	c.pos = uint32(len(t.cells))
	t.objects = append(t.objects, c.object)
	t.cells = append(t.cells, c)
}

// remove takes a cell out. The last one takes its position.
func (t *contents) remove(c *cell) {
	for _, r := range c.refs {
		r.unlink(t.cells)
	}
	for _, x := range t.indexes {
		delete(x.failed, c)
	}
	last := len(t.cells) - 1
	if moved := t.cells[last]; moved != c {
		moved.pos = c.pos
		t.cells[c.pos], t.objects[c.pos] = moved, moved.object
		for _, r := range moved.refs {
			r.bucket.members[r.at] = moved.pos
		}
	}
	t.cells[last], t.objects[last] = nil, nil
	t.cells, t.objects = shrink(t.cells[:last]), shrink(t.objects[:last])
	*c = cell{}
}

// reindex brings a cell's place in each index in line with its object's values there.
func (t *contents) reindex(c *cell, values []indexed) {
	from := 0
	for i, x := range t.indexes {
		to := from
		for to < len(c.refs) && c.refs[to].bucket.index == x {
			to++
		}
		if !holds(c.refs[from:to], values[i].values) {
			to = t.relink(c, x, from, to, values[i].values)
		}
		x.record(c, values[i].err)
		from = to
	}
}

// relink takes the cell out of the buckets of refs from to to and puts it into those of
// values in the same index. It returns the end of the new refs.
func (t *contents) relink(c *cell, x *objectIndex, from, to int, values []string) int {
	for _, r := range c.refs[from:to] {
		r.unlink(t.cells)
	}
	linked := make([]ref, 0, 8)
	for i, value := range values {
		if !slices.Contains(values[:i], value) {
			linked = append(linked, x.link(c, value))
		}
	}
	c.refs = slices.Replace(c.refs, from, to, linked...)
	return from + len(linked)
}
