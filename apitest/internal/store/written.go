package store

import (
	"strings"
	"sync"
)

// Written is the state of an object after a write, encoded. It must not be modified.
type Written struct {
	Key     string // with the resource's prefix
	Value   []byte // of a deletion, the last state
	Version uint64
	Deleted bool
}

// journal collects the writes for [Backend.TakeWritten].
type journal struct {
	mu     sync.Mutex // guards the rest; a table's lock may be held when it is taken
	used   bool
	writes []Written
}

// add adds a write, if somebody takes them.
func (j *journal) add(r *record) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.used {
		j.writes = append(j.writes, Written{r.key, r.value, r.version, r.deleted})
	}
}

// KeepWritten makes the backend collect writes from now on. Somebody must take them.
func (b *Backend) KeepWritten() {
	b.journal.mu.Lock()
	defer b.journal.mu.Unlock()
	b.journal.used = true
}

// TakeWritten returns the writes since the last call, in the order in which their tables were locked.
func (b *Backend) TakeWritten() []Written {
	b.journal.mu.Lock()
	defer b.journal.mu.Unlock()
	writes := b.journal.writes
	b.journal.writes = nil
	return writes
}

// Find returns the objects that match accepts, which gets their keys and encoded values. It must be fast and must
// not modify them.
func (b *Backend) Find(match func(key string, value []byte) bool) []Written {
	b.mu.Lock()
	tables := make(map[string]*table, len(b.tables))
	for prefix, t := range b.tables {
		tables[prefix] = t
	}
	b.mu.Unlock()
	var found []Written
	for prefix, t := range tables {
		t.snapshot().each("/"+strings.Trim(prefix, "/")+"/", "", func(r *record) bool {
			if match(r.key, r.value) {
				found = append(found, Written{r.key, r.value, r.version, false})
			}
			return true
		})
	}
	return found
}
