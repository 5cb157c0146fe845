package objectstore

import (
	"fmt"
	"slices"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
	"github.com/listwatch/listwatch/runtime/cache/internal/dense"
)

// contents are the objects of a store. Objects are stored densely, in no order, so that a list is a
// copy of memory. Indexes refer to them by position, so that an object that changes without
// changing its index values does not affect the indexes.
//
//	objects.Len() == len(cells), cells[i].pos == i, cells[i].object() == objects.At(i)
//	every ref r of cells[i]: r.bucket.members[r.at] == i
//
// They are written with the store's lock held and read with it held, or by the writer. [table] has
// different rules.
type contents struct {
	objects *dense.List
	cells   []*cell
	indexes []*objectIndex
	table   *table
}

// newContents returns empty contents with room for n objects.
func newContents(indexes []*objectIndex, n int) *contents {
	return &contents{objects: dense.Make(n), cells: make([]*cell, 0, n), table: newTable(n), indexes: indexes}
}

// empty returns empty contents with the same indexes and room for n objects.
func (t *contents) empty(n int) *contents {
	indexes := make([]*objectIndex, len(t.indexes))
	for i, x := range t.indexes {
		indexes[i] = newObjectIndex(x.Index)
	}
	return newContents(indexes, n)
}

// find returns the cell of a name, or nil.
func (t *contents) find(name delta.Name) *cell {
	var buffer delta.KeyBuffer
	key := name.AppendKey(buffer[:0])
	return t.table.cell(hashOfBytes(key), key)
}

// index returns the index of a name, or nil.
func (t *contents) index(name string) *objectIndex {
	for _, x := range t.indexes {
		if x.Name == name {
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
	return nil, fmt.Errorf("Index with name %s does not exist", name)
}

// complete is existing, except that it also returns an error if objects are missing from the
// index.
func (t *contents) complete(name string, public PublicTypes) (*objectIndex, error) {
	x, err := t.existing(name)
	if err == nil {
		err = x.incomplete(public)
	}
	return x, err
}

// write applies a delta and sets its Old. values are the object's values in each index.
func (t *contents) write(d *delta.Delta, values []indexed) {
	var buffer delta.KeyBuffer
	key := d.Name.AppendKey(buffer[:0])
	hash := hashOfBytes(key)
	stored := t.table.cell(hash, key)
	if stored != nil {
		d.Old = stored.object()
	}
	switch {
	case d.Kind == delta.Set && stored == nil:
		fresh := t.insert(hash, key, d.Object)
		t.append(fresh)
		t.reindex(fresh, values)
	case d.Kind == delta.Set && stored.latest.Store(d.Object):
		t.objects.Set(int(stored.pos), d.Object)
		t.reindex(stored, values)
	case d.Kind == delta.Set: // of another type
		fresh := t.insert(hash, key, d.Object)
		t.table.remove(stored)
		t.remove(stored)
		t.append(fresh)
		t.reindex(fresh, values)
	case d.Kind == delta.Delete && stored != nil:
		t.table.remove(stored)
		t.remove(stored)
	}
}

// insert adds a cell to the table.
func (t *contents) insert(hash uint32, key []byte, object any) *cell {
	c := newCell(len(t.indexes))
	t.table.insert(hash, key, object, c)
	return c
}

// adopt adds what a cell has in contents with the same indexes that are no longer written. Their
// readers see no change of it.
func (t *contents) adopt(c *cell, from *contents) {
	var buffer delta.KeyBuffer
	fresh := t.insert(c.hash, c.appendKey(buffer[:0]), c.object())
	t.append(fresh)
	for _, r := range c.refs {
		fresh.refs = append(fresh.refs, t.index(r.bucket.index.Name).link(fresh, r.bucket.value))
	}
	for i, x := range from.indexes {
		if err := x.failed[c]; err != nil {
			t.indexes[i].record(fresh, err)
		}
	}
}

// append adds a cell at the last position.
func (t *contents) append(c *cell) {
	c.pos = uint32(len(t.cells))
	t.objects.Append(c.object())
	t.cells = append(t.cells, c)
}

// remove removes a cell. The last one takes its position.
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
		t.cells[c.pos] = moved
		t.objects.Set(int(c.pos), t.objects.At(last))
		for _, r := range moved.refs {
			r.move(moved.pos)
		}
	}
	t.cells[last] = nil
	t.cells = shrink(t.cells[:last])
	t.objects.RemoveLast()
}

// reindex updates a cell's refs in each index to its object's values there.
func (t *contents) reindex(c *cell, values []indexed) {
	from := 0
	for i, x := range t.indexes {
		to := from
		for to < len(c.refs) && c.refs[to].bucket.index == x {
			to++
		}
		if !match(c.refs[from:to], values[i].values) {
			to = t.relink(c, x, from, to, values[i].values)
		}
		x.record(c, values[i].err)
		from = to
	}
}

// relink removes the cell from the buckets of its refs between from and to, and adds it to the
// buckets of values in the same index. It returns the end of the new refs.
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
