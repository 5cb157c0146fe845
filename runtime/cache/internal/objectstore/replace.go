package objectstore

import "github.com/listwatch/listwatch/runtime/cache/internal/delta"

// ApplyList replaces the objects of a namespace, or all objects if that is empty, with items,
// atomically for readers. It returns the difference, with Old set: first deletions, with
// tombstones, then adds and updates. An object that is stored in the same state is not part of the
// difference, nor is an item with Keep set.
func (s *Store) ApplyList(namespace string, items []delta.Item, rv string) []delta.Delta {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.generation++
	found := make([]*cell, len(items))
	present := 0
	for i := range items {
		if c := s.contents.find(items[i].Name); c != nil {
			found[i], c.generation = c, s.generation
			present++
		}
	}
	absent := s.absent(namespace)
	diff := make([]delta.Delta, 0, len(absent)+len(items)-present)
	for _, c := range absent {
		tombstone := s.options.Words.Tombstone(c.key, c.object())
		diff = append(diff, delta.Delta{Kind: delta.Delete, Name: delta.NameOfKey(c.key), Object: tombstone, Old: c.object()})
	}
	for i := range items {
		item, c := &items[i], found[i]
		if item.Keep || c != nil && delta.SameState(c.object(), item.Object) {
			continue
		}
		set := delta.Delta{Kind: delta.Set, Name: item.Name, RV: item.RV, Object: item.Object}
		if c != nil {
			set.Old, c.generation = c.object(), s.generation-1
		}
		diff = append(diff, set)
	}
	if len(diff) <= max(deltasPerLock, len(s.contents.cells)/8) {
		s.applyAtOnce(diff, func(last string) string {
			if s.options.VersionFromBookmarks {
				return last
			}
			return rv
		})
	} else {
		s.rebuild(namespace, diff[len(absent):], rv)
	}
	return diff
}

// absent returns the cells of a namespace, or of all namespaces if that is empty, that are not in
// the list of this generation.
func (s *Store) absent(namespace string) (out []*cell) {
	for _, c := range s.contents.cells {
		if c.generation != s.generation && c.isIn(namespace) {
			out = append(out, c)
		}
	}
	return out
}

// isIn reports whether an object is in a namespace. Every object is in the empty one.
func (c *cell) isIn(namespace string) bool {
	n := len(namespace)
	return n == 0 || len(c.key) > n && c.key[n] == '/' && c.key[:n] == namespace
}

// rebuild builds new contents, while readers use the old ones, from the cells that stay (those
// of this generation, and those of other namespaces) and from sets.
func (s *Store) rebuild(namespace string, sets []delta.Delta, rv string) {
	t := s.contents.empty(len(sets))
	for _, c := range s.contents.cells {
		if c.generation == s.generation || !c.isIn(namespace) {
			t.adopt(c, s.contents)
		}
	}
	s.load(t, sets)
	s.swap(t, rv)
}
