package store

import (
	"bytes"
	"slices"

	"k8s.io/utils/third_party/forked/golang/btree"
)

// Snapshot is the content of a backend at one version. It is safe for concurrent use.
type Snapshot struct {
	backend *Backend

	// tables are those that existed, as of a version at which they had the content of the snapshot:
	// the one at which it was taken, or last restored. The backend's mu guards it.
	tables map[*table]snapshot
}

// Snapshot returns the current content of all tables. It copies nothing; writes then copy the nodes that
// they change.
func (b *Backend) Snapshot() *Snapshot {
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.lockTables()()
	s := &Snapshot{backend: b, tables: map[*table]snapshot{}}
	for _, t := range b.tables {
		s.tables[t] = t.snapshotLocked()
	}
	return s
}

// Restore writes what differs from a snapshot, in one step that all readers see or none. It reports false,
// and does nothing, if the snapshot is another backend's. An object that was deleted since is created again;
// one that was replaced by another of its name is deleted first. Its cost grows with the number of writes
// since the snapshot was taken or restored, or with the number of objects if the history does not go back
// that far.
func (b *Backend) Restore(s *Snapshot) bool {
	if s.backend != b {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.lockTables()()
	for _, t := range b.tables {
		s.tables[t] = t.restore(s.tables[t])
	}
	return true
}

// lockTables locks all tables, and returns what unlocks them. The caller holds mu.
func (b *Backend) lockTables() (unlock func()) {
	for _, t := range b.tables {
		t.mu.Lock()
	}
	return func() {
		for _, t := range b.tables {
			t.mu.Unlock()
		}
	}
}

// restore writes what differs from s, and returns the result. The caller holds mu.
func (t *table) restore(s snapshot) snapshot {
	if s.tree == nil { // the table was created later
		s.tree = btree.New(degree, lessKey)
	}
	for _, key := range t.changedSince(s) {
		last, _ := t.tree.Get(&record{key: key})
		now, wanted := last.alive(), s.get(key)
		switch {
		case now == wanted:
			continue
		case now != nil && wanted != nil && now.born == wanted.born:
			if !bytes.Equal(now.value, wanted.value) || !now.expires.Equal(wanted.expires) {
				t.append(change{key: key, old: now, value: wanted.value, expires: wanted.expires}, now)
			}
			continue
		case now != nil:
			last = t.append(change{key: key, old: now}, now)
		}
		if wanted != nil {
			t.append(change{key: key, value: wanted.value, born: wanted.born, expires: wanted.expires}, last)
		}
	}
	return t.snapshotLocked()
}

// changedSince returns the keys that may differ from s, in order.
func (t *table) changedSince(s snapshot) []string {
	var keys []string
	if s.version < t.floor {
		for _, tree := range []*btree.BTree[*record]{t.tree, s.tree} {
			tree.Ascend(func(r *record) bool {
				keys = append(keys, r.key)
				return true
			})
		}
	} else {
		for place := t.history.behind(s.version); place < t.history.end; place++ {
			keys = append(keys, t.history.at(place).key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
