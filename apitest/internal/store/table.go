package store

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/utils/third_party/forked/golang/btree"
)

// degree of the trees: their nodes have up to twice as many children.
const degree = 32

// table contains the records of one resource.
type table struct {
	backend *Backend
	// cached reports that a server would serve watches of the resource from memory, which is empty
	// after a restart, and not from etcd.
	cached bool
	// changed is the version of the last record.
	changed atomic.Uint64

	// mu guards the fields below, and the places of the watchers.
	mu sync.RWMutex
	// tree contains the last record of each key. Deletions are in it as long as they are in the
	// history.
	tree *btree.BTree[*record]
	// frozen is a copy of tree that is never modified, created for the first reader after a change.
	frozen   *btree.BTree[*record]
	live     int // objects
	history  history
	floor    uint64 // versions below it are discarded
	started  uint64 // versions below it cannot be watched from
	watchers map[*watcher]struct{}
	expiry   expiry
}

// newTable returns an empty table. The backend's mu is held.
func newTable(b *Backend, cached bool) *table {
	t := &table{
		backend:  b,
		cached:   cached,
		tree:     btree.New(degree, lessKey),
		floor:    b.floor,
		history:  history{limit: b.history},
		watchers: map[*watcher]struct{}{},
	}
	t.restart(b.started)
	return t
}

// get returns the record of an object, or nil.
func (t *table) get(key string) (r *record, version uint64) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	r, _ = t.tree.Get(&record{key: key})
	return r.alive(), t.backend.version.Load()
}

// change describes a write.
type change struct {
	key     string
	old     *record // the expected record; nil if there is none
	value   []byte  // nil deletes the object
	born    uint64  // of an object that is created again; 0 means that it is new
	expires time.Time
}

// commit writes if the current record is the expected one. Otherwise it returns false and the
// current record of the object, or nil.
func (t *table) commit(c change) (*record, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	last, _ := t.tree.Get(&record{key: c.key})
	if last.alive() != c.old {
		return last.alive(), false
	}
	return t.append(c, last), true
}

// append adds a record after the last one of its key, which may be nil. The caller holds mu.
func (t *table) append(c change, last *record) *record {
	r := &record{
		key:     c.key,
		version: t.backend.version.Add(1),
		value:   c.value,
		deleted: c.value == nil,
		created: c.old == nil,
		born:    c.born,
		written: t.backend.clock.Now(),
		expires: c.expires,
		size:    recordBytes,
	}
	switch {
	case c.old != nil:
		r.size += len(c.old.value)
		r.born = c.old.born
	case r.born == 0:
		r.born = r.version
	}
	r.prev.Store(last)
	switch {
	case r.deleted:
		r.value = c.old.value
		t.live--
	case r.created:
		t.live++
	}
	t.frozen = nil
	t.tree.ReplaceOrInsert(r)
	t.changed.Store(r.version)
	for _, old := range t.history.add(r) {
		t.forget(old)
		t.floor = t.history.first().version - 1
	}
	t.expiry.add(t, r)
	t.backend.journal.add(r)
	for w := range t.watchers {
		w.notice(r.key)
	}
	return r
}

// forget discards what was before a record that leaves the history. The caller holds mu.
func (t *table) forget(r *record) {
	if p := r.prev.Swap(nil); p != nil {
		p.decoded.Store(forgotten)
	}
	if !r.deleted {
		return
	}
	r.decoded.Store(forgotten)
	if last, _ := t.tree.Get(r); last == r {
		t.frozen = nil
		t.tree.Delete(r)
	}
}

// age discards the history that is too old.
func (t *table) age(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for h := &t.history; h.start < h.end && now.Sub(h.first().written) > historyAge; {
		r := h.drop()
		t.forget(r)
		t.floor = r.version
	}
}

// expireHistory discards everything before a version.
func (t *table) expireHistory(version uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.floor = max(t.floor, version)
	for _, r := range t.history.removeUpTo(version) {
		t.forget(r)
	}
}

// snapshot is a table at one version.
type snapshot struct {
	table   *table
	tree    *btree.BTree[*record]
	version uint64
	// old reports that the tree has newer records in front of those of version.
	old bool
}

// snapshot returns the current state.
func (t *table) snapshot() snapshot {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.snapshotLocked()
}

func (t *table) snapshotLocked() snapshot {
	if t.frozen == nil {
		t.frozen = t.tree.Clone()
	}
	return snapshot{table: t, tree: t.frozen, version: t.backend.version.Load()}
}

// as returns the same table at an older version. After reading it, call expired.
func (s snapshot) as(version uint64) snapshot {
	s.version, s.old = version, true
	return s
}

// expired reports whether the data that were read may be wrong, because they were discarded
// meanwhile.
func (s snapshot) expired() bool {
	if !s.old {
		return false
	}
	s.table.mu.RLock()
	defer s.table.mu.RUnlock()
	return s.version < s.table.floor
}

// each calls f for the records of the objects below prefix, from the key start on, until it
// returns false. The last part of a prefix is "/".
func (s snapshot) each(prefix, start string, f func(*record) bool) {
	s.tree.AscendGreaterOrEqual(&record{key: max(prefix, start)}, func(r *record) bool {
		if !strings.HasPrefix(r.key, prefix) {
			return false
		}
		if s.old {
			r = r.at(s.version)
		}
		if r = r.alive(); r == nil {
			return true
		}
		return f(r)
	})
}

// get returns the record of one object, or nil.
func (s snapshot) get(key string) *record {
	r, _ := s.tree.Get(&record{key: key})
	if s.old {
		r = r.at(s.version)
	}
	return r.alive()
}

// restart ends all watches and, if the table is cached, prevents watches from beginning before a
// version.
func (t *table) restart(version uint64) {
	t.eachWatch((*watcher).Stop)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cached {
		t.started = version
	}
}

// watched reports whether there are watches.
func (t *table) watched() bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.watchers) > 0
}

// eachWatch calls do for all watches.
func (t *table) eachWatch(do func(*watcher)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for w := range t.watchers {
		do(w)
	}
}
