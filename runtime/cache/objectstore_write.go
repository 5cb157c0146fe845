package cache

import (
	"fmt"
	"strconv"
)

// changesPerLock bounds for how many changes in a row readers may have to wait.
const changesPerLock = 256

// scratch is memory that writers use again.
type scratch struct {
	computed []indexed
	arena    []string
}

// compute calls the index functions for the objects that changes set. The result is, for
// each change, what each index function gave, until compute is called again.
func (s *objectStore) compute(changes ...change) []indexed {
	m := &s.scratch
	m.computed, m.arena = m.computed[:0], m.arena[:0]
	for i := range changes {
		for _, x := range s.held.indexes {
			var computed indexed
			if c := &changes[i]; c.kind == changeSet {
				computed = x.compute(c.object, &m.arena)
			}
			m.computed = append(m.computed, computed)
		}
	}
	return m.computed
}

// forget drops what compute returned: it would keep strings of objects.
func (m *scratch) forget() {
	if cap(m.computed) > 4*changesPerLock {
		*m = scratch{}
		return
	}
	clear(m.computed)
	clear(m.arena)
}

// apply does what changes say, in their order, and fills in what was held before.
// Readers may see some done and others not.
func (s *objectStore) apply(changes []change) {
	s.writing.Lock()
	defer s.writing.Unlock()
	for len(changes) > 0 {
		n := min(len(changes), changesPerLock)
		computed := s.compute(changes[:n]...)
		s.mu.Lock()
		s.setVersion(s.write(changes[:n], computed))
		s.mu.Unlock()
		changes = changes[n:]
	}
	s.scratch.forget()
}

// applyAtOnce is apply, but readers see all done or nothing. They see the store as of the
// version that version returns, given the last one of the changes. s.writing is held.
func (s *objectStore) applyAtOnce(changes []change, version func(last string) string) {
	computed := s.compute(changes...)
	s.mu.Lock()
	s.atOnce.Store(true)
	s.setVersion(version(s.write(changes, computed)))
	s.atOnce.Store(false)
	s.mu.Unlock()
	s.scratch.forget()
}

// write does what changes say. It returns the last resource version among theirs, or else
// the store's, which it leaves to the caller to set. s.mu is held.
func (s *objectStore) write(changes []change, computed []indexed) (last string) {
	indexes := len(s.held.indexes)
	last = s.rv
	for i := range changes {
		c := &changes[i]
		if c.rv != "" && !s.versionTold {
			last = c.rv
		}
		if c.kind == changeSet || c.kind == changeDelete {
			s.held.write(c, computed[i*indexes:(i+1)*indexes])
		}
	}
	return last
}

// setVersion notes the resource version that the store is as of. s.mu is held.
func (s *objectStore) setVersion(rv string) {
	if rv == s.rv {
		return
	}
	s.rv = rv
	if s.metric != nil {
		if v, ok := measurableVersion(rv); ok {
			s.metric.Set(v)
		}
	}
}

// measurableVersion returns a resource version as a number: its last 15 digits, which a
// float64 holds exactly.
func measurableVersion(rv string) (float64, bool) {
	v, err := strconv.ParseInt(rv[max(0, len(rv)-15):], 10, 64)
	return float64(v), err == nil || rv == ""
}

// swap makes other contents the held ones, at once for readers. s.writing is held.
func (s *objectStore) swap(t *contents, rv string) {
	s.mu.Lock()
	s.held = t
	s.table.Store(t.table)
	if !s.versionTold {
		s.setVersion(rv)
	}
	s.mu.Unlock()
	s.scratch.forget()
}

func (s *objectStore) Add(obj any) error { return s.set(obj) }

func (s *objectStore) Update(obj any) error { return s.set(obj) }

func (s *objectStore) set(obj any) error {
	c := [1]change{}
	if err := s.prepare(&c[0], obj); err != nil {
		return err
	}
	s.apply(c[:])
	return nil
}

// prepare makes c the change that sets obj, transformed.
func (s *objectStore) prepare(c *change, obj any) (err error) {
	c.kind = changeSet
	if c.name, err = s.name(obj); err != nil {
		return err
	}
	if s.transform != nil {
		if obj, err = s.transform.apply(obj, s.namer); err != nil {
			return err
		}
	}
	c.object, c.rv = obj, versionOf(obj)
	return nil
}

func (s *objectStore) Delete(obj any) error {
	name, err := s.name(obj)
	if err != nil {
		return err
	}
	s.apply([]change{{kind: changeDelete, name: name, rv: versionOf(obj)}})
	return nil
}

func (s *objectStore) Transaction(txns ...Transaction) *TransactionError {
	changes := make([]change, 0, len(txns))
	done := make([]int, 0, len(txns))
	var errs []error
	for i, txn := range txns {
		var c change
		var err error
		switch txn.Type {
		case TransactionTypeAdd, TransactionTypeUpdate:
			err = s.prepare(&c, txn.Object)
		case TransactionTypeDelete:
			c.kind, c.rv = changeDelete, versionOf(txn.Object)
			c.name, err = s.name(txn.Object)
		default:
			err = fmt.Errorf("unknown transaction type %q", txn.Type)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		changes, done = append(changes, c), append(done, i)
	}
	s.transact(changes)
	if errs == nil {
		return nil
	}
	return &TransactionError{SuccessfulIndices: done, TotalTransactions: len(txns), Errors: errs}
}

// transact does what changes say, at once for readers.
func (s *objectStore) transact(changes []change) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.applyAtOnce(changes, func(last string) string { return last })
}

func (s *objectStore) Replace(list []any, rv string) error {
	changes := make([]change, len(list))
	for i, obj := range list {
		if err := s.prepare(&changes[i], obj); err != nil {
			return err
		}
	}
	s.replaceAll(changes, rv)
	return nil
}

// replaceAll makes what changes set all that the store holds, at once for readers.
func (s *objectStore) replaceAll(changes []change, rv string) {
	s.writing.Lock()
	defer s.writing.Unlock()
	t := newContents(s.held.indexes, len(changes))
	s.fill(t, changes)
	s.swap(t, rv)
}

// fill writes changes to contents that nobody sees yet.
func (s *objectStore) fill(t *contents, changes []change) {
	for i := range changes {
		t.write(&changes[i], s.compute(changes[i]))
	}
}
