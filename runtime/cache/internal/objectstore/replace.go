package objectstore

import (
	"iter"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// ApplyList replaces the objects of a scope with items,
// atomically for readers. It returns the difference in parts, each valid until the next, with Old set:
// first deletions, with tombstones, then adds and updates. An object that is stored in the same state is
// not part of the difference, unless EachListed is set, nor is an item with Keep set.
func (s *Store) ApplyList(scope delta.Scope, items delta.Items, rv string) iter.Seq[[]delta.Delta] {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.generation++
	d := &difference{items: items, stored: make([]*cell, items.Len())}
	for i, item := range items.All() {
		if c := s.contents.find(item.Name); c != nil {
			d.stored[i], c.generation = c, s.generation
		}
	}
	d.absent, d.tombstone = s.absent(scope), s.options.PublicTypes.Tombstone
	changes := len(d.absent)
	for i, item := range items.All() {
		c := d.stored[i]
		if item.Keep || c != nil && !s.options.EachListed && delta.SameState(c.object(), item.Object) {
			d.stored[i] = unchanged
			continue
		}
		changes++
		if c != nil {
			c.generation = s.generation - 1
		}
	}
	if changes > max(deltasPerLock, len(s.contents.cells)/8) {
		s.rebuild(scope, d, rv)
		return d.parts
	}
	diff := make([]delta.Delta, 0, changes)
	for part := range d.parts {
		diff = append(diff, part...)
	}
	s.applyAtOnce(diff, func(last string) string {
		if s.options.VersionFromBookmarks {
			return last
		}
		return rv
	})
	return func(yield func([]delta.Delta) bool) {
		if len(diff) > 0 {
			yield(diff)
		}
	}
}

// difference is what a list changes. Its cells have the objects from before, as long as their contents
// are not written.
type difference struct {
	absent    []*cell // that the list deletes
	items     delta.Items
	stored    []*cell // of each item: nil, unchanged, or the cell of the object that it replaces
	tombstone func(key string, last any) any
}

// unchanged is the cell of items that change nothing.
var unchanged = &cell{}

// parts calls yield with the deltas, some at a time, until it returns false.
func (d *difference) parts(yield func([]delta.Delta) bool) {
	part := make([]delta.Delta, 0, min(deltasPerLock, len(d.absent)+len(d.stored)))
	more := func(change delta.Delta) bool {
		if part = append(part, change); len(part) < cap(part) {
			return true
		}
		all := part
		part = part[:0]
		return yield(all)
	}
	for _, c := range d.absent {
		key, last := c.key(), c.object()
		if !more(delta.Delta{Kind: delta.Delete, Name: delta.NameOfKey(key), Object: d.tombstone(key, last), Old: last}) {
			return
		}
	}
	for set := range d.sets {
		if !more(set) {
			return
		}
	}
	if len(part) > 0 {
		yield(part)
	}
}

// sets calls yield with the adds and updates, until it returns false.
func (d *difference) sets(yield func(delta.Delta) bool) {
	for i, item := range d.items.All() {
		c := d.stored[i]
		if c == unchanged {
			continue
		}
		set := delta.Delta{Kind: delta.Set, Name: item.Name, RV: item.RV, Object: item.Object}
		if c != nil {
			set.Old = c.object()
		}
		if !yield(set) {
			return
		}
	}
}

// absent returns the cells of a scope that are not in the list of this generation.
func (s *Store) absent(scope delta.Scope) (out []*cell) {
	for _, c := range s.contents.cells {
		if c.generation != s.generation && scope.Contains(c.key()) {
			out = append(out, c)
		}
	}
	return out
}

// rebuild builds new contents, while readers use the old ones, from the cells that stay (those
// of this generation, and those outside of the scope) and from the sets of a difference.
func (s *Store) rebuild(scope delta.Scope, d *difference, rv string) {
	t := s.contents.empty(len(d.stored))
	for _, c := range s.contents.cells {
		if c.generation == s.generation || !scope.Contains(c.key()) {
			t.adopt(c, s.contents)
		}
	}
	for set := range d.sets {
		t.write(&set, s.compute(set))
	}
	s.swap(t, rv)
}
