package cache

import (
	"fmt"
	"hash/maphash"
	"slices"
)

// contents is what a store holds. Objects lie dense, in no order, so that a list is a
// copy of memory; indexes refer to them by position, so that an object that changes
// without changing its values leaves them alone.
//
//	len(objects) == len(cells), cells[i].pos == i, cells[i].object() == objects[i]
//	every ref r of cells[i]: r.bucket.members[r.at] == i
//
// It is written with the store's lock held and read with it, or by the writer. The table
// is as said there.
type contents struct {
	objects []any
	cells   []*cell
	indexes []*objectIndex
	table   *table
}

// newContents returns empty contents for n objects, with the same indexes.
func newContents(indexes []*objectIndex, n int) *contents {
	t := &contents{objects: make([]any, 0, n), cells: make([]*cell, 0, n), table: newTable(n)}
	for _, x := range indexes {
		t.indexes = append(t.indexes, newObjectIndex(x.name, x.f))
	}
	return t
}

// find returns the cell of a name, or nil.
func (t *contents) find(name ObjectName) *cell {
	var buffer keyBuffer
	key := name.appendKey(buffer[:0])
	return find(t.table, maphash.Bytes(hashSeed, key), key)
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

// existing is index, except that it returns an error if the index does not exist.
func (t *contents) existing(name string) (*objectIndex, error) {
	if x := t.index(name); x != nil {
		return x, nil
	}
	return nil, fmt.Errorf("index %q does not exist", name)
}

// complete is existing, except that it returns an error if objects are missing from the index,
// too.
func (t *contents) complete(name string) (*objectIndex, error) {
	x, err := t.existing(name)
	if err == nil {
		err = x.incomplete()
	}
	return x, err
}

// write does what change c says and fills in what was held before. Values are the
// object's in each index.
func (t *contents) write(c *change, values []indexed) {
	var buffer keyBuffer
	key := c.name.appendKey(buffer[:0])
	hash := maphash.Bytes(hashSeed, key)
	held := find(t.table, hash, key)
	if held != nil {
		c.old = t.objects[held.pos]
	}
	switch {
	case c.kind == changeSet && held == nil:
		fresh := newCell(string(key), c.object)
		t.append(fresh)
		t.reindex(fresh, values)
		t.table.insert(hash, fresh)
	case c.kind == changeSet && held.set(c.object):
		t.objects[held.pos] = c.object
		t.reindex(held, values)
	case c.kind == changeSet:
		fresh := newCell(held.key, c.object)
		t.remove(held)
		t.append(fresh)
		t.reindex(fresh, values)
		t.table.change(hash, held, fresh)
	case c.kind == changeDelete && held != nil:
		t.table.remove(hash, held)
		t.remove(held)
	}
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
	t.table.insert(hash, c)
}

// append gives a cell the last position.
func (t *contents) append(c *cell) {
	c.pos = uint32(len(t.cells))
	t.objects = append(t.objects, c.object())
	t.cells = append(t.cells, c)
}

// remove takes a cell out. The last one takes its position.
func (t *contents) remove(c *cell) {
	for _, r := range c.refs {
		r.unlink(t.cells)
	}
	for _, x := range t.indexes {
		x.record(c, nil)
	}
	last := len(t.cells) - 1
	if moved := t.cells[last]; moved != c {
		moved.pos = c.pos
		t.cells[c.pos], t.objects[c.pos] = moved, t.objects[last]
		for _, r := range moved.refs {
			r.bucket.members[r.at] = moved.pos
		}
	}
	t.cells[last], t.objects[last] = nil, nil
	t.cells, t.objects = shrink(t.cells[:last]), shrink(t.objects[:last])
}

// reindex brings a cell's place in each index in line with its object's values there.
func (t *contents) reindex(c *cell, values []indexed) {
	if c.refs == nil {
		c.refs = make([]ref, 0, len(t.indexes))
	}
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
