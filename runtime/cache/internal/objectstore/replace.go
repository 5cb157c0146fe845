package objectstore

import "github.com/listwatch/listwatch/runtime/cache/internal/delta"

// ApplyList replaces the objects of a scope with items,
// atomically for readers. It returns the difference, with Old set: first deletions, with
// tombstones, then adds and updates. An object that is stored in the same state is not part of the
// difference, nor is an item with Keep set.
func (s *Store) ApplyList(scope delta.Scope, items []delta.Item, rv string) []delta.Delta {
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
	absent := s.absent(scope)
	diff := make([]delta.Delta, 0, len(absent)+len(items)-present)
	for _, c := range absent {
		tombstone := s.options.Words.Tombstone(c.key(), c.object())
		diff = append(diff, delta.Delta{Kind: delta.Delete, Name: delta.NameOfKey(c.key()), Object: tombstone, Old: c.object()})
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
		s.rebuild(scope, diff[len(absent):], rv)
	}
	return diff
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
// of this generation, and those outside of the scope) and from sets.
func (s *Store) rebuild(scope delta.Scope, sets []delta.Delta, rv string) {
	t := s.contents.empty(len(sets))
	for _, c := range s.contents.cells {
		if c.generation == s.generation || !scope.Contains(c.key()) {
			t.adopt(c, s.contents)
		}
	}
	s.load(t, sets)
	s.swap(t, rv)
}
