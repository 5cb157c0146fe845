package objectstore

import (
	"strconv"

	"github.com/listwatch/listwatch/runtime/cache/internal/delta"
)

// deltasPerLock bounds the number of consecutive deltas for which readers may have to wait.
const deltasPerLock = 256

// scratch is memory that writers reuse.
type scratch struct {
	computed []indexed
	arena    []string
}

// compute calls the index functions for the objects that deltas set. For each delta, it
// returns the result of each index function; the slice is valid until compute is called again.
func (s *Store) compute(deltas ...delta.Delta) []indexed {
	m := &s.scratch
	m.computed, m.arena = m.computed[:0], m.arena[:0]
	for i := range deltas {
		for _, x := range s.contents.indexes {
			var computed indexed
			if d := &deltas[i]; d.Kind == delta.Set {
				computed = x.compute(d.Object, &m.arena)
			}
			m.computed = append(m.computed, computed)
		}
	}
	return m.computed
}

// forget drops the results of compute, which would retain strings of objects.
func (m *scratch) forget() {
	if cap(m.computed) > 4*deltasPerLock {
		*m = scratch{}
		return
	}
	clear(m.computed)
	clear(m.arena)
}

// Apply applies deltas in order, and sets their Old. Readers may see some applied and others
// not.
func (s *Store) Apply(deltas []delta.Delta) {
	s.writing.Lock()
	defer s.writing.Unlock()
	for len(deltas) > 0 {
		n := min(len(deltas), deltasPerLock)
		computed := s.compute(deltas[:n]...)
		s.mu.Lock()
		s.setVersion(s.write(deltas[:n], computed))
		s.mu.Unlock()
		deltas = deltas[n:]
	}
	s.scratch.forget()
}

// Transact is Apply, except that readers see either all deltas applied or none.
func (s *Store) Transact(deltas []delta.Delta) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.applyAtOnce(deltas, func(last string) string { return last })
}

// applyAtOnce is Transact with s.writing held. The store's resource version becomes the result of
// version, which is called with the last one among the deltas.
func (s *Store) applyAtOnce(deltas []delta.Delta, version func(last string) string) {
	computed := s.compute(deltas...)
	s.mu.Lock()
	s.atOnce.Store(true)
	s.setVersion(version(s.write(deltas, computed)))
	s.atOnce.Store(false)
	s.mu.Unlock()
	s.scratch.forget()
}

// write applies deltas. It returns the last resource version of the deltas, or the store's if they
// have none, and the caller must set it. s.mu is held.
func (s *Store) write(deltas []delta.Delta, computed []indexed) (last string) {
	indexes := len(s.contents.indexes)
	last = s.rv
	for i := range deltas {
		d := &deltas[i]
		if d.RV != "" && !s.options.VersionFromBookmarks {
			last = d.RV
		}
		if d.Kind == delta.Set || d.Kind == delta.Delete {
			s.contents.write(d, computed[i*indexes:(i+1)*indexes])
		}
	}
	return last
}

// setVersion sets the store's resource version. s.mu is held.
func (s *Store) setVersion(rv string) {
	if rv == s.rv {
		return
	}
	s.rv = rv
	if s.options.Metric != nil {
		if v, ok := measurableVersion(rv); ok {
			s.options.Metric.Set(v)
		}
	}
}

// measurableVersion returns a resource version as a number: its last 15 digits, which a
// float64 represents exactly.
func measurableVersion(rv string) (float64, bool) {
	v, err := strconv.ParseInt(rv[max(0, len(rv)-15):], 10, 64)
	return float64(v), err == nil || rv == ""
}

// swap replaces the contents that readers see atomically. s.writing is held.
func (s *Store) swap(t *contents, rv string) {
	s.mu.Lock()
	s.contents = t
	s.table.Store(t.table)
	if !s.options.VersionFromBookmarks {
		s.setVersion(rv)
	}
	s.mu.Unlock()
	s.scratch.forget()
}

// Add stores an object.
func (s *Store) Add(obj any) error { return s.set(obj) }

// Update stores an object.
func (s *Store) Update(obj any) error { return s.set(obj) }

func (s *Store) set(obj any) error {
	d := [1]delta.Delta{}
	if err := s.Prepare(&d[0], obj); err != nil {
		return err
	}
	s.Apply(d[:])
	return nil
}

// Prepare makes d a delta that sets obj, transformed.
func (s *Store) Prepare(d *delta.Delta, obj any) (err error) {
	d.Kind = delta.Set
	if d.Name, err = s.options.Name(obj); err != nil {
		return err
	}
	if s.options.Transform != nil {
		if obj, err = s.options.Transform(obj); err != nil {
			return err
		}
	}
	d.RV = delta.VersionOf(obj)
	if s.options.Pack != nil {
		if obj, err = s.options.Pack(obj); err != nil {
			return err
		}
	}
	d.Object = obj
	return nil
}

// PrepareDelete makes d a delta that deletes the object that has obj's name.
func (s *Store) PrepareDelete(d *delta.Delta, obj any) (err error) {
	d.Kind, d.RV = delta.Delete, delta.VersionOf(obj)
	d.Name, err = s.options.Name(obj)
	return err
}

// Delete deletes the object that has obj's name, if there is one.
func (s *Store) Delete(obj any) error {
	d := [1]delta.Delta{}
	if err := s.PrepareDelete(&d[0], obj); err != nil {
		return err
	}
	s.Apply(d[:])
	return nil
}

// Replace replaces all objects, atomically for readers.
func (s *Store) Replace(list []any, rv string) error {
	deltas := make([]delta.Delta, len(list))
	for i, obj := range list {
		if err := s.Prepare(&deltas[i], obj); err != nil {
			return err
		}
	}
	s.ReplaceAll(deltas, rv)
	return nil
}

// ReplaceAll replaces all objects with those that deltas set, atomically for readers.
func (s *Store) ReplaceAll(deltas []delta.Delta, rv string) {
	s.writing.Lock()
	defer s.writing.Unlock()
	t := s.contents.empty(len(deltas))
	s.load(t, deltas)
	s.swap(t, rv)
}

// load writes deltas to contents that no reader sees yet.
func (s *Store) load(t *contents, deltas []delta.Delta) {
	for i := range deltas {
		t.write(&deltas[i], s.compute(deltas[i]))
	}
}
