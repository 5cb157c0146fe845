package cache

import "reflect"

// replace makes items the objects of a namespace, or all objects if that is empty, at
// once for readers. It returns what that changed, old filled in: first deletions, with
// tombstones, then what was added or updated. An object that is held in the same state
// already is no change, nor is what an item with keep set stands for.
func (s *objectStore) replace(namespace string, items []record, rv string) []change {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.round++
	found := make([]*cell, len(items))
	present := 0
	for i := range items {
		if c := s.held.find(items[i].name); c != nil {
			found[i], c.seen = c, s.round
			present++
		}
	}
	gone := s.gone(namespace)
	diff := make([]change, 0, len(gone)+len(items)-present)
	for _, c := range gone {
		tombstone := DeletedFinalStateUnknown{Key: c.key, Obj: c.object()}
		diff = append(diff, change{kind: changeDelete, name: nameOfKey(c.key), object: tombstone, old: c.object()})
	}
	for i := range items {
		item, c := &items[i], found[i]
		if item.keep || c != nil && sameState(c.object(), item.object) {
			continue
		}
		set := change{kind: changeSet, name: item.name, rv: item.rv, object: item.object}
		if c != nil {
			set.old, c.seen = c.object(), s.round-1
		}
		diff = append(diff, set)
	}
	if len(diff) <= max(changesPerLock, len(s.held.cells)/8) {
		s.applyAtOnce(diff, func(last string) string {
			if s.versionTold {
				return last
			}
			return rv
		})
	} else {
		s.rebuild(namespace, diff[len(gone):], rv)
	}
	return diff
}

// gone returns the cells of a namespace, or of all if that is empty, that were not in
// this round's list.
func (s *objectStore) gone(namespace string) (out []*cell) {
	for _, c := range s.held.cells {
		if c.seen != s.round && c.isIn(namespace) {
			out = append(out, c)
		}
	}
	return out
}

// isIn says whether an object is in a namespace. Any is in the empty one.
func (c *cell) isIn(namespace string) bool {
	n := len(namespace)
	return n == 0 || len(c.key) > n && c.key[n] == '/' && c.key[:n] == namespace
}

// rebuild fills new contents, while readers go on with the old, from the cells that
// stay: those of this round, and those of other namespaces; and from what is set.
func (s *objectStore) rebuild(namespace string, sets []change, rv string) {
	t := newContents(s.held.indexes, len(sets))
	for _, c := range s.held.cells {
		if c.seen == s.round || !c.isIn(namespace) {
			t.adopt(c, s.held)
		}
	}
	s.fill(t, sets)
	s.swap(t, rv)
}

func isPointer(v any) bool { return v != nil && reflect.TypeOf(v).Kind() == reflect.Pointer }
